/* Matrices on existing arrays. */
#include <inttypes.h>

#include "core/error.h"
#include "memory/block.h"
#include "sparse/check.h"
#include "sparse/compressed.h"
#include "sparse/value_order.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

typedef struct kael_sizes {
    int64_t major;
    int64_t minor;
} kael_sizes;

static kael_status check_arrays(const kael_vcs_arrays *arrays, const kael_sizes *sizes) {
    KAEL_TRY(kael_check_array(arrays->major_ptr, "major_ptr"));
    KAEL_TRY(kael_check_array(arrays->values, "values"));
    KAEL_TRY(kael_check_array(arrays->value_ptr, "value_ptr"));
    KAEL_TRY(kael_check_index_array(arrays->indices, "indices"));
    KAEL_TRY(kael_tensor_require_dtype(arrays->major_ptr, "major_ptr", KAEL_I64));
    KAEL_TRY(kael_tensor_require_dtype(arrays->value_ptr, "value_ptr", KAEL_I64));
    if (sizes->minor > (int64_t)INT32_MAX + 1 && arrays->indices->dtype != KAEL_I64) {
        return kael_error(KAEL_ERROR_DTYPE,
                          "indices of a dimension of %" PRId64 " must be i64, got i32",
                          sizes->minor);
    }
    KAEL_TRY(kael_tensor_require_contiguous(arrays->major_ptr, "major_ptr"));
    KAEL_TRY(kael_tensor_require_contiguous(arrays->values, "values"));
    KAEL_TRY(kael_tensor_require_contiguous(arrays->value_ptr, "value_ptr"));
    KAEL_TRY(kael_tensor_require_contiguous(arrays->indices, "indices"));
    KAEL_TRY(kael_check_length(arrays->major_ptr, "major_ptr", sizes->major + 1,
                               "one more than the major dimension"));
    return kael_check_length(arrays->value_ptr, "value_ptr", arrays->values->numel + 1,
                             "one more than values");
}

static kael_status check_values(const kael_vcs_arrays *arrays, int64_t major) {
    const int64_t *ptr = arrays->major_ptr->data;
    const int64_t size = kael_dtype_size(arrays->values->dtype);
    const kael_value_order order = kael_value_order_of(arrays->values->dtype);
    const void *values = arrays->values->data;
    for (int64_t slice = 0; slice < major; ++slice) {
        for (int64_t group = ptr[slice] + 1; group < ptr[slice + 1]; ++group) {
            if (kael_value_key(&order, kael_load_bits(values, group, size)) <=
                kael_value_key(&order, kael_load_bits(values, group - 1, size))) {
                return kael_error(KAEL_ERROR_VALUE,
                                  "values must ascend within a slice and be distinct, which the "
                                  "value at %" PRId64 " in slice %" PRId64 " breaks",
                                  group, slice);
            }
        }
    }
    return KAEL_OK;
}

/* Two groups of a slice must not have a position in common. */
static kael_status check_distinct_positions(const kael_vcs_arrays *arrays,
                                            const kael_sizes *sizes) {
    kael_block block;
    KAEL_TRY(kael_block_allocate_zeroed(&block, sizes->minor * (int64_t)sizeof(int64_t)));
    int64_t *owner = block.data; /* 1 + the slice that had the position last */
    const int64_t *major_ptr = arrays->major_ptr->data;
    const int64_t *value_ptr = arrays->value_ptr->data;
    const int64_t index_size = kael_dtype_size(arrays->indices->dtype);
    kael_status status = KAEL_OK;
    for (int64_t slice = 0; slice < sizes->major && status == KAEL_OK; ++slice) {
        const int64_t end = value_ptr[major_ptr[slice + 1]];
        for (int64_t i = value_ptr[major_ptr[slice]]; i < end; ++i) {
            const int64_t index = kael_load_index(arrays->indices->data, i, index_size);
            if (owner[index] == slice + 1) {
                status = kael_error(KAEL_ERROR_VALUE,
                                    "indices must not repeat within a slice, got %" PRId64
                                    " again at %" PRId64 " in slice %" PRId64,
                                    index, i, slice);
                break;
            }
            owner[index] = slice + 1;
        }
    }
    kael_block_release(&block);
    return status;
}

static kael_status check_content(const kael_vcs_arrays *arrays, const kael_sizes *sizes) {
    const int64_t groups = arrays->values->numel;
    const int64_t entries = arrays->indices->numel;
    KAEL_TRY(kael_check_pointers(arrays->major_ptr->data, "major_ptr", sizes->major, groups,
                                 "values", false));
    KAEL_TRY(kael_check_pointers(arrays->value_ptr->data, "value_ptr", groups, entries, "indices",
                                 true));
    KAEL_TRY(kael_check_range(arrays->indices, "indices", sizes->minor));
    KAEL_TRY(kael_check_ascending(arrays->indices->data, kael_dtype_size(arrays->indices->dtype),
                                  "indices", arrays->value_ptr->data, groups));
    KAEL_TRY(check_values(arrays, sizes->major));
    return entries == 0 ? KAEL_OK : check_distinct_positions(arrays, sizes);
}

static kael_status share(kael_tensor **shared, const kael_tensor *array, const char *name) {
    KAEL_TRY(kael_require_not_null(array, name));
    return kael_tensor_detach(shared, array);
}

static kael_status share_arrays(kael_vcs_arrays *shared, const kael_tensor *major_ptr,
                                const kael_tensor *values, const kael_tensor *value_ptr,
                                const kael_tensor *indices) {
    KAEL_TRY(share(&shared->major_ptr, major_ptr, "major_ptr"));
    KAEL_TRY(share(&shared->values, values, "values"));
    KAEL_TRY(share(&shared->value_ptr, value_ptr, "value_ptr"));
    return share(&shared->indices, indices, "indices");
}

kael_status kael_vcs_from_arrays(kael_vcs **out, kael_vcs_orientation orientation, int64_t rows,
                                 int64_t columns, const kael_tensor *major_ptr,
                                 const kael_tensor *values, const kael_tensor *value_ptr,
                                 const kael_tensor *indices) {
    KAEL_TRY(kael_vcs_require_out(out, orientation));
    KAEL_TRY(kael_check_sizes(rows, columns));
    const kael_sizes sizes =
        orientation == KAEL_VCSC ? (kael_sizes){columns, rows} : (kael_sizes){rows, columns};
    kael_vcs_arrays shared = {0};
    kael_status status = share_arrays(&shared, major_ptr, values, value_ptr, indices);
    if (status == KAEL_OK) {
        status = check_arrays(&shared, &sizes);
    }
    if (status == KAEL_OK) {
        status = check_content(&shared, &sizes);
    }
    if (status != KAEL_OK) {
        kael_vcs_arrays_release(&shared);
        return status;
    }
    return kael_vcs_create(out, orientation, sizes.major, sizes.minor, &shared);
}
