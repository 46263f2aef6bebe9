#include "tensor/result.h"

#include <stdbool.h>

#include "core/checked.h"
#include "core/error.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

/* The size of the dimension that is `from_end` dimensions before the last one. */
static int64_t size_from_end(const kael_tensor *tensor, int64_t from_end) {
    return from_end < tensor->ndim ? tensor->sizes[tensor->ndim - 1 - from_end] : 1;
}

static int64_t stride_from_end(const kael_tensor *tensor, int64_t from_end) {
    return size_from_end(tensor, from_end) == 1
               ? 0
               : kael_tensor_strides(tensor)[tensor->ndim - 1 - from_end];
}

static kael_status broadcast(kael_result_shape *shape, const kael_tensor *tensor) {
    const kael_result_shape before = *shape;
    const int64_t own_ndim = tensor->ndim;
    shape->ndim = kael_max_i64(before.ndim, own_ndim);
    for (int64_t i = 0; i < shape->ndim; ++i) {
        const int64_t own = size_from_end(tensor, i);
        const int64_t other = i < before.ndim ? before.sizes[before.ndim - 1 - i] : 1;
        if (own != other && own != 1 && other != 1) {
            char text[KAEL_SHAPE_TEXT_SIZE];
            char own_text[KAEL_SHAPE_TEXT_SIZE];
            return kael_error(KAEL_ERROR_SHAPE, "shapes %s and %s do not broadcast together",
                              kael_shape_text(text, before.ndim, before.sizes),
                              kael_shape_text(own_text, tensor->ndim, tensor->sizes));
        }
        shape->sizes[shape->ndim - 1 - i] = own == 1 ? other : own;
    }
    return KAEL_OK;
}

kael_status kael_broadcast_shapes(kael_result_shape *shape, int count,
                                  const kael_tensor *const *tensors) {
    shape->ndim = tensors[0]->ndim;
    for (int64_t i = 0; i < shape->ndim; ++i) {
        shape->sizes[i] = tensors[0]->sizes[i];
    }
    for (int i = 1; i < count; ++i) {
        KAEL_TRY(broadcast(shape, tensors[i]));
    }
    return KAEL_OK;
}

/* Whether dimension a should lie inside b: the first input that moves along both decides. */
static bool is_denser(int count, const kael_tensor *const *inputs, int64_t a, int64_t b) {
    for (int i = 0; i < count; ++i) {
        const int64_t stride_a = stride_from_end(inputs[i], a);
        const int64_t stride_b = stride_from_end(inputs[i], b);
        const int64_t magnitude_a = stride_a < 0 ? -stride_a : stride_a;
        const int64_t magnitude_b = stride_b < 0 ? -stride_b : stride_b;
        if (stride_a != 0 && stride_b != 0 && magnitude_a != magnitude_b) {
            return magnitude_a < magnitude_b;
        }
    }
    return false;
}

/* Row-major unless the inputs agree on another order. */
static void set_common_order(kael_tensor *out, int count, const kael_tensor *const *inputs) {
    int64_t order[KAEL_MAX_DIMS]; /* from the innermost to the outermost, counted from the end */
    for (int64_t i = 0; i < out->ndim; ++i) {
        int64_t place = i;
        for (; place > 0 && is_denser(count, inputs, i, order[place - 1]); --place) {
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
    int64_t *strides = out->sizes + out->ndim;
    int64_t stride = 1;
    for (int64_t i = 0; i < out->ndim; ++i) {
        const int64_t dim = out->ndim - 1 - order[i];
        strides[dim] = stride;
        stride *= out->sizes[dim];
    }
    out->is_contiguous = kael_shape_is_row_major(&out->numel, out->ndim, out->sizes, strides);
}

static bool are_contiguous(int count, const kael_tensor *const *inputs) {
    for (int i = 0; i < count; ++i) {
        if (!inputs[i]->is_contiguous) {
            return false;
        }
    }
    return true;
}

kael_status kael_result_create(kael_tensor **out, kael_dtype dtype, const kael_result_shape *shape,
                               int count, const kael_tensor *const *inputs) {
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, dtype, shape->ndim, shape->sizes));
    KAEL_TRY(kael_tensor_create(out, dtype, shape->ndim, shape->sizes, numel, bytes, false));
    if (numel > 0 && !are_contiguous(count, inputs)) {
        set_common_order(*out, count, inputs);
    }
    return KAEL_OK;
}
