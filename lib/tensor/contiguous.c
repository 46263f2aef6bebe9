/* Copies of tensors. */
#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/copy.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

static kael_status require_arguments(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(kael_require_out(out));
    return kael_require_not_null(tensor, "tensor");
}

kael_status kael_copy_as(kael_tensor **out, const kael_tensor *tensor, kael_dtype dtype) {
    KAEL_TRY(kael_tensor_empty(out, dtype, tensor->ndim, tensor->sizes));
    const kael_status status = kael_copy_elements(*out, tensor);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

static kael_status recorded_copy(kael_tensor **out, const kael_tensor *tensor, kael_dtype dtype) {
    KAEL_TRY(kael_copy_as(out, tensor, dtype));
    const kael_view_gradient gradient = kael_gradient_of_copy();
    return dtype < KAEL_F16 ? KAEL_OK : kael_view_record(out, tensor, &gradient);
}

kael_status kael_tensor_contiguous(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(require_arguments(out, tensor));
    if (tensor->is_contiguous) {
        *out = kael_tensor_share(tensor);
        return KAEL_OK;
    }
    return recorded_copy(out, tensor, tensor->dtype);
}

kael_status kael_tensor_clone(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(require_arguments(out, tensor));
    return recorded_copy(out, tensor, tensor->dtype);
}

kael_status kael_tensor_to_dtype(kael_tensor **out, const kael_tensor *tensor, kael_dtype dtype) {
    KAEL_TRY(require_arguments(out, tensor));
    if (tensor->dtype == dtype) {
        *out = kael_tensor_share(tensor);
        return KAEL_OK;
    }
    return recorded_copy(out, tensor, dtype);
}
