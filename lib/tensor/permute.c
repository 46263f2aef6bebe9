/* Views with the dimensions in another order. */
#include <inttypes.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

kael_status kael_tensor_permute(kael_tensor **out, const kael_tensor *tensor, const int64_t *dims) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    if (tensor->ndim > 0) {
        KAEL_TRY(kael_require_not_null(dims, "dims"));
    }
    const int64_t *strides = kael_tensor_strides(tensor);
    bool seen[KAEL_MAX_DIMS] = {false};
    int64_t order[KAEL_MAX_DIMS];
    for (int i = 0; i < tensor->ndim; ++i) {
        int64_t dim;
        KAEL_TRY(kael_tensor_require_dim(tensor, dims[i], &dim));
        if (seen[dim]) {
            return kael_error(KAEL_ERROR_VALUE,
                              "dims must name each dimension once, got dimension %" PRId64 " twice",
                              dim);
        }
        seen[dim] = true;
        order[i] = dim;
        layout.shape[i] = tensor->sizes[dim];
        layout.strides[i] = strides[dim];
    }
    const kael_view_gradient gradient = kael_gradient_of_permute(order, tensor->ndim);
    return kael_view_finish(out, tensor, &layout, &gradient);
}

static void exchange(int64_t *a, int64_t *b) {
    const int64_t kept = *a;
    *a = *b;
    *b = kept;
}

kael_status kael_tensor_transpose(kael_tensor **out, const kael_tensor *tensor, int64_t dim0,
                                  int64_t dim1) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    KAEL_TRY(kael_tensor_require_dim(tensor, dim0, &dim0));
    KAEL_TRY(kael_tensor_require_dim(tensor, dim1, &dim1));
    int64_t order[KAEL_MAX_DIMS];
    for (int i = 0; i < tensor->ndim; ++i) {
        order[i] = i;
    }
    exchange(&order[dim0], &order[dim1]);
    exchange(&layout.shape[dim0], &layout.shape[dim1]);
    exchange(&layout.strides[dim0], &layout.strides[dim1]);
    const kael_view_gradient gradient = kael_gradient_of_permute(order, tensor->ndim);
    return kael_view_finish(out, tensor, &layout, &gradient);
}
