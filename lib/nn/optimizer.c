/* Optimisers over lists of parameters. */
#include "kael/optim.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "kael/autograd.h"
#include "memory/block.h"
#include "nn/row_matrix.h"
#include "nn/rows.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

typedef struct parameter_state {
    kael_tensor *parameter;
    kael_tensor *first;  /* the velocity, or the mean gradient */
    kael_tensor *second; /* the mean square of Adam, else NULL */
} parameter_state;

struct kael_optimizer {
    kael_block block;
    kael_descent_step step;
    bool is_adam;
    double beta1_power; /* beta1^t, by multiplication */
    double beta2_power;
    int64_t count;
    parameter_state states[];
};

/* ---- Creation ---- */

static kael_status require_range(double value, double least, double end, const char *name,
                                 const char *rule) {
    return value >= least && value < end
               ? KAEL_OK
               : kael_error(KAEL_ERROR_VALUE, "%s must be %s, got %g", name, rule, value);
}

static kael_status require_rate(double learning_rate) {
    return require_range(learning_rate, 0, (double)INFINITY, "learning_rate",
                         "at least 0 and finite");
}

static kael_status require_decay(double weight_decay) {
    return require_range(weight_decay, 0, (double)INFINITY, "weight_decay",
                         "at least 0 and finite");
}

static kael_status require_parameter(kael_tensor *const *parameters, int64_t index) {
    const kael_tensor *parameter = parameters[index];
    if (parameter == NULL) {
        return kael_error(KAEL_ERROR_VALUE, "parameter %lld must not be NULL", (long long)index);
    }
    if (!kael_tensor_requires_grad(parameter) || !kael_tensor_is_leaf(parameter)) {
        return kael_error(KAEL_ERROR_STATE,
                          "parameter %lld must be a leaf that requires a gradient",
                          (long long)index);
    }
    for (int64_t i = 0; i < index; ++i) {
        if (parameters[i] == parameter || kael_tensor_may_share(parameters[i], parameter)) {
            return kael_error(KAEL_ERROR_VALUE, "parameters %lld and %lld share elements",
                              (long long)i, (long long)index);
        }
    }
    return kael_tensor_require_distinct_elements(parameter, "parameter");
}

/* Of Adam: 0 / 0 is NaN where eps is 0 in the dtype of the state. */
static kael_status require_eps(double eps, int64_t count, kael_tensor *const *parameters) {
    for (int64_t i = 0; i < count; ++i) {
        if (kael_row_dtype(parameters[i]->dtype) == KAEL_F32 && (float)eps == 0) {
            return kael_error(KAEL_ERROR_VALUE,
                              "eps must be positive in the f32 of parameter %lld, got %g",
                              (long long)i, eps);
        }
    }
    return KAEL_OK;
}

static kael_status create_state(parameter_state *state, kael_tensor *parameter, bool is_adam) {
    const kael_dtype dtype = kael_row_dtype(parameter->dtype);
    KAEL_TRY(kael_tensor_zeros(&state->first, dtype, parameter->ndim, parameter->sizes));
    if (is_adam) {
        KAEL_TRY(kael_tensor_zeros(&state->second, dtype, parameter->ndim, parameter->sizes));
    }
    state->parameter = kael_tensor_retain(parameter);
    return KAEL_OK;
}

