#include "linalg/matmul_gradient.h"

#include <stddef.h>

#include "core/error.h"
#include "kael/linalg.h"
#include "ops/scratch.h"

enum { A, B };

static const kael_tensor *unsqueeze(kael_scratch *s, const kael_tensor *tensor, int64_t dim) {
    kael_tensor *made;
    return s->status != KAEL_OK
               ? NULL
               : kael_scratch_keep(s, kael_tensor_unsqueeze(&made, tensor, dim), &made);
}

static const kael_tensor *transpose(kael_scratch *s, const kael_tensor *tensor) {
    kael_tensor *made;
    return s->status != KAEL_OK
               ? NULL
               : kael_scratch_keep(s, kael_tensor_transpose(&made, tensor, -1, -2), &made);
}

static const kael_tensor *without_last(kael_scratch *s, const kael_tensor *tensor) {
    kael_tensor *made;
    return s->status != KAEL_OK
               ? NULL
               : kael_scratch_keep(s, kael_tensor_squeeze(&made, tensor, -1), &made);
}

/* The operands and the gradient as matrices, or batches of them. */
typedef struct matrices {
    const kael_tensor *a;
    const kael_tensor *b;
    const kael_tensor *gradient;
} matrices;

static matrices as_matrices(kael_scratch *s, const kael_graph_node *node,
                            const kael_tensor *gradient) {
    matrices m = {node->saved[A].tensor, node->saved[B].tensor, gradient};
    const bool a_is_vector = m.a->ndim == 1;
    const bool b_is_vector = m.b->ndim == 1;
    m.gradient = b_is_vector ? unsqueeze(s, m.gradient, -1) : m.gradient;
    m.gradient = a_is_vector ? unsqueeze(s, m.gradient, -2) : m.gradient;
    m.a = a_is_vector ? unsqueeze(s, m.a, 0) : m.a;
    m.b = b_is_vector ? unsqueeze(s, m.b, 1) : m.b;
    return m;
}

/* The gradient times b transposed, and a transposed times the gradient; whoever takes them sums
 * over batches that were broadcast. */
static kael_status matmul(const kael_graph_node *node, const kael_tensor *gradient,
                          kael_tensor **gradients) {
    kael_scratch s = {0};
    const matrices m = as_matrices(&s, node, gradient);
    const kael_tensor *a_gradient = NULL;
    const kael_tensor *b_gradient = NULL;
    if (node->inputs[A].node != NULL) {
        a_gradient = kael_scratch_binary(&s, kael_matmul, m.gradient, transpose(&s, m.b));
    }
    if (node->inputs[B].node != NULL) {
        b_gradient = kael_scratch_binary(&s, kael_matmul, transpose(&s, m.a), m.gradient);
        b_gradient = node->inputs[B].ndim == 1 ? without_last(&s, b_gradient) : b_gradient;
    }
    if (s.status == KAEL_OK && a_gradient != NULL) {
        gradients[A] = kael_tensor_retain((kael_tensor *)(uintptr_t)a_gradient);
    }
    return kael_scratch_finish(&s, &gradients[B], b_gradient);
}

static const kael_gradient_rule rule = {"matmul", matmul};

kael_status kael_matmul_record(kael_tensor **out, const kael_tensor *a, const kael_tensor *b) {
    const kael_tensor *const inputs[] = {a, b};
    return kael_graph_record_result(out, &(kael_recording){
                                             .rule = &rule,
                                             .input_count = 2,
                                             .inputs = inputs,
                                             .saved_count = 2,
                                             .saved = inputs,
                                         });
}
