/* New tensors. */
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/copy.h"
#include "tensor/element.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

static kael_status create(kael_tensor **out, kael_dtype dtype, int64_t ndim, const int64_t *shape,
                          bool zeroed) {
    KAEL_TRY(kael_require_out(out));
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

/* Gives up a tensor whose elements could not be written. */
static kael_status keep_if_ok(kael_status status, kael_tensor **out) {
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

kael_status kael_tensor_full(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                             const int64_t *shape, double value) {
    KAEL_TRY(kael_require_out(out));
    static const unsigned char zero[KAEL_MAX_ELEMENT_SIZE];
    unsigned char element[KAEL_MAX_ELEMENT_SIZE] = {0};
    KAEL_TRY(kael_element_from_double(element, dtype, value));
    const bool zeroed = memcmp(element, zero, sizeof zero) == 0;
    KAEL_TRY(create(out, dtype, ndim, shape, zeroed));
    if (!zeroed) {
        return keep_if_ok(kael_fill_elements(*out, element), out);
    }
    return KAEL_OK;
}

/* Bytes of bool that are not 0 become 1. */
static kael_status copy_data(kael_tensor *out, const void *data) {
    const kael_dtype dtype = out->dtype == KAEL_BOOL ? KAEL_U8 : out->dtype;
    return kael_convert_array(out->dtype, out->data, dtype, data, out->numel);
}

kael_status kael_tensor_from_data(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                                  const int64_t *shape, const void *data) {
    KAEL_TRY(kael_require_out(out));
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, dtype, ndim, shape));
    if (data == NULL && numel > 0) {
        char text[KAEL_SHAPE_TEXT_SIZE];
        return kael_error(KAEL_ERROR_VALUE, "data must not be NULL for shape %s",
                          kael_shape_text(text, ndim, shape));
    }
    KAEL_TRY(kael_tensor_create(out, dtype, ndim, shape, numel, bytes, false));
    return keep_if_ok(copy_data(*out, data), out);
}
