/* Views with a dimension of size 1 less or more. */
#include <inttypes.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

kael_status kael_tensor_squeeze(kael_tensor **out, const kael_tensor *tensor, int64_t dim) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &dim));
    if (layout.shape[dim] != 1) {
        *out = kael_tensor_share(tensor);
        return KAEL_OK;
    }
    kael_layout_remove(&layout, dim);
    const kael_view_gradient gradient = kael_gradient_of_reshape();
    return kael_view_finish(out, tensor, &layout, &gradient);
}

kael_status kael_tensor_unsqueeze(kael_tensor **out, const kael_tensor *tensor, int64_t dim) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    if (tensor->ndim == KAEL_MAX_DIMS) {
        return kael_error(KAEL_ERROR_SHAPE, "tensor must have less than %d dimensions to get one",
                          KAEL_MAX_DIMS);
    }
    const int64_t place = dim < 0 ? dim + tensor->ndim + 1 : dim;
    if (place < 0 || place > tensor->ndim) {
        return kael_error(KAEL_ERROR_INDEX,
                          "dim %" PRId64 " is out of range for a view of %d dimensions", dim,
                          tensor->ndim + 1);
    }
    /* Any stride would do: that of the dimension behind can neither overflow nor mislead. */
    kael_layout_insert(&layout, place, 1, place < tensor->ndim ? layout.strides[place] : 1);
    const kael_view_gradient gradient = kael_gradient_of_reshape();
    return kael_view_finish(out, tensor, &layout, &gradient);
}
