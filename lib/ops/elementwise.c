#include "ops/elementwise.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "kael/ops.h"
#include "ops/direct.h"
#include "ops/elementwise_gradient.h"
#include "ops/execute.h"
#include "ops/input_check.h"
#include "tensor/copy.h"
#include "tensor/graph.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/result.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

static const char *name_of_input(const kael_operation *operation, int input) {
    if (operation->inputs == 1) {
        return "x";
    }
    return input == 0 ? "a" : input == 1 ? "b" : "c";
}

static kael_status require_inputs(const kael_operation *operation,
                                  const kael_tensor *const *inputs) {
    for (int i = 0; i < operation->inputs; ++i) {
        if (inputs[i] == NULL) {
            return kael_require_not_null(NULL, name_of_input(operation, i));
        }
    }
    return KAEL_OK;
}

static kael_status make_plan(kael_plan *plan, const kael_operation *operation,
                             const kael_tensor *const *inputs) {
    kael_dtype dtypes[KAEL_MAX_INPUTS] = {KAEL_BOOL};
    for (int i = 0; i < operation->inputs; ++i) {
        dtypes[i] = inputs[i]->dtype;
    }
    return kael_operation_plan(plan, operation, dtypes);
}

/* Inputs of no effect, because the result is empty, may hold anything. */
static kael_status check_inputs(const kael_plan *plan, const kael_operation *operation,
                                const kael_tensor *out, const kael_tensor *const *inputs) {
    return plan->check == KAEL_CHECK_NOTHING || out->numel == 0
               ? KAEL_OK
               : kael_check_input(plan->check, operation->name, inputs[operation->inputs - 1]);
}

