#include "tensor/require.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "tensor/overlap.h"
#include "tensor/tensor.h"

kael_status kael_null_error(const char *name) {
    return kael_error(KAEL_ERROR_VALUE, "%s must not be NULL", name);
}

kael_status kael_tensor_require_dtype(const kael_tensor *tensor, const char *name,
                                      kael_dtype dtype) {
    return tensor->dtype == dtype
               ? KAEL_OK
               : kael_error(KAEL_ERROR_DTYPE, "%s must have dtype %s, got %s", name,
                            kael_dtype_name(dtype), kael_dtype_name(tensor->dtype));
}

kael_status kael_tensor_require_f32_or_f64(const kael_tensor *tensor, const char *name) {
    return tensor->dtype == KAEL_F32 || tensor->dtype == KAEL_F64
               ? KAEL_OK
               : kael_error(KAEL_ERROR_DTYPE, "%s must have dtype f32 or f64, got %s", name,
                            kael_dtype_name(tensor->dtype));
}

static bool has_shape(const kael_tensor *tensor, int64_t ndim, const int64_t *shape) {
    if (tensor->ndim != ndim) {
        return false;
    }
    for (int64_t i = 0; i < ndim; ++i) {
        if (shape[i] != KAEL_ANY_SIZE && shape[i] != tensor->sizes[i]) {
            return false;
        }
    }
    return true;
}

kael_status kael_tensor_require_shape(const kael_tensor *tensor, const char *name, int64_t ndim,
                                      const int64_t *shape) {
    if (has_shape(tensor, ndim, shape)) {
        return KAEL_OK;
    }
    char required[KAEL_SHAPE_TEXT_SIZE];
    char actual[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_SHAPE, "%s must have shape %s, got %s", name,
                      kael_shape_text(required, ndim, shape),
                      kael_shape_text(actual, tensor->ndim, tensor->sizes));
}

kael_status kael_tensor_require_dim(const kael_tensor *tensor, int64_t dim, int64_t *found) {
    *found = dim < 0 ? dim + tensor->ndim : dim;
    return *found >= 0 && *found < tensor->ndim
               ? KAEL_OK
               : kael_error(KAEL_ERROR_INDEX,
                            "dim %" PRId64 " is out of range for a tensor of %d dimensions", dim,
                            tensor->ndim);
}

kael_status kael_tensor_require_index(const kael_tensor *tensor, int64_t dim, int64_t index,
                                      int64_t *position) {
    const int64_t size = tensor->sizes[dim];
    *position = index < 0 ? index + size : index;
    return *position >= 0 && *position < size
               ? KAEL_OK
               : kael_error(KAEL_ERROR_INDEX,
                            "index %" PRId64 " is out of range for dim %" PRId64
                            " of size %" PRId64,
                            index, dim, size);
}

kael_status kael_tensor_require_contiguous(const kael_tensor *tensor, const char *name) {
    if (tensor->is_contiguous) {
        return KAEL_OK;
    }
    char strides[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_UNSUPPORTED, "%s must be contiguous, got strides %s", name,
                      kael_shape_text(strides, tensor->ndim, kael_tensor_strides(tensor)));
}

kael_status kael_tensor_require(const kael_tensor *tensor, const char *name, kael_dtype dtype,
                                int64_t ndim, const int64_t *shape) {
    KAEL_TRY(kael_require_not_null(tensor, name));
    KAEL_TRY(kael_tensor_require_dtype(tensor, name, dtype));
    KAEL_TRY(kael_tensor_require_shape(tensor, name, ndim, shape));
    return kael_tensor_require_contiguous(tensor, name);
}

kael_status kael_tensor_require_disjoint(const kael_tensor *tensor, const char *name,
                                         const kael_tensor *other, const char *other_name) {
    return kael_tensor_may_share(tensor, other)
               ? kael_error(KAEL_ERROR_VALUE, "%s must not overlap %s", name, other_name)
               : KAEL_OK;
}
