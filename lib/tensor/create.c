/* New tensors. */
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/element.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

static kael_status require_out(kael_tensor **out) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    return KAEL_OK;
}

static kael_status create(kael_tensor **out, kael_dtype dtype, int64_t ndim, const int64_t *shape,
                          bool zeroed) {
    KAEL_TRY(require_out(out));
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, dtype, ndim, shape));
    return kael_tensor_create(out, dtype, ndim, shape, numel, bytes, zeroed);
}

kael_status kael_tensor_empty(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                              const int64_t *shape) {
    return create(out, dtype, ndim, shape, false);
}

kael_status kael_tensor_zeros(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                              const int64_t *shape) {
    return create(out, dtype, ndim, shape, true);
}

kael_status kael_tensor_ones(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                             const int64_t *shape) {
    return kael_tensor_full(out, dtype, ndim, shape, 1.0);
}

static void fill(void *data, int64_t numel, const void *element, int64_t element_size) {
#define FILL_CASE(size, type)                                                                      \
    case size: {                                                                                   \
        type value;                                                                                \
        memcpy(&value, element, sizeof value);                                                     \
        type *elements = data;                                                                     \
        for (int64_t i = 0; i < numel; ++i) {                                                      \
            elements[i] = value;                                                                   \
        }                                                                                          \
        break;                                                                                     \
    }
    switch (element_size) {
        FILL_CASE(1, uint8_t)
        FILL_CASE(2, uint16_t)
        FILL_CASE(4, uint32_t)
        FILL_CASE(8, uint64_t)
    }
#undef FILL_CASE
}

kael_status kael_tensor_full(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                             const int64_t *shape, double value) {
    KAEL_TRY(require_out(out));
    static const unsigned char zero[KAEL_MAX_ELEMENT_SIZE];
    unsigned char element[KAEL_MAX_ELEMENT_SIZE] = {0};
    KAEL_TRY(kael_element_from_double(element, dtype, value));
    const bool zeroed = memcmp(element, zero, sizeof zero) == 0;
    KAEL_TRY(create(out, dtype, ndim, shape, zeroed));
    if (!zeroed) {
        fill((*out)->data, (*out)->numel, element, kael_dtype_size(dtype));
    }
    return KAEL_OK;
}

/* The bytes of bool elements become 0 or 1. */
static void copy_elements(kael_tensor *out, const void *data) {
    if (out->dtype == KAEL_BOOL) {
        const uint8_t *bytes = data;
        uint8_t *elements = out->data;
        for (int64_t i = 0; i < out->numel; ++i) {
            elements[i] = bytes[i] != 0;
        }
    } else {
        memcpy(out->data, data, (size_t)(out->numel * kael_dtype_size(out->dtype)));
    }
}

kael_status kael_tensor_from_data(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                                  const int64_t *shape, const void *data) {
    KAEL_TRY(require_out(out));
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, dtype, ndim, shape));
    if (data == NULL && numel > 0) {
        char text[KAEL_SHAPE_TEXT_SIZE];
        return kael_error(KAEL_ERROR_VALUE, "data must not be NULL for shape %s",
                          kael_shape_text(text, ndim, shape));
    }
    KAEL_TRY(kael_tensor_create(out, dtype, ndim, shape, numel, bytes, false));
    if (numel > 0) {
        copy_elements(*out, data);
    }
    return KAEL_OK;
}
