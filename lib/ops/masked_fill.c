#include <stdbool.h>

#include "core/error.h"
#include "kael/indexing.h"
#include "kael/ops.h"
#include "tensor/element.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

static bool broadcasts_to(const kael_tensor *tensor, const kael_tensor *to) {
    const int added = to->ndim - tensor->ndim;
    for (int i = 0; added >= 0 && i < tensor->ndim; ++i) {
        if (tensor->sizes[i] != 1 && tensor->sizes[i] != to->sizes[added + i]) {
            return false;
        }
    }
    return added >= 0;
}

/* Checks the operands and makes `scalar`, on the stack, see the value in `element`. */
static kael_status prepare(kael_tensor *scalar, uint64_t *element, const kael_tensor *tensor,
                           const kael_tensor *mask, double value) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    KAEL_TRY(kael_require_not_null(mask, "mask"));
    KAEL_TRY(kael_tensor_require_dtype(mask, "mask", KAEL_BOOL));
    if (!broadcasts_to(mask, tensor)) {
        char from[KAEL_SHAPE_TEXT_SIZE];
        char to[KAEL_SHAPE_TEXT_SIZE];
        return kael_error(KAEL_ERROR_SHAPE,
                          "mask must broadcast to the shape of tensor, got shapes %s and %s",
                          kael_shape_text(from, mask->ndim, mask->sizes),
                          kael_shape_text(to, tensor->ndim, tensor->sizes));
    }
    KAEL_TRY(kael_element_from_double(element, tensor->dtype, value));
    *scalar =
        (kael_tensor){.data = element, .numel = 1, .dtype = tensor->dtype, .is_contiguous = true};
    return KAEL_OK;
}

kael_status kael_masked_fill(kael_tensor **out, const kael_tensor *tensor, const kael_tensor *mask,
                             double value) {
    KAEL_TRY(kael_require_out(out));
    uint64_t element;
    kael_tensor scalar;
    KAEL_TRY(prepare(&scalar, &element, tensor, mask, value));
    return kael_where(out, mask, &scalar, tensor);
}

kael_status kael_masked_fill_into(kael_tensor *out, const kael_tensor *tensor,
                                  const kael_tensor *mask, double value) {
    uint64_t element;
    kael_tensor scalar;
    KAEL_TRY(prepare(&scalar, &element, tensor, mask, value));
    return kael_where_into(out, mask, &scalar, tensor);
}
