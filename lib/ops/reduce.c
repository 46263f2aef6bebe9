/* The public reductions. */
#include "kael/reduce.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "ops/reduce_gradient.h"
#include "ops/reduce_operations.h"
#include "ops/reduce_plan.h"
#include "ops/reduction.h"
#include "tensor/copy.h"
#include "tensor/element.h"
#include "tensor/graph.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

/* A call's arguments but for the output. */
typedef struct reduce_call {
    const kael_reduce_operation *operation;
    const kael_tensor *tensor;
    int64_t ndims;
    const int64_t *dims;
    bool keepdim;
    double correction;
    /* what follows from them */
    kael_reduced_dims reduced;
    kael_reduction reduction;
} reduce_call;

static int64_t count_elements(const kael_tensor *tensor, const kael_reduced_dims *reduced) {
    int64_t count = 1;
    for (int64_t d = 0; d < tensor->ndim; ++d) {
        count *= reduced->is_reduced[d] ? tensor->sizes[d] : 1;
    }
    return count;
}

static kael_status require_an_element(const reduce_call *call) {
    const int64_t outputs = kael_shape_numel(call->reduced.ndim, call->reduced.shape);
    if (!call->operation->needs_an_element || call->tensor->numel > 0 || outputs == 0) {
        return KAEL_OK;
    }
    char text[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_VALUE,
                      "tensor must have elements along the reduced dimensions for %s, got shape %s",
                      call->operation->name,
                      kael_shape_text(text, call->tensor->ndim, call->tensor->sizes));
}

/* Validates the arguments and fills in what follows from them. */
static kael_status resolve(reduce_call *call) {
    KAEL_TRY(kael_require_not_null(call->tensor, "tensor"));
    KAEL_TRY(kael_reduced_dims_init(&call->reduced, call->tensor, call->ndims, call->dims,
                                    call->keepdim));
    if (!isfinite(call->correction)) {
        return kael_error(KAEL_ERROR_VALUE, "correction must be finite, got %g", call->correction);
    }
    KAEL_TRY(require_an_element(call));
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const int64_t count =
        call->tensor->numel == 0 ? 0 : count_elements(call->tensor, &call->reduced);
    call->operation->define(&call->reduction, kernels->reduce, call->tensor->dtype, count);
    call->reduction.correction = call->correction;
    return KAEL_OK;
}

/* Writes the result to a tensor that shares no memory with the input. */
static kael_status run(const reduce_call *call, kael_tensor *out) {
    if (out->numel == 0) {
        return KAEL_OK;
    }
    if (call->tensor->numel == 0) {
        char element[KAEL_MAX_ELEMENT_SIZE];
        KAEL_TRY(kael_element_from_double(element, out->dtype, call->operation->of_nothing));
        return kael_fill_elements(out, element);
    }
    kael_reduce_plan plan;
    kael_reduce_plan_init(&plan, out, call->tensor, &call->reduced);
    return kael_reduction_run(&call->reduction, &plan, out, call->tensor);
}

static kael_status reduce_resolved(kael_tensor **out, const reduce_call *resolved) {
    const reduce_call call = *resolved;
    kael_tensor *result;
    KAEL_TRY(kael_tensor_empty(&result, call.reduction.out_dtype, call.reduced.ndim,
                               call.reduced.shape));
    const kael_status status = run(&call, result);
    if (status != KAEL_OK) {
        kael_tensor_release(result);
        return status;
    }
    *out = result;
    return KAEL_OK;
}

/* The reduction that keeps its dimensions is recorded, then the view without them. */
static kael_status reduce_recorded(kael_tensor **out, reduce_call *call) {
    const kael_reduced_dims wanted = call->reduced;
    call->keepdim = true;
    KAEL_TRY(resolve(call));
    kael_tensor *kept;
    KAEL_TRY(reduce_resolved(&kept, call));
    kael_status status =
        kael_reduce_record(kept, call->operation, call->tensor, &call->reduced, call->correction);
    if (status == KAEL_OK && wanted.ndim != kept->ndim) {
        status = kael_tensor_reshape(out, kept, wanted.ndim, wanted.shape);
    } else if (status == KAEL_OK) {
        *out = kael_tensor_retain(kept);
    }
    kael_tensor_release(kept);
    return status;
}

