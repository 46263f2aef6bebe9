/* Validation of the arrays that sparse matrices are made from. */
#include "sparse/check.h"

#include <inttypes.h>

#include "core/error.h"
#include "sparse/compressed.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

kael_status kael_check_array(const kael_tensor *array, const char *name) {
    KAEL_TRY(kael_require_not_null(array, name));
    const int64_t any = KAEL_ANY_SIZE;
    return kael_tensor_require_shape(array, name, 1, &any);
}

kael_status kael_check_index_array(const kael_tensor *array, const char *name) {
    KAEL_TRY(kael_check_array(array, name));
    if (array->dtype != KAEL_I32 && array->dtype != KAEL_I64) {
        return kael_error(KAEL_ERROR_DTYPE, "%s must be i32 or i64, got %s", name,
                          kael_dtype_name(array->dtype));
    }
    return KAEL_OK;
}

kael_status kael_check_length(const kael_tensor *array, const char *name, int64_t length,
                              const char *rule) {
    if (array->numel != length) {
        return kael_error(KAEL_ERROR_SHAPE, "%s must have %" PRId64 " elements, %s, got %" PRId64,
                          name, length, rule, array->numel);
    }
    return KAEL_OK;
}

static kael_status check_size(int64_t size, const char *name) {
    /* The bytes of size + 1 pointers must be countable. */
    const int64_t most = INT64_MAX / 8 - 1;
    if (size < 0 || size > most) {
        return kael_error(KAEL_ERROR_SHAPE, "%s must be in 0..%" PRId64 ", got %" PRId64, name,
                          most, size);
    }
    return KAEL_OK;
}

kael_status kael_check_sizes(int64_t rows, int64_t columns) {
    KAEL_TRY(check_size(rows, "rows"));
    return check_size(columns, "columns");
}

kael_status kael_check_range(const kael_tensor *indices, const char *name, int64_t size) {
    const int64_t element_size = kael_dtype_size(indices->dtype);
    const int64_t stride = indices->numel == 0 ? 0 : kael_tensor_strides(indices)[0];
    const char *element = indices->data;
    for (int64_t i = 0; i < indices->numel; ++i, element += stride * element_size) {
        const int64_t index = kael_load_index(element, 0, element_size);
        if (index < 0 || index >= size) {
            return kael_error(KAEL_ERROR_INDEX,
                              "%s must be in 0..%" PRId64 ", got %" PRId64 " at %" PRId64, name,
                              size - 1, index, i);
        }
    }
    return KAEL_OK;
}

kael_status kael_check_pointers(const int64_t *ptr, const char *name, int64_t count, int64_t end,
                                const char *what, bool strictly) {
    if (ptr[0] != 0) {
        return kael_error(KAEL_ERROR_VALUE, "%s must start at 0, got %" PRId64, name, ptr[0]);
    }
    for (int64_t i = 0; i < count; ++i) {
        if (ptr[i + 1] < ptr[i] || (strictly && ptr[i + 1] == ptr[i])) {
            return kael_error(KAEL_ERROR_VALUE,
                              "%s must %s, got %" PRId64 " after %" PRId64 " at %" PRId64, name,
                              strictly ? "ascend" : "not decrease", ptr[i + 1], ptr[i], i + 1);
        }
    }
    if (ptr[count] != end) {
        return kael_error(KAEL_ERROR_VALUE,
                          "%s must end with the number of %s, %" PRId64 ", got %" PRId64, name,
                          what, end, ptr[count]);
    }
    return KAEL_OK;
}

kael_status kael_check_ascending(const void *indices, int64_t index_size, const char *name,
                                 const int64_t *ptr, int64_t slices) {
    for (int64_t slice = 0; slice < slices; ++slice) {
        for (int64_t i = ptr[slice] + 1; i < ptr[slice + 1]; ++i) {
            const int64_t before = kael_load_index(indices, i - 1, index_size);
            const int64_t index = kael_load_index(indices, i, index_size);
            if (index <= before) {
                return kael_error(KAEL_ERROR_VALUE,
                                  "%s must ascend between pointers, got %" PRId64 " after %" PRId64
                                  " at %" PRId64,
                                  name, index, before, i);
            }
        }
    }
    return KAEL_OK;
}
