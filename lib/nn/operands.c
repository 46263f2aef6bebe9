#include "nn/operands.h"

#include <stddef.h>

#include "core/error.h"

kael_status kael_nn_require_operand(const kael_tensor *tensor, const char *name) {
    KAEL_TRY(kael_require_not_null(tensor, name));
    KAEL_TRY(kael_tensor_require_f32_or_f64(tensor, name));
    return kael_tensor_require_contiguous(tensor, name);
}

kael_status kael_nn_require_like(const kael_tensor *tensor, const char *name,
                                 const kael_tensor *model) {
    return kael_tensor_require(tensor, name, kael_tensor_dtype(model), kael_tensor_ndim(model),
                               kael_tensor_shape(model));
}

kael_status kael_nn_require_same_or_disjoint(const kael_tensor *tensor, const char *name,
                                             const kael_tensor *other, const char *other_name) {
    return kael_tensor_data(tensor) == kael_tensor_data(other)
               ? KAEL_OK
               : kael_tensor_require_disjoint(tensor, name, other, other_name);
}

kael_status kael_nn_require_out(kael_tensor **out) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    return KAEL_OK;
}

kael_status kael_nn_finish(kael_tensor **out, kael_tensor *result, kael_status status) {
    if (status != KAEL_OK) {
        kael_tensor_release(result);
        return status;
    }
    *out = result;
    return KAEL_OK;
}
