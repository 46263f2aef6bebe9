/* The graph of recorded operations, through which gradients are carried back.
 *
 * A tensor has a node when it asks for a gradient itself (a leaf), or when it is the result of an
 * operation on such tensors that was recorded. Nodes hold the nodes of their inputs and what their
 * gradients need, but no tensor that has a recorded node: so nothing refers to itself, and letting
 * go of the last result frees the graph. */
#ifndef KAEL_TENSOR_GRAPH_H
#define KAEL_TENSOR_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/autograd.h"
#include "kael/status.h"
#include "kael/tensor.h"
#include "memory/block.h"
#include "tensor/tensor.h"

typedef struct kael_graph_node kael_graph_node;

/* Computes the gradients of an operation's inputs from that of its result, which has the shape and
 * dtype of the result. gradients[i] is NULL at first and stays so where nothing flows back or
 * nothing is wanted (node->inputs[i].node is NULL). It may have the shape of the result where the
 * input was broadcast to it, and any floating point dtype: the caller sums and converts. After an
 * error, the caller releases what was written. */
typedef kael_status kael_gradient_function(const kael_graph_node *node, const kael_tensor *gradient,
                                           kael_tensor **gradients);

typedef struct kael_gradient_rule {
    const char *name; /* of the operation */
    kael_gradient_function *function;
} kael_gradient_rule;

typedef struct kael_graph_input {
    kael_graph_node *node; /* NULL: no gradient is wanted */
    const int64_t *shape;
    int64_t ndim;
    kael_dtype dtype;
} kael_graph_input;

/* A tensor whose elements must not change before they are used. */
typedef struct kael_saved_tensor {
    kael_tensor *tensor;
    uint64_t version;
} kael_saved_tensor;

struct kael_graph_node {
    _Atomic int64_t references;
    const kael_gradient_rule *rule; /* NULL: a leaf */
    kael_tensor *gradient;          /* of a leaf; NULL before there is one */
    kael_graph_input *inputs;
    kael_saved_tensor *saved;
    const void *parameters;
    int64_t input_count;
    int64_t saved_count;
    _Atomic bool is_spent; /* what was saved is gone */
    kael_graph_node *next; /* in a list of nodes to free */
    kael_block block;
};

/* What is recorded of an operation; everything is copied or held. */
typedef struct kael_recording {
    const kael_gradient_rule *rule;
    int64_t input_count;
    const kael_tensor *const *inputs;
    int64_t saved_count;
    const kael_tensor *const *saved; /* may name the result */
    const void *parameters;
    int64_t parameter_bytes;
} kael_recording;

/* Whether an operation on these inputs is to be recorded. */
static inline bool kael_graph_wants(int64_t count, const kael_tensor *const *inputs) {
    for (int64_t i = 0; i < count; ++i) {
        if (inputs[i]->node != NULL) {
            return kael_grad_mode_enabled();
        }
    }
    return false;
}

/* Makes a leaf's node. Errors: MEMORY. */
KAEL_NODISCARD kael_status kael_graph_create_leaf(kael_graph_node **out);

/* Records how `out`, which nobody else knows yet, was made. Errors: MEMORY; `out` is then as it
 * was.
 */
KAEL_NODISCARD kael_status kael_graph_record(kael_tensor *out, const kael_recording *recording);

/* Records how *out was made if that is wanted; whether the result can have a gradient at all is
 * left to its dtype. Errors: MEMORY; *out is then released and NULL. */
KAEL_NODISCARD kael_status kael_graph_record_result(kael_tensor **out,
                                                    const kael_recording *recording);

void kael_graph_retain(kael_graph_node *node);

/* Lets go of a node. Frees graphs of any depth in constant stack. NULL is fine. */
void kael_graph_release(kael_graph_node *node);

/* STATE if a saved tensor was written since, or if the node is spent. */
KAEL_NODISCARD kael_status kael_graph_require_usable(const kael_graph_node *node);

/* Lets go of what the node has saved. */
void kael_graph_spend(kael_graph_node *node);

/* STATE where recording is on and the graph would not see that the elements of `out` are written
 * from `inputs`: `out` has a node, or an input has. Inputs may be NULL. */
KAEL_NODISCARD kael_status kael_graph_require_writable(const kael_tensor *out, const char *name,
                                                       int64_t count,
                                                       const kael_tensor *const *inputs);

/* The same, and counts the write; to be called before the elements are written. */
KAEL_NODISCARD kael_status kael_graph_begin_write(kael_tensor *out, const char *name, int64_t count,
                                                  const kael_tensor *const *inputs);

#endif
