#include "kael/compare.h"

#include <math.h>
#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kernels/compare.h"
#include "tensor/iterator.h"
#include "tensor/require.h"
#include "tensor/result.h"
#include "tensor/tensor.h"

static kael_status compare_kernels(const kael_compare_kernels **kernels) {
    const kael_kernels *in_use;
    KAEL_TRY(kael_kernels_in_use(&in_use));
    *kernels = in_use->compare;
    return KAEL_OK;
}

/* The first operand plays the output's part, but is not written. */
static kael_status run(const kael_tensor *a, const kael_tensor *b, kael_loop_kernel *kernel,
                       const kael_compare_parameters *parameters) {
    kael_iterator iterator;
    kael_iterator_init(&iterator, 2, (const kael_tensor *const[]){a, b});
    return kael_iterator_run_strided(&iterator, KAEL_ELEMENT_GRAIN, kernel, parameters);
}

static bool same_type(const kael_tensor *a, const kael_tensor *b) {
    if (a->dtype != b->dtype || a->ndim != b->ndim) {
        return false;
    }
    for (int i = 0; i < a->ndim; ++i) {
        if (a->sizes[i] != b->sizes[i]) {
            return false;
        }
    }
    return true;
}

kael_status kael_equal(bool *result, const kael_tensor *a, const kael_tensor *b) {
    KAEL_TRY(kael_require_not_null(result, "result"));
    KAEL_TRY(kael_require_not_null(a, "a"));
    KAEL_TRY(kael_require_not_null(b, "b"));
    bool differ = !same_type(a, b);
    if (!differ) {
        const kael_compare_kernels *kernels;
        KAEL_TRY(compare_kernels(&kernels));
        const kael_compare_parameters parameters = {.found = &differ};
        KAEL_TRY(run(a, b, kernels->differ[a->dtype], &parameters));
    }
    *result = !differ;
    return KAEL_OK;
}

static kael_status require_tolerance(double tolerance, const char *name) {
    return tolerance >= 0
               ? KAEL_OK
               : kael_error(KAEL_ERROR_VALUE, "%s must be at least 0, got %g", name, tolerance);
}

/* Both tensors in one dtype that the kernels take, the first one in the common shape. */
typedef struct close_operands {
    kael_tensor *a;
    kael_tensor *b;
} close_operands;

static kael_status prepare(close_operands *operands, const kael_tensor *a, const kael_tensor *b) {
    *operands = (close_operands){NULL, NULL};
    kael_result_shape shape;
    KAEL_TRY(kael_broadcast_shapes(&shape, 2, (const kael_tensor *const[]){a, b}));
    const kael_dtype dtype = a->dtype == KAEL_F32 && b->dtype == KAEL_F32 ? KAEL_F32 : KAEL_F64;
    kael_tensor *converted;
    KAEL_TRY(kael_tensor_to_dtype(&converted, a, dtype));
    const kael_status status =
        kael_tensor_broadcast_to(&operands->a, converted, shape.ndim, shape.sizes);
    kael_tensor_release(converted);
    KAEL_TRY(status);
    return kael_tensor_to_dtype(&operands->b, b, dtype);
}

static void release(const close_operands *operands) {
    kael_tensor_release(operands->a);
    kael_tensor_release(operands->b);
}

kael_status kael_allclose(bool *result, const kael_tensor *a, const kael_tensor *b, double rtol,
                          double atol, bool equal_nan) {
    KAEL_TRY(kael_require_not_null(result, "result"));
    KAEL_TRY(kael_require_not_null(a, "a"));
    KAEL_TRY(kael_require_not_null(b, "b"));
    KAEL_TRY(require_tolerance(rtol, "rtol"));
    KAEL_TRY(require_tolerance(atol, "atol"));
    const kael_compare_kernels *kernels;
    KAEL_TRY(compare_kernels(&kernels));
    close_operands operands;
    kael_status status = prepare(&operands, a, b);
    bool far = false;
    if (status == KAEL_OK) {
        const kael_compare_parameters parameters = {&far, rtol, atol, equal_nan};
        status =
            run(operands.a, operands.b,
                operands.a->dtype == KAEL_F32 ? kernels->far_f32 : kernels->far_f64, &parameters);
    }
    release(&operands);
    KAEL_TRY(status);
    *result = !far;
    return KAEL_OK;
}