static kael_status compute(const kael_plan *plan, const kael_operation *operation, kael_tensor *out,
                           const kael_tensor *const *inputs) {
    if (plan->kernel != NULL) {
        return kael_execute(plan, operation->inputs, out, inputs);
    }
    /* Every operation has an input, which the analyzer cannot know.
     * NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
    return kael_copy_elements(out, inputs[0]);
}

static kael_status compute_directly(kael_tensor **out, const kael_direct *direct,
                                    const kael_operation *operation,
                                    const kael_tensor *const *inputs) {
    const kael_tensor *like = inputs[0];
    const int64_t bytes = like->numel * kael_dtype_size(direct->result);
    KAEL_TRY(kael_tensor_create(out, direct->result, like->ndim, like->sizes, like->numel, bytes,
                                false));
    kael_direct_run(direct, operation->inputs, *out, inputs);
    return KAEL_OK;
}

static kael_status make_result(kael_tensor **out, const kael_operation *operation,
                               const kael_tensor *const *inputs) {
    kael_direct direct;
    if (kael_direct_find(&direct, operation, inputs)) {
        return compute_directly(out, &direct, operation, inputs);
    }
    KAEL_TRY(require_inputs(operation, inputs));
    kael_plan plan;
    KAEL_TRY(make_plan(&plan, operation, inputs));
    kael_result_shape shape;
    KAEL_TRY(kael_broadcast_shapes(&shape, operation->inputs, inputs));
    kael_tensor *result;
    KAEL_TRY(kael_result_create(&result, plan.result, &shape, operation->inputs, inputs));
    kael_status status = check_inputs(&plan, operation, result, inputs);
    if (status == KAEL_OK) {
        status = compute(&plan, operation, result, inputs);
    }
    if (status != KAEL_OK) {
        kael_tensor_release(result);
        return status;
    }
    *out = result;
    return KAEL_OK;
}

kael_status kael_elementwise(kael_tensor **out, const kael_operation *operation,
                             const kael_tensor *const *inputs) {
    if (out == NULL) {
        return kael_require_not_null(out, "out");
    }
    *out = NULL;
    KAEL_TRY(make_result(out, operation, inputs));
    if (!kael_graph_wants(operation->inputs, inputs)) {
        return KAEL_OK;
    }
    const kael_status status = kael_elementwise_record(*out, operation, inputs);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

/* bool, unsigned, signed, floating point: results may be converted upwards and within. */
static int kind_of(kael_dtype dtype) {
    if (dtype == KAEL_BOOL) {
        return 0;
    }
    if (dtype >= KAEL_F16) {
        return 3;
    }
    return dtype >= KAEL_U8 ? 1 : 2;
}

static kael_status require_fitting_dtype(const kael_operation *operation, const kael_tensor *out,
                                         kael_dtype result) {
    return kind_of(out->dtype) >= kind_of(result)
               ? KAEL_OK
               : kael_error(KAEL_ERROR_DTYPE, "out has dtype %s, which cannot take the %s of %s",
                            kael_dtype_name(out->dtype), kael_dtype_name(result), operation->name);
}

/* The inputs, or copies of those that share memory with `out` otherwise than element for element.
 */
typedef struct safe_inputs {
    const kael_tensor *tensors[KAEL_MAX_INPUTS];
    kael_tensor *copies[KAEL_MAX_INPUTS];
} safe_inputs;

static kael_status copy_input(kael_tensor **copy, const kael_tensor *input) {
    kael_result_shape shape;
    KAEL_TRY(kael_broadcast_shapes(&shape, 1, &input));
    KAEL_TRY(kael_result_create(copy, input->dtype, &shape, 1, &input));
    return kael_copy_elements(*copy, input);
}

static kael_status make_safe(safe_inputs *safe, int count, const kael_tensor *const *inputs,
                             const kael_tensor *out) {
    for (int i = 0; i < count; ++i) {
        safe->tensors[i] = inputs[i];
        safe->copies[i] = NULL;
    }
    for (int i = 0; i < count; ++i) {
        if (kael_tensor_may_share(inputs[i], out) && !kael_tensor_is_same(inputs[i], out)) {
            KAEL_TRY(copy_input(&safe->copies[i], inputs[i]));
            safe->tensors[i] = safe->copies[i];
        }
    }
    return KAEL_OK;
}

static void release_safe(safe_inputs *safe, int count) {
    for (int i = 0; i < count; ++i) {
        kael_tensor_release(safe->copies[i]);
    }
}

/* A result of 16 bits is rounded to them before it is converted to another dtype. */
static kael_status compute_converted(const kael_plan *plan, const kael_operation *operation,
                                     kael_tensor *out, const kael_tensor *const *inputs) {
    kael_result_shape shape;
    const kael_tensor *like = out;
    kael_tensor *result;
    KAEL_TRY(kael_broadcast_shapes(&shape, 1, &like));
    KAEL_TRY(kael_result_create(&result, plan->result, &shape, 1, &like));
    kael_status status = compute(plan, operation, result, inputs);
    if (status == KAEL_OK) {
        status = kael_copy_elements(out, result);
    }
    kael_tensor_release(result);
    return status;
}

/* Whether the output has just the dtype and the layout of the result and shares nothing with the
 * inputs, or is one of them. */
static bool takes_directly(const kael_tensor *out, kael_dtype result, int count,
                           const kael_tensor *const *inputs) {
    if (out->dtype != result || out->ndim != inputs[0]->ndim || !out->is_contiguous ||
        out->numel == 0) {
        return false;
    }
    for (int64_t i = 0; i < out->ndim; ++i) {
        if (out->sizes[i] != inputs[0]->sizes[i]) {
            return false;
        }
    }
    const char *first = out->data;
    const char *end = first + out->numel * kael_dtype_size(result);
    for (int i = 0; i < count; ++i) {
        const char *input = inputs[i]->data;
        const char *input_end = input + inputs[i]->numel * kael_dtype_size(inputs[i]->dtype);
        if (out != inputs[i] && input < end && first < input_end) {
            return false;
        }
    }
    return true;
}

kael_status kael_elementwise_into(kael_tensor *out, const kael_operation *operation,
                                  const kael_tensor *const *inputs) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    kael_direct direct;
    if (kael_direct_find(&direct, operation, inputs) &&
        takes_directly(out, direct.result, operation->inputs, inputs)) {
        KAEL_TRY(kael_graph_begin_write(out, "out", operation->inputs, inputs));
        kael_direct_run(&direct, operation->inputs, out, inputs);
        return KAEL_OK;
    }
    KAEL_TRY(require_inputs(operation, inputs));
    kael_plan plan;
    KAEL_TRY(make_plan(&plan, operation, inputs));
    KAEL_TRY(require_fitting_dtype(operation, out, plan.result));
    kael_result_shape shape;
    KAEL_TRY(kael_broadcast_shapes(&shape, operation->inputs, inputs));
    KAEL_TRY(kael_tensor_require_shape(out, "out", shape.ndim, shape.sizes));
    KAEL_TRY(kael_tensor_require_distinct_elements(out, "out"));
    KAEL_TRY(check_inputs(&plan, operation, out, inputs));
    KAEL_TRY(kael_graph_begin_write(out, "out", operation->inputs, inputs));
    safe_inputs safe;
    kael_status status = make_safe(&safe, operation->inputs, inputs, out);
    if (status == KAEL_OK) {
        const bool converts_twice = plan.result != plan.dtypes[0] && plan.result != out->dtype;
        status =
            (converts_twice ? compute_converted : compute)(&plan, operation, out, safe.tensors);
    }
    release_safe(&safe, operation->inputs);
    return status;
}

kael_status kael_copy_into(kael_tensor *out, const kael_tensor *x) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    KAEL_TRY(kael_require_not_null(x, "x"));
    const kael_tensor *const both[] = {out, x};
    kael_result_shape shape;
    KAEL_TRY(kael_broadcast_shapes(&shape, 2, both));
    KAEL_TRY(kael_tensor_require_shape(out, "out", shape.ndim, shape.sizes));
    KAEL_TRY(kael_tensor_require_distinct_elements(out, "out"));
    KAEL_TRY(kael_graph_begin_write(out, "out", 1, &x));
    safe_inputs safe;
    kael_status status = make_safe(&safe, 1, &x, out);
    if (status == KAEL_OK) {
        status = kael_copy_elements(out, safe.tensors[0]);
    }
    release_safe(&safe, 1);
    return status;
}
