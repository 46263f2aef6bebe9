/* The gradient of relu. */
#include <stddef.h>

#include "core/error.h"
#include "kael/nn.h"
#include "nn/operands.h"
#include "nn/rows.h"
#include "tensor/graph.h"

typedef struct relu_backward_job {
    const kael_nn_kernels *kernels;
    int64_t element_size;
    const void *output_gradient;
    const void *output;
    void *input_gradient;
} relu_backward_job;

static kael_status relu_backward_range(int64_t first, int64_t last, void *context) {
    const relu_backward_job *job = context;
    job->kernels->relu_backward(
        last - first, kael_element_at(job->output_gradient, first, job->element_size),
        kael_element_at(job->output, first, job->element_size),
        kael_mutable_element_at(job->input_gradient, first, job->element_size));
    return KAEL_OK;
}

kael_status kael_relu_backward_into(kael_tensor *input_gradient, const kael_tensor *output_gradient,
                                    const kael_tensor *output) {
    KAEL_TRY(kael_nn_require_operand(output_gradient, "output_gradient"));
    KAEL_TRY(kael_nn_require_like(output, "output", output_gradient));
    KAEL_TRY(kael_nn_require_like(input_gradient, "input_gradient", output_gradient));
    KAEL_TRY(kael_nn_require_same_or_disjoint(input_gradient, "input_gradient", output_gradient,
                                              "output_gradient"));
    KAEL_TRY(kael_nn_require_same_or_disjoint(input_gradient, "input_gradient", output, "output"));
    KAEL_TRY(kael_graph_begin_write(input_gradient, "input_gradient", 2,
                                    (const kael_tensor *[]){output_gradient, output}));
    const kael_dtype dtype = kael_tensor_dtype(output);
    relu_backward_job job = {
        .element_size = kael_dtype_size(dtype),
        .output_gradient = kael_tensor_data(output_gradient),
        .output = kael_tensor_data(output),
        .input_gradient = kael_tensor_data(input_gradient),
    };
    KAEL_TRY(kael_nn_kernels_for(&job.kernels, dtype));
    return kael_parallel_for(0, kael_tensor_numel(output), KAEL_ELEMENT_GRAIN, relu_backward_range,
                             &job);
}