static kael_status create(kael_optimizer **out, int64_t count, kael_tensor *const *parameters,
                          const kael_descent_step *step, bool is_adam) {
    if (count < 0 || count > INT32_MAX) {
        return kael_error(KAEL_ERROR_VALUE, "count must be between 0 and %d, got %lld", INT32_MAX,
                          (long long)count);
    }
    if (count > 0) {
        KAEL_TRY(kael_require_not_null(parameters, "parameters"));
    }
    for (int64_t i = 0; i < count; ++i) {
        KAEL_TRY(require_parameter(parameters, i));
    }
    if (is_adam) {
        KAEL_TRY(require_eps(step->eps, count, parameters));
    }
    kael_block block;
    KAEL_TRY(kael_block_allocate_zeroed(
        &block, (int64_t)(sizeof(kael_optimizer) + (size_t)count * sizeof(parameter_state))));
    kael_optimizer *optimizer = block.data;
    optimizer->block = block;
    optimizer->step = *step;
    optimizer->is_adam = is_adam;
    optimizer->beta1_power = optimizer->beta2_power = 1;
    optimizer->count = count;
    for (int64_t i = 0; i < count; ++i) {
        const kael_status status = create_state(&optimizer->states[i], parameters[i], is_adam);
        if (status != KAEL_OK) {
            kael_optimizer_release(optimizer);
            return status;
        }
    }
    *out = optimizer;
    return KAEL_OK;
}

kael_status kael_sgd_create(kael_optimizer **out, int64_t count, kael_tensor *const *parameters,
                            const kael_sgd_options *options) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(options, "options"));
    KAEL_TRY(require_rate(options->learning_rate));
    KAEL_TRY(require_range(options->momentum, 0, 1, "momentum", "at least 0 and below 1"));
    KAEL_TRY(require_decay(options->weight_decay));
    if (options->nesterov && options->momentum == 0) {
        return kael_error(KAEL_ERROR_VALUE, "nesterov needs a momentum, got 0");
    }
    const kael_descent_step step = {
        .learning_rate = options->learning_rate,
        .momentum = options->momentum,
        .weight_decay = options->weight_decay,
        .is_nesterov = options->nesterov,
    };
    return create(out, count, parameters, &step, false);
}

kael_status kael_adam_create(kael_optimizer **out, int64_t count, kael_tensor *const *parameters,
                             const kael_adam_options *options) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(options, "options"));
    KAEL_TRY(require_rate(options->learning_rate));
    KAEL_TRY(require_range(options->beta1, 0, 1, "beta1", "at least 0 and below 1"));
    KAEL_TRY(require_range(options->beta2, 0, 1, "beta2", "at least 0 and below 1"));
    KAEL_TRY(require_decay(options->weight_decay));
    if (!(options->eps > 0) || !isfinite(options->eps)) {
        return kael_error(KAEL_ERROR_VALUE, "eps must be positive and finite, got %g",
                          options->eps);
    }
    const kael_descent_step step = {
        .learning_rate = options->learning_rate,
        .weight_decay = options->weight_decay,
        .beta1 = options->beta1,
        .beta2 = options->beta2,
        .eps = options->eps,
        .is_decoupled = options->decoupled,
    };
    return create(out, count, parameters, &step, true);
}

void kael_optimizer_release(kael_optimizer *optimizer) {
    if (optimizer == NULL) {
        return;
    }
    for (int64_t i = 0; i < optimizer->count; ++i) {
        kael_tensor_release(optimizer->states[i].parameter);
        kael_tensor_release(optimizer->states[i].first);
        kael_tensor_release(optimizer->states[i].second);
    }
    kael_block block = optimizer->block;
    kael_block_release(&block);
}

/* ---- Steps ---- */

/* A parameter's elements as arrays; `gradient.view` is NULL where there is no gradient. */
typedef struct update {
    const kael_optimizer *optimizer;
    const parameter_state *state;
    const kael_nn_kernels *kernels;
    kael_row_matrix gradient;
    kael_row_matrix in;
    kael_row_matrix out;
} update;

