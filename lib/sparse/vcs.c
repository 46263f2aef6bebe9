/* Value-compressed matrices: their life and what they are. */
#include "sparse/vcs.h"

#include "core/error.h"
#include "core/reference.h"
#include "tensor/require.h"

kael_dtype kael_index_dtype(int64_t size) {
    return size > INT32_MAX ? KAEL_I64 : KAEL_I32;
}

kael_status kael_array_create(kael_tensor **out, kael_dtype dtype, int64_t count) {
    return kael_tensor_empty(out, dtype, 1, &count);
}

void kael_vcs_arrays_release(kael_vcs_arrays *arrays) {
    kael_tensor_release(arrays->major_ptr);
    kael_tensor_release(arrays->values);
    kael_tensor_release(arrays->value_ptr);
    kael_tensor_release(arrays->indices);
    *arrays = (kael_vcs_arrays){0};
}

kael_status kael_vcs_require_out(kael_vcs **out, kael_vcs_orientation orientation) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    if (orientation != KAEL_VCSC && orientation != KAEL_VCSR) {
        return kael_error(KAEL_ERROR_VALUE, "orientation must be KAEL_VCSC or KAEL_VCSR, got %d",
                          (int)orientation);
    }
    return KAEL_OK;
}

kael_status kael_vcs_create(kael_vcs **out, kael_vcs_orientation orientation, int64_t major,
                            int64_t minor, kael_vcs_arrays *arrays) {
    kael_block block;
    const kael_status status = kael_block_allocate(&block, sizeof(kael_vcs));
    if (status != KAEL_OK) {
        kael_vcs_arrays_release(arrays);
        return status;
    }
    *out = block.data;
    **out = (kael_vcs){
        .references = 1,
        .block = block,
        .orientation = orientation,
        .major = major,
        .minor = minor,
        .major_ptr = arrays->major_ptr,
        .values = arrays->values,
        .value_ptr = arrays->value_ptr,
        .indices = arrays->indices,
    };
    return KAEL_OK;
}

kael_vcs *kael_vcs_retain(kael_vcs *matrix) {
    if (matrix != NULL) {
        kael_reference_add(&matrix->references);
    }
    return matrix;
}

void kael_vcs_release(kael_vcs *matrix) {
    if (matrix != NULL && kael_reference_drop(&matrix->references)) {
        kael_block block = matrix->block;
        kael_tensor_release(matrix->major_ptr);
        kael_tensor_release(matrix->values);
        kael_tensor_release(matrix->value_ptr);
        kael_tensor_release(matrix->indices);
        kael_block_release(&block);
    }
}

kael_vcs_orientation kael_vcs_get_orientation(const kael_vcs *matrix) {
    return matrix->orientation;
}

kael_dtype kael_vcs_dtype(const kael_vcs *matrix) {
    return kael_tensor_dtype(matrix->values);
}

int64_t kael_vcs_rows(const kael_vcs *matrix) {
    return matrix->orientation == KAEL_VCSR ? matrix->major : matrix->minor;
}

int64_t kael_vcs_columns(const kael_vcs *matrix) {
    return matrix->orientation == KAEL_VCSC ? matrix->major : matrix->minor;
}

int64_t kael_vcs_nnz(const kael_vcs *matrix) {
    return kael_tensor_numel(matrix->indices);
}

static int64_t bytes_of(const kael_tensor *array) {
    return kael_tensor_numel(array) * kael_dtype_size(kael_tensor_dtype(array));
}

int64_t kael_vcs_nbytes(const kael_vcs *matrix) {
    return bytes_of(matrix->major_ptr) + bytes_of(matrix->values) + bytes_of(matrix->value_ptr) +
           bytes_of(matrix->indices);
}

const kael_tensor *kael_vcs_major_ptr(const kael_vcs *matrix) {
    return matrix->major_ptr;
}

const kael_tensor *kael_vcs_values(const kael_vcs *matrix) {
    return matrix->values;
}

const kael_tensor *kael_vcs_value_ptr(const kael_vcs *matrix) {
    return matrix->value_ptr;
}

const kael_tensor *kael_vcs_indices(const kael_vcs *matrix) {
    return matrix->indices;
}

kael_status kael_vcs_transpose(kael_vcs **out, const kael_vcs *matrix) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(matrix, "matrix"));
    kael_vcs_arrays arrays = {
        kael_tensor_retain(matrix->major_ptr), kael_tensor_retain(matrix->values),
        kael_tensor_retain(matrix->value_ptr), kael_tensor_retain(matrix->indices)};
    return kael_vcs_create(out, matrix->orientation == KAEL_VCSC ? KAEL_VCSR : KAEL_VCSC,
                           matrix->major, matrix->minor, &arrays);
}

static kael_status copy_arrays(kael_vcs_arrays *arrays, const kael_vcs *matrix) {
    KAEL_TRY(kael_tensor_clone(&arrays->major_ptr, matrix->major_ptr));
    KAEL_TRY(kael_tensor_clone(&arrays->values, matrix->values));
    KAEL_TRY(kael_tensor_clone(&arrays->value_ptr, matrix->value_ptr));
    return kael_tensor_clone(&arrays->indices, matrix->indices);
}

kael_status kael_vcs_copy(kael_vcs **out, const kael_vcs *matrix) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(matrix, "matrix"));
    kael_vcs_arrays arrays = {0};
    const kael_status status = copy_arrays(&arrays, matrix);
    if (status != KAEL_OK) {
        kael_vcs_arrays_release(&arrays);
        return status;
    }
    return kael_vcs_create(out, matrix->orientation, matrix->major, matrix->minor, &arrays);
}
