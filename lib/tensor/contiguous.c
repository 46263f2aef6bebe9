/* Copies of tensors. */
#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/copy.h"
#include "tensor/dtype.h"
#include "tensor/require.h"
#include "tensor/result.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

static kael_status require_arguments(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(kael_require_out(out));
    return kael_require_not_null(tensor, "tensor");
}

/* Gives *out the elements of `tensor`, or releases it. */
static kael_status copy_to_new(kael_tensor **out, const kael_tensor *tensor) {
    const kael_status status = kael_copy_elements(*out, tensor);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

kael_status kael_copy_as(kael_tensor **out, const kael_tensor *tensor, kael_dtype dtype) {
    KAEL_TRY(kael_tensor_empty(out, dtype, tensor->ndim, tensor->sizes));
    return copy_to_new(out, tensor);
}

static kael_status record_copy(kael_tensor **out, const kael_tensor *tensor) {
    const kael_view_gradient gradient = kael_gradient_of_copy();
    return kael_dtype_is_floating((*out)->dtype) ? kael_view_record(out, tensor, &gradient)
                                                 : KAEL_OK;
}

kael_status kael_tensor_contiguous(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(require_arguments(out, tensor));
    if (tensor->is_contiguous) {
        *out = kael_tensor_share(tensor);
        return KAEL_OK;
    }
    KAEL_TRY(kael_copy_as(out, tensor, tensor->dtype));
    return record_copy(out, tensor);
}

kael_status kael_tensor_clone(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(require_arguments(out, tensor));
    KAEL_TRY(kael_copy_as(out, tensor, tensor->dtype));
    return record_copy(out, tensor);
}

kael_status kael_tensor_to_dtype(kael_tensor **out, const kael_tensor *tensor, kael_dtype dtype) {
    KAEL_TRY(require_arguments(out, tensor));
    if (tensor->dtype == dtype) {
        *out = kael_tensor_share(tensor);
        return KAEL_OK;
    }
    kael_result_shape shape;
    KAEL_TRY(kael_broadcast_shapes(&shape, 1, &tensor));
    KAEL_TRY(kael_result_create(out, dtype, &shape, 1, &tensor));
    KAEL_TRY(copy_to_new(out, tensor));
    return record_copy(out, tensor);
}
