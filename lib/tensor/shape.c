#include "tensor/shape.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/checked.h"
#include "core/error.h"
#include "tensor/element.h"

const char *kael_shape_text(char text[KAEL_SHAPE_TEXT_SIZE], int64_t ndim, const int64_t *shape) {
    char *end = text;
    *end++ = '(';
    for (int64_t i = 0; i < ndim; ++i) {
        const char *separator = i == 0 ? "" : ", ";
        const size_t room = (size_t)(text + KAEL_SHAPE_TEXT_SIZE - end);
        end += shape[i] == KAEL_ANY_SIZE ? snprintf(end, room, "%s*", separator)
                                         : snprintf(end, room, "%s%" PRId64, separator, shape[i]);
    }
    *end++ = ')';
    *end = '\0';
    return text;
}

kael_status kael_shape_check_ndim(int64_t ndim, const int64_t *shape) {
    if (ndim < 0 || ndim > KAEL_MAX_DIMS) {
        return kael_error(KAEL_ERROR_SHAPE, "ndim must be between 0 and %d, got %" PRId64,
                          KAEL_MAX_DIMS, ndim);
    }
    if (shape == NULL && ndim > 0) {
        return kael_error(KAEL_ERROR_VALUE, "shape must not be NULL when ndim is %" PRId64, ndim);
    }
    return KAEL_OK;
}

static kael_status size_error(int64_t ndim, const int64_t *shape) {
    int64_t i = 0;
    while (i < ndim && shape[i] >= 0) {
        ++i;
    }
    return kael_error(KAEL_ERROR_SHAPE,
                      "sizes must not be negative, got %" PRId64 " in dimension %" PRId64, shape[i],
                      i);
}

static kael_status count_error(kael_dtype dtype, int64_t ndim, const int64_t *shape) {
    char text[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_SHAPE, "the bytes of shape %s and dtype %s do not fit in 63 bits",
                      kael_shape_text(text, ndim, shape), kael_dtype_name(dtype));
}

kael_status kael_shape_measure(int64_t *numel, int64_t *bytes, kael_dtype dtype, int64_t ndim,
                               const int64_t *shape) {
    const int64_t element_size = kael_dtype_size(dtype);
    if (element_size == 0) {
        return kael_error(KAEL_ERROR_DTYPE, "%d is not a dtype", (int)dtype);
    }
    KAEL_TRY(kael_shape_check_ndim(ndim, shape));
    int64_t product = element_size;
    int64_t signs = 0; /* negative if any size is */
    bool fits = true;
    bool empty = false;
    for (int64_t i = 0; i < ndim; ++i) {
        signs |= shape[i];
        empty |= shape[i] == 0;
        fits &= kael_checked_multiply(product, shape[i], &product);
    }
    if (signs < 0) {
        return size_error(ndim, shape);
    }
    if (!fits && !empty) {
        return count_error(dtype, ndim, shape);
    }
    *bytes = empty ? 0 : product;
    *numel = kael_shape_numel(ndim, shape);
    return KAEL_OK;
}

int64_t kael_shape_numel(int64_t ndim, const int64_t *shape) {
    uint64_t numel = 1; /* what overflows before a size of zero does not matter */
    for (int64_t i = 0; i < ndim; ++i) {
        numel *= (uint64_t)shape[i];
    }
    return (int64_t)numel;
}

static bool is_empty(int64_t ndim, const int64_t *shape) {
    return kael_shape_numel(ndim, shape) == 0;
}

void kael_shape_row_major_strides(int64_t *strides, int64_t ndim, const int64_t *shape) {
    int64_t stride = 1;
    for (int64_t i = ndim - 1; i >= 0; --i) {
        strides[i] = stride;
        if (!kael_checked_multiply(stride, shape[i], &stride)) {
            stride = 0;
        }
    }
    const bool has_elements = stride != 0;
    for (int64_t i = 0; !has_elements && i < ndim; ++i) {
        if (strides[i] > INT64_MAX / KAEL_MAX_ELEMENT_SIZE) {
            strides[i] = 0;
        }
    }
}

/* In bytes, how far a dimension reaches from its first index; false on overflow, also of the bytes
 * of its stride. */
static bool measure_reach(int64_t *reach, int64_t size, int64_t stride, int64_t element_size) {
    int64_t stride_bytes;
    *reach = 0;
    return kael_checked_multiply(stride, element_size, &stride_bytes) &&
           (size <= 1 || kael_checked_multiply(size - 1, stride_bytes, reach));
}

bool kael_shape_extent(int64_t *lowest, int64_t *end, int64_t element_size, int64_t ndim,
                       const int64_t *shape, const int64_t *strides) {
    const bool empty = is_empty(ndim, shape);
    *lowest = 0;
    *end = empty ? 0 : element_size;
    for (int64_t i = 0; i < ndim; ++i) {
        int64_t reach;
        if (!measure_reach(&reach, empty ? 0 : shape[i], strides[i], element_size)) {
            return false;
        }
        int64_t *side = reach < 0 ? lowest : end;
        if (!kael_checked_add(*side, reach, side)) {
            return false;
        }
    }
    int64_t bytes;
    return kael_checked_subtract(*end, *lowest, &bytes);
}