static kael_status open_update(update *made, const kael_optimizer *optimizer, int64_t index) {
    const parameter_state *state = &optimizer->states[index];
    kael_tensor *parameter = state->parameter;
    kael_tensor *gradient;
    KAEL_TRY(kael_tensor_grad(&gradient, parameter));
    if (gradient == NULL) {
        return KAEL_OK;
    }
    made->optimizer = optimizer;
    made->state = state;
    const kael_status status =
        kael_row_matrix_open_last(&made->gradient, gradient, parameter->ndim);
    kael_tensor_release(gradient);
    KAEL_TRY(status);
    KAEL_TRY(kael_row_matrix_open_last(&made->in, parameter, parameter->ndim));
    KAEL_TRY(kael_row_matrix_open_last_out(&made->out, parameter, parameter->ndim, &made->in));
    return kael_nn_kernels_for(&made->kernels, made->out.dtype);
}

static void close_update(update *made) {
    kael_row_matrix_close(&made->out);
    kael_row_matrix_close(&made->in);
    kael_row_matrix_close(&made->gradient);
}

static kael_status update_range(int64_t first, int64_t last, void *context) {
    const update *job = context;
    const kael_descent_step *step = &job->optimizer->step;
    const int64_t size = job->out.element_size;
    const void *gradient = kael_element_at(job->gradient.data, first, size);
    void *parameter = kael_mutable_element_at(job->out.data, first, size);
    void *mean = kael_mutable_element_at(job->state->first->data, first, size);
    if (job->optimizer->is_adam) {
        void *square = kael_mutable_element_at(job->state->second->data, first, size);
        job->kernels->adam(last - first, step, gradient, mean, square, parameter);
    } else {
        job->kernels->sgd(last - first, step, gradient, mean, parameter);
    }
    return KAEL_OK;
}

static kael_status run_update(update *made) {
    if (made->gradient.view == NULL || made->state->parameter->numel == 0) {
        return KAEL_OK;
    }
    kael_storage_mark_written(made->state->parameter->storage);
    KAEL_TRY(kael_parallel_for(0, made->state->parameter->numel,
                               kael_grain_of(1, KAEL_COST_OPTIMIZER), update_range, made));
    return kael_row_matrix_commit(&made->out);
}

static void count_step(kael_optimizer *optimizer) {
    kael_descent_step *step = &optimizer->step;
    optimizer->beta1_power *= step->beta1;
    optimizer->beta2_power *= step->beta2;
    step->step_size = step->learning_rate / (1 - optimizer->beta1_power);
    step->second_factor = 1 / sqrt(1 - optimizer->beta2_power);
}

/* Everything is made ready before anything changes. */
static kael_status run_step(kael_optimizer *optimizer, update *updates) {
    for (int64_t i = 0; i < optimizer->count; ++i) {
        KAEL_TRY(open_update(&updates[i], optimizer, i));
    }
    count_step(optimizer);
    for (int64_t i = 0; i < optimizer->count; ++i) {
        KAEL_TRY(run_update(&updates[i]));
    }
    return KAEL_OK;
}

kael_status kael_optimizer_step(kael_optimizer *optimizer) {
    KAEL_TRY(kael_require_not_null(optimizer, "optimizer"));
    kael_block block;
    KAEL_TRY(kael_block_allocate_zeroed(&block, optimizer->count * (int64_t)sizeof(update)));
    update *updates = block.data;
    const kael_status status = run_step(optimizer, updates);
    for (int64_t i = 0; i < optimizer->count; ++i) {
        close_update(&updates[i]);
    }
    kael_block_release(&block);
    return status;
}

kael_status kael_optimizer_zero_grad(kael_optimizer *optimizer) {
    KAEL_TRY(kael_require_not_null(optimizer, "optimizer"));
    for (int64_t i = 0; i < optimizer->count; ++i) {
        KAEL_TRY(kael_tensor_zero_grad(optimizer->states[i].parameter));
    }
    return KAEL_OK;
}

kael_status kael_optimizer_set_learning_rate(kael_optimizer *optimizer, double learning_rate) {
    KAEL_TRY(kael_require_not_null(optimizer, "optimizer"));
    KAEL_TRY(require_rate(learning_rate));
    optimizer->step.learning_rate = learning_rate;
    return KAEL_OK;
}