static kael_status reduce(kael_tensor **out, reduce_call call) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(resolve(&call));
    return kael_graph_wants(1, &call.tensor) ? reduce_recorded(out, &call)
                                             : reduce_resolved(out, &call);
}

static kael_status reduce_into(kael_tensor *out, reduce_call call) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    KAEL_TRY(resolve(&call));
    KAEL_TRY(kael_tensor_require_dtype(out, "out", call.reduction.out_dtype));
    KAEL_TRY(kael_tensor_require_shape(out, "out", call.reduced.ndim, call.reduced.shape));
    KAEL_TRY(kael_tensor_require_distinct_elements(out, "out"));
    KAEL_TRY(kael_graph_begin_write(out, "out", 1, &call.tensor));
    if (!kael_tensor_may_share(out, call.tensor)) {
        return run(&call, out);
    }
    kael_tensor *result;
    KAEL_TRY(reduce_resolved(&result, &call));
    const kael_status status = kael_copy_elements(out, result);
    kael_tensor_release(result);
    return status;
}

#define DEFINE_REDUCTION(name)                                                                     \
    kael_status kael_##name(kael_tensor **out, const kael_tensor *tensor, int64_t ndims,           \
                            const int64_t *dims, bool keepdim) {                                   \
        return reduce(out, (reduce_call){.operation = &kael_reduce_##name,                         \
                                         .tensor = tensor,                                         \
                                         .ndims = ndims,                                           \
                                         .dims = dims,                                             \
                                         .keepdim = keepdim});                                     \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *tensor, int64_t ndims,     \
                                   const int64_t *dims, bool keepdim) {                            \
        return reduce_into(out, (reduce_call){.operation = &kael_reduce_##name,                    \
                                              .tensor = tensor,                                    \
                                              .ndims = ndims,                                      \
                                              .dims = dims,                                        \
                                              .keepdim = keepdim});                                \
    }

#define DEFINE_VARIANCE(name)                                                                      \
    kael_status kael_##name(kael_tensor **out, const kael_tensor *tensor, int64_t ndims,           \
                            const int64_t *dims, bool keepdim, double correction) {                \
        return reduce(out, (reduce_call){.operation = &kael_reduce_##name,                         \
                                         .tensor = tensor,                                         \
                                         .ndims = ndims,                                           \
                                         .dims = dims,                                             \
                                         .keepdim = keepdim,                                       \
                                         .correction = correction});                               \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *tensor, int64_t ndims,     \
                                   const int64_t *dims, bool keepdim, double correction) {         \
        return reduce_into(out, (reduce_call){.operation = &kael_reduce_##name,                    \
                                              .tensor = tensor,                                    \
                                              .ndims = ndims,                                      \
                                              .dims = dims,                                        \
                                              .keepdim = keepdim,                                  \
                                              .correction = correction});                          \
    }

#define DEFINE_ARG(name)                                                                           \
    kael_status kael_##name(kael_tensor **out, const kael_tensor *tensor, int64_t dim,             \
                            bool keepdim) {                                                        \
        return reduce(out, arg_call(&kael_reduce_##name, tensor, &dim, keepdim));                  \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim,       \
                                   bool keepdim) {                                                 \
        return reduce_into(out, arg_call(&kael_reduce_##name, tensor, &dim, keepdim));             \
    }

static reduce_call arg_call(const kael_reduce_operation *operation, const kael_tensor *tensor,
                            const int64_t *dim, bool keepdim) {
    const bool all = *dim == KAEL_ALL_DIMS;
    return (reduce_call){.operation = operation,
                         .tensor = tensor,
                         .ndims = all ? 0 : 1,
                         .dims = all ? NULL : dim,
                         .keepdim = keepdim};
}

DEFINE_REDUCTION(sum)
DEFINE_REDUCTION(prod)
DEFINE_REDUCTION(mean)
DEFINE_VARIANCE(var)
DEFINE_VARIANCE(std)
DEFINE_REDUCTION(norm)
DEFINE_REDUCTION(logsumexp)
DEFINE_REDUCTION(max)
DEFINE_REDUCTION(min)
DEFINE_ARG(argmax)
DEFINE_ARG(argmin)
DEFINE_REDUCTION(any)
DEFINE_REDUCTION(all)
DEFINE_REDUCTION(count_nonzero)
