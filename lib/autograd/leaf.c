/* Tensors that ask for a gradient. */
#include <stddef.h>

#include "core/error.h"
#include "tensor/graph.h"
#include "tensor/require.h"

kael_status kael_tensor_set_requires_grad(kael_tensor *tensor, bool required) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    if (tensor->node != NULL && tensor->node->rule != NULL) {
        return kael_error(KAEL_ERROR_STATE,
                          "requires_grad can be set for leaves only, and this tensor is the result "
                          "of %s; detach it first",
                          tensor->node->rule->name);
    }
    if (!required) {
        kael_graph_release(tensor->node);
        tensor->node = NULL;
        return KAEL_OK;
    }
    if (tensor->dtype < KAEL_F16) {
        return kael_error(KAEL_ERROR_DTYPE,
                          "gradients need a floating point dtype, and tensor has dtype %s",
                          kael_dtype_name(tensor->dtype));
    }
    return tensor->node != NULL ? KAEL_OK : kael_graph_create_leaf(&tensor->node);
}

bool kael_tensor_requires_grad(const kael_tensor *tensor) {
    return tensor->node != NULL;
}

bool kael_tensor_is_leaf(const kael_tensor *tensor) {
    return tensor->node == NULL || tensor->node->rule == NULL;
}

kael_status kael_tensor_grad(kael_tensor **out, const kael_tensor *tensor) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    if (tensor->node == NULL || tensor->node->rule != NULL) {
        return kael_error(KAEL_ERROR_STATE,
                          "gradients are kept of leaves that require one, and "
                          "tensor is %s",
                          tensor->node == NULL ? "not asked for one"
                                               : "the result of an operation");
    }
    *out = kael_tensor_retain(tensor->node->gradient);
    return KAEL_OK;
}

kael_status kael_tensor_zero_grad(kael_tensor *tensor) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    if (tensor->node != NULL && tensor->node->rule == NULL) {
        kael_tensor_release(tensor->node->gradient);
        tensor->node->gradient = NULL;
    }
    return KAEL_OK;
}
