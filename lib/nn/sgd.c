/* The step of stochastic gradient descent with momentum. */
#include "core/error.h"
#include "kael/autograd.h"
#include "kael/nn.h"
#include "nn/operands.h"
#include "nn/rows.h"
#include "tensor/graph.h"
#include "tensor/tensor.h"

typedef struct sgd_job {
    const kael_nn_kernels *kernels;
    int64_t element_size;
    kael_descent_step step;
    const void *gradient;
    void *velocity;
    void *parameter;
} sgd_job;

static kael_status sgd_range(int64_t first, int64_t last, void *context) {
    const sgd_job *job = context;
    job->kernels->sgd(last - first, &job->step,
                      kael_element_at(job->gradient, first, job->element_size),
                      kael_mutable_element_at(job->velocity, first, job->element_size),
                      kael_mutable_element_at(job->parameter, first, job->element_size));
    return KAEL_OK;
}

/* Steps are what leaves are for; the result of a recorded operation must stay as it is. */
static kael_status require_leaf(const kael_tensor *parameter) {
    return kael_tensor_is_leaf(parameter)
               ? KAEL_OK
               : kael_error(KAEL_ERROR_STATE,
                            "parameter is the result of a recorded operation and must be a leaf");
}

kael_status kael_sgd_step(kael_tensor *parameter, kael_tensor *velocity,
                          const kael_tensor *gradient, double learning_rate, double momentum) {
    KAEL_TRY(kael_nn_require_operand(parameter, "parameter"));
    KAEL_TRY(kael_nn_require_like(velocity, "velocity", parameter));
    KAEL_TRY(kael_nn_require_like(gradient, "gradient", parameter));
    KAEL_TRY(kael_tensor_require_disjoint(parameter, "parameter", velocity, "velocity"));
    KAEL_TRY(kael_tensor_require_disjoint(parameter, "parameter", gradient, "gradient"));
    KAEL_TRY(kael_tensor_require_disjoint(velocity, "velocity", gradient, "gradient"));
    KAEL_TRY(require_leaf(parameter));
    KAEL_TRY(kael_graph_require_writable(velocity, "velocity", 0, NULL));
    const kael_dtype dtype = kael_tensor_dtype(parameter);
    sgd_job job = {
        .element_size = kael_dtype_size(dtype),
        .step = {.learning_rate = learning_rate, .momentum = momentum},
        .gradient = kael_tensor_data(gradient),
        .velocity = kael_tensor_data(velocity),
        .parameter = kael_tensor_data(parameter),
    };
    KAEL_TRY(kael_nn_kernels_for(&job.kernels, dtype));
    kael_storage_mark_written(parameter->storage);
    kael_storage_mark_written(velocity->storage);
    return kael_parallel_for(0, kael_tensor_numel(parameter), kael_grain_of(1, KAEL_COST_OPTIMIZER),
                             sgd_range, &job);
}
