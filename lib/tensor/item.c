/* Reading and writing single elements. */
#include <string.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/element.h"
#include "tensor/graph.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

static kael_status find_element(void **element, const kael_tensor *tensor, const int64_t *indices) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    if (tensor->ndim > 0) {
        KAEL_TRY(kael_require_not_null(indices, "indices"));
    }
    const int64_t *strides = kael_tensor_strides(tensor);
    int64_t offset = 0;
    for (int dim = 0; dim < tensor->ndim; ++dim) {
        int64_t position;
        KAEL_TRY(kael_tensor_require_index(tensor, dim, indices[dim], &position));
        offset += position * strides[dim];
    }
    *element = (char *)tensor->data + offset * kael_dtype_size(tensor->dtype);
    return KAEL_OK;
}

static kael_status find_only_element(void **element, const kael_tensor *tensor) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    if (tensor->numel != 1) {
        char text[KAEL_SHAPE_TEXT_SIZE];
        return kael_error(KAEL_ERROR_SHAPE, "tensor must have one element, got shape %s",
                          kael_shape_text(text, tensor->ndim, tensor->sizes));
    }
    *element = tensor->data;
    return KAEL_OK;
}

kael_status kael_tensor_item(double *value, const kael_tensor *tensor) {
    KAEL_TRY(kael_require_not_null(value, "value"));
    void *element = NULL;
    KAEL_TRY(find_only_element(&element, tensor));
    *value = kael_element_to_double(element, tensor->dtype);
    return KAEL_OK;
}

kael_status kael_tensor_item_i64(int64_t *value, const kael_tensor *tensor) {
    KAEL_TRY(kael_require_not_null(value, "value"));
    void *element = NULL;
    KAEL_TRY(find_only_element(&element, tensor));
    return kael_element_to_i64(value, element, tensor->dtype);
}

kael_status kael_tensor_get(double *value, const kael_tensor *tensor, const int64_t *indices) {
    KAEL_TRY(kael_require_not_null(value, "value"));
    void *element = NULL;
    KAEL_TRY(find_element(&element, tensor, indices));
    *value = kael_element_to_double(element, tensor->dtype);
    return KAEL_OK;
}

kael_status kael_tensor_get_i64(int64_t *value, const kael_tensor *tensor, const int64_t *indices) {
    KAEL_TRY(kael_require_not_null(value, "value"));
    void *element = NULL;
    KAEL_TRY(find_element(&element, tensor, indices));
    return kael_element_to_i64(value, element, tensor->dtype);
}

static kael_status write_element(kael_tensor *tensor, void *element, const char *made) {
    KAEL_TRY(kael_graph_begin_write(tensor, "tensor", 0, NULL));
    memcpy(element, made, (size_t)kael_dtype_size(tensor->dtype));
    return KAEL_OK;
}

kael_status kael_tensor_set(kael_tensor *tensor, const int64_t *indices, double value) {
    void *element = NULL;
    char made[KAEL_MAX_ELEMENT_SIZE];
    KAEL_TRY(find_element(&element, tensor, indices));
    KAEL_TRY(kael_element_from_double(made, tensor->dtype, value));
    return write_element(tensor, element, made);
}

kael_status kael_tensor_set_i64(kael_tensor *tensor, const int64_t *indices, int64_t value) {
    void *element = NULL;
    char made[KAEL_MAX_ELEMENT_SIZE];
    KAEL_TRY(find_element(&element, tensor, indices));
    KAEL_TRY(kael_element_from_i64(made, tensor->dtype, value));
    return write_element(tensor, element, made);
}
