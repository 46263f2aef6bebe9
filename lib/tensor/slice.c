/* Views of some of the indices of one dimension. */
#include <inttypes.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

/* Keeps `length` indices of a dimension, from `start` on. Without elements nothing is moved: the
 * strides may then be anything, and their multiples overflow. */
static void take(kael_layout *layout, const kael_tensor *tensor, int64_t dim, int64_t start,
                 int64_t length) {
    layout->shape[dim] = length;
    if (tensor->numel > 0 && length > 0) {
        layout->offset += start * layout->strides[dim];
    }
}

kael_status kael_tensor_narrow(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                               int64_t start, int64_t length) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &dim));
    const int64_t size = layout.shape[dim];
    if (start < 0 || length < 0 || start > size || length > size - start) {
        return kael_error(KAEL_ERROR_INDEX,
                          "start %" PRId64 " and length %" PRId64
                          " are out of range for dim %" PRId64 " of size %" PRId64,
                          start, length, dim, size);
    }
    take(&layout, tensor, dim, start, length);
    const kael_view_slice taken = {dim, start, start + length, 1};
    const kael_view_gradient gradient = kael_gradient_of_slice(&taken);
    return kael_view_finish(out, tensor, &layout, &gradient);
}

static kael_status check_positions(int64_t dim, int64_t size, int64_t start, int64_t stop,
                                   int64_t step) {
    if (step == 0) {
        return kael_error(KAEL_ERROR_VALUE, "step must not be 0");
    }
    const int64_t lowest = step > 0 ? 0 : -1;
    const int64_t highest = lowest + size;
    if (start < lowest || start > highest || stop < lowest || stop > highest) {
        return kael_error(KAEL_ERROR_INDEX,
                          "start and stop must be between %" PRId64 " and %" PRId64
                          " for step %" PRId64 " and dim %" PRId64 " of size %" PRId64
                          ", got %" PRId64 " and %" PRId64,
                          lowest, highest, step, dim, size, start, stop);
    }
    return KAEL_OK;
}

/* How many of start, start + step ... come before stop. */
static int64_t count_positions(int64_t start, int64_t stop, int64_t step) {
    if (step > 0) {
        return start < stop ? (stop - start - 1) / step + 1 : 0;
    }
    return start > stop ? (stop - start + 1) / step + 1 : 0;
}

static kael_status multiply_stride(int64_t *stride, int64_t step, kael_dtype dtype) {
    int64_t product;
    int64_t bytes;
    if (!kael_checked_multiply(*stride, step, &product) ||
        !kael_checked_multiply(product, kael_dtype_size(dtype), &bytes)) {
        return kael_error(KAEL_ERROR_VALUE,
                          "the bytes of stride %" PRId64 " times step %" PRId64
                          " do not fit in 63 bits",
                          *stride, step);
    }
    *stride = product;
    return KAEL_OK;
}

kael_status kael_tensor_slice(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                              int64_t start, int64_t stop, int64_t step) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &dim));
    KAEL_TRY(check_positions(dim, layout.shape[dim], start, stop, step));
    take(&layout, tensor, dim, start, count_positions(start, stop, step));
    KAEL_TRY(multiply_stride(&layout.strides[dim], step, tensor->dtype));
    const kael_view_slice taken = {dim, start, stop, step};
    const kael_view_gradient gradient = kael_gradient_of_slice(&taken);
    return kael_view_finish(out, tensor, &layout, &gradient);
}

kael_status kael_tensor_select(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                               int64_t index) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &dim));
    int64_t position;
    KAEL_TRY(kael_tensor_require_index(tensor, dim, index, &position));
    take(&layout, tensor, dim, position, 1);
    kael_layout_remove(&layout, dim);
    const kael_view_slice taken = {.dim = dim, .start = position};
    const kael_view_gradient gradient = kael_gradient_of_select(&taken);
    return kael_view_finish(out, tensor, &layout, &gradient);
}
