#include "nn/gradients.h"

#include <stddef.h>

#include "core/error.h"
#include "kael/linalg.h"
#include "kael/nn.h"
#include "kael/ops.h"
#include "kael/reduce.h"

enum { INPUT, WEIGHT, BIAS };

static kael_status linear(const kael_graph_node *node, const kael_tensor *gradient,
                          kael_tensor **gradients) {
    const int64_t batch = 0;
    if (node->inputs[INPUT].node != NULL) {
        KAEL_TRY(kael_matmul(&gradients[INPUT], gradient, node->saved[WEIGHT].tensor));
    }
    if (node->inputs[WEIGHT].node != NULL) {
        kael_tensor *transposed;
        KAEL_TRY(kael_tensor_transpose(&transposed, gradient, 0, 1));
        const kael_status status =
            kael_matmul(&gradients[WEIGHT], transposed, node->saved[INPUT].tensor);
        kael_tensor_release(transposed);
        KAEL_TRY(status);
    }
    return node->input_count > BIAS && node->inputs[BIAS].node != NULL
               ? kael_sum(&gradients[BIAS], gradient, 1, &batch, false)
               : KAEL_OK;
}

static const kael_gradient_rule linear_rule = {"linear", linear};

kael_status kael_linear_record(kael_tensor **out, const kael_tensor *input,
                               const kael_tensor *weight, const kael_tensor *bias) {
    const kael_tensor *const inputs[] = {input, weight, bias};
    return kael_graph_record_result(out, &(kael_recording){
                                             .rule = &linear_rule,
                                             .input_count = bias == NULL ? 2 : 3,
                                             .inputs = inputs,
                                             .saved_count = 2,
                                             .saved = inputs,
                                         });
}
