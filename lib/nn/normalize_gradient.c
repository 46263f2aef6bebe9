#include <stddef.h>

#include "core/error.h"
#include "kael/ops.h"
#include "nn/normalize.h"
#include "nn/row_matrix.h"
#include "tensor/graph.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

/* Without a weight, the bias is the second input. */
enum { INPUT, WEIGHT, BIAS };

static kael_status input_gradient(kael_tensor **out, const kael_normalize_job *job) {
    const kael_tensor *gradient = job->gradient;
    kael_tensor *made;
    KAEL_TRY(kael_tensor_empty(&made, gradient->dtype, gradient->ndim, gradient->sizes));
    const kael_status status = made->numel > 0 ? kael_normalize_run(made, job) : KAEL_OK;
    if (status != KAEL_OK) {
        kael_tensor_release(made);
        return status;
    }
    *out = made;
    return KAEL_OK;
}

/* What is summed over the rows: gradient * h, with f16 and bf16 in f32. */
static kael_status weight_gradient(kael_tensor **out, const kael_normalize_job *job) {
    const kael_tensor *gradient = job->gradient;
    kael_tensor *h;
    KAEL_TRY(
        kael_tensor_empty(&h, kael_row_dtype(gradient->dtype), gradient->ndim, gradient->sizes));
    const kael_normalize_job forward = {.how = job->how, .tensor = job->tensor};
    kael_status status = h->numel > 0 ? kael_normalize_run(h, &forward) : KAEL_OK;
    if (status == KAEL_OK) {
        status = kael_mul(out, gradient, h);
    }
    kael_tensor_release(h);
    return status;
}

static kael_status backward(const kael_graph_node *node, const kael_tensor *gradient,
                            kael_tensor **gradients) {
    const bool has_weight = node->saved_count > WEIGHT;
    const int64_t bias = has_weight ? BIAS : WEIGHT;
    const kael_normalize_job job = {
        .how = *(const kael_normalization *)node->parameters,
        .tensor = node->saved[INPUT].tensor,
        .weight = has_weight ? node->saved[WEIGHT].tensor : NULL,
        .gradient = gradient,
    };
    if (node->inputs[INPUT].node != NULL) {
        KAEL_TRY(input_gradient(&gradients[INPUT], &job));
    }
    if (has_weight && node->inputs[WEIGHT].node != NULL) {
        KAEL_TRY(weight_gradient(&gradients[WEIGHT], &job));
    }
    if (node->input_count > bias && node->inputs[bias].node != NULL) {
        gradients[bias] = kael_tensor_share(gradient);
    }
    return KAEL_OK;
}

static const kael_gradient_rule layer_norm_rule = {"layer_norm", backward};
static const kael_gradient_rule rms_norm_rule = {"rms_norm", backward};

kael_status kael_normalize_record(kael_tensor **out, const kael_normalize_job *job) {
    const kael_tensor *inputs[3] = {job->tensor};
    int64_t count = 1;
    if (job->weight != NULL) {
        inputs[count++] = job->weight;
    }
    const int64_t saved = count;
    if (job->bias != NULL) {
        inputs[count++] = job->bias;
    }
    return kael_graph_record_result(
        out, &(kael_recording){
                 .rule = job->how.is_centered ? &layer_norm_rule : &rms_norm_rule,
                 .input_count = count,
                 .inputs = inputs,
                 .saved_count = saved,
                 .saved = inputs,
                 .parameters = &job->how,
                 .parameter_bytes = sizeof job->how,
             });
}
