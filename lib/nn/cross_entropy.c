/* Cross entropy of the softmax of rows, and its gradient. */
#include <inttypes.h>
#include <stddef.h>

#include "core/error.h"
#include "kael/nn.h"
#include "nn/gradients.h"
#include "nn/operands.h"
#include "nn/rows.h"

static kael_status require_targets(const kael_tensor *targets, int64_t rows, int64_t classes) {
    KAEL_TRY(kael_tensor_require(targets, "targets", KAEL_I64, 1, &rows));
    const int64_t *target = kael_tensor_data(targets);
    for (int64_t i = 0; i < rows; ++i) {
        if (target[i] < 0 || target[i] >= classes) {
            return kael_error(KAEL_ERROR_INDEX,
                              "targets[%" PRId64 "] must be a class from 0 to %" PRId64
                              ", got %" PRId64,
                              i, classes - 1, target[i]);
        }
    }
    return KAEL_OK;
}

static kael_status require_logits_and_targets(const kael_tensor *logits,
                                              const kael_tensor *targets) {
    const int64_t matrix[] = {KAEL_ANY_SIZE, KAEL_ANY_SIZE};
    KAEL_TRY(kael_nn_require_operand(logits, "logits"));
    KAEL_TRY(kael_tensor_require_shape(logits, "logits", 2, matrix));
    const int64_t *shape = kael_tensor_shape(logits);
    return require_targets(targets, shape[0], shape[1]);
}

typedef struct cross_entropy_job {
    const kael_nn_kernels *kernels;
    int64_t element_size;
    int64_t classes;
    const void *logits;
    const int64_t *targets;
    double row_gradient;
    void *out; /* losses, or the gradient */
} cross_entropy_job;

static kael_status loss_rows(int64_t first, int64_t last, void *context) {
    const cross_entropy_job *job = context;
    for (int64_t row = first; row < last; ++row) {
        job->kernels->cross_entropy(
            job->classes, kael_element_at(job->logits, row * job->classes, job->element_size),
            job->targets[row], kael_mutable_element_at(job->out, row, job->element_size));
    }
    return KAEL_OK;
}

static kael_status gradient_rows(int64_t first, int64_t last, void *context) {
    const cross_entropy_job *job = context;
    for (int64_t row = first; row < last; ++row) {
        const int64_t begin = row * job->classes;
        job->kernels->cross_entropy_backward(
            job->classes, kael_element_at(job->logits, begin, job->element_size), job->targets[row],
            job->row_gradient, kael_mutable_element_at(job->out, begin, job->element_size));
    }
    return KAEL_OK;
}

static kael_status run(kael_parallel_body *body, kael_tensor *out, double row_gradient,
                       const kael_tensor *logits, const kael_tensor *targets) {
    const kael_dtype dtype = kael_tensor_dtype(logits);
    const int64_t *shape = kael_tensor_shape(logits);
    cross_entropy_job job = {
        .element_size = kael_dtype_size(dtype),
        .classes = shape[1],
        .logits = kael_tensor_data(logits),
        .targets = kael_tensor_data(targets),
        .row_gradient = row_gradient,
        .out = kael_tensor_data(out),
    };
    KAEL_TRY(kael_nn_kernels_for(&job.kernels, dtype));
    return kael_parallel_for(0, shape[0], kael_grain_of(shape[1], KAEL_COST_EXPONENTIAL), body,
                             &job);
}

kael_status kael_cross_entropy_losses(kael_tensor **out, const kael_tensor *logits,
                                      const kael_tensor *targets) {
    KAEL_TRY(kael_nn_require_out(out));
    KAEL_TRY(require_logits_and_targets(logits, targets));
    kael_tensor *losses = NULL;
    KAEL_TRY(kael_tensor_empty(&losses, kael_tensor_dtype(logits), 1, kael_tensor_shape(logits)));
    KAEL_TRY(kael_nn_finish(out, losses, run(loss_rows, losses, 0, logits, targets)));
    return kael_cross_entropy_record(out, logits, targets);
}

kael_status kael_cross_entropy_backward_into(kael_tensor *gradient, double row_gradient,
                                             const kael_tensor *logits,
                                             const kael_tensor *targets) {
    KAEL_TRY(require_logits_and_targets(logits, targets));
    KAEL_TRY(kael_nn_require_like(gradient, "gradient", logits));
    KAEL_TRY(kael_nn_require_same_or_disjoint(gradient, "gradient", logits, "logits"));
    KAEL_TRY(kael_tensor_require_disjoint(gradient, "gradient", targets, "targets"));
    KAEL_TRY(kael_graph_begin_write(gradient, "gradient", 1, &logits));
    return run(gradient_rows, gradient, row_gradient, logits, targets);
}
