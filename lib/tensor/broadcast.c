/* Views that repeat elements. */
#include <inttypes.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

kael_status kael_tensor_broadcast_to(kael_tensor **out, const kael_tensor *tensor, int64_t ndim,
                                     const int64_t *shape) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, tensor->dtype, ndim, shape));
    const int64_t added = ndim - tensor->ndim;
    for (int64_t i = added; i < ndim; ++i) {
        if (i < 0 || (tensor->sizes[i - added] != shape[i] && tensor->sizes[i - added] != 1)) {
            char from[KAEL_SHAPE_TEXT_SIZE];
            char to[KAEL_SHAPE_TEXT_SIZE];
            return kael_error(KAEL_ERROR_SHAPE, "shape %s does not broadcast to %s",
                              kael_shape_text(from, tensor->ndim, tensor->sizes),
                              kael_shape_text(to, ndim, shape));
        }
    }
    layout.ndim = ndim;
    const int64_t *strides = kael_tensor_strides(tensor);
    for (int64_t i = 0; i < ndim; ++i) {
        const bool repeated = i < added || tensor->sizes[i - added] != shape[i];
        layout.shape[i] = shape[i];
        layout.strides[i] = repeated ? 0 : strides[i - added];
    }
    const kael_view_gradient gradient = kael_gradient_of_broadcast();
    return kael_view_finish(out, tensor, &layout, &gradient);
}
