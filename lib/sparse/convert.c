/* Matrices in other dtypes, orientations and forms. */
#include <stdbool.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "sparse/compressed.h"
#include "sparse/value_order.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

static kael_status share_matrix(kael_vcs **out, const kael_vcs *matrix, kael_tensor *values) {
    kael_vcs_arrays arrays = {kael_tensor_retain(matrix->major_ptr), kael_tensor_retain(values),
                              kael_tensor_retain(matrix->value_ptr),
                              kael_tensor_retain(matrix->indices)};
    return kael_vcs_create(out, matrix->orientation, matrix->major, matrix->minor, &arrays);
}

static kael_status regroup(kael_vcs **out, const kael_vcs *matrix,
                           kael_vcs_orientation orientation) {
    kael_compressed slices;
    KAEL_TRY(kael_compressed_from_vcs(&slices, matrix, orientation));
    const kael_status status = kael_vcs_group(out, orientation, &slices);
    kael_compressed_release(&slices);
    return status;
}

kael_status kael_vcs_to_orientation(kael_vcs **out, const kael_vcs *matrix,
                                    kael_vcs_orientation orientation) {
    KAEL_TRY(kael_vcs_require_out(out, orientation));
    KAEL_TRY(kael_require_not_null(matrix, "matrix"));
    if (orientation == matrix->orientation) {
        return share_matrix(out, matrix, matrix->values);
    }
    return regroup(out, matrix, orientation);
}

/* ---- Dtypes ---- */

static bool values_ascend(const kael_vcs *matrix, const kael_tensor *values) {
    const int64_t *ptr = kael_tensor_data(matrix->major_ptr);
    const kael_value_order order = kael_value_order_of(values->dtype);
    const int64_t size = kael_dtype_size(values->dtype);
    for (int64_t slice = 0; slice < matrix->major; ++slice) {
        for (int64_t group = ptr[slice] + 1; group < ptr[slice + 1]; ++group) {
            if (kael_value_key(&order, kael_load_bits(values->data, group, size)) <=
                kael_value_key(&order, kael_load_bits(values->data, group - 1, size))) {
                return false;
            }
        }
    }
    return true;
}

kael_status kael_vcs_to_dtype(kael_vcs **out, const kael_vcs *matrix, kael_dtype dtype) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(matrix, "matrix"));
    kael_tensor *values;
    kael_vcs *shared = NULL;
    KAEL_TRY(kael_tensor_to_dtype(&values, matrix->values, dtype));
    kael_status status = share_matrix(&shared, matrix, values);
    if (status == KAEL_OK && !values_ascend(matrix, values)) {
        status = regroup(out, shared, matrix->orientation);
        kael_vcs_release(shared);
    } else {
        *out = shared;
    }
    kael_tensor_release(values);
    return status;
}

/* ---- Compressed slices and coordinates ---- */

static kael_status require_outs(kael_tensor **first, const char *first_name, kael_tensor **second,
                                const char *second_name, kael_tensor **values,
                                const kael_vcs *matrix) {
    kael_tensor **const outs[] = {first, second, values};
    for (int i = 0; i < 3; ++i) {
        if (outs[i] != NULL) {
            *outs[i] = NULL;
        }
    }
    KAEL_TRY(kael_require_not_null(first, first_name));
    KAEL_TRY(kael_require_not_null(second, second_name));
    KAEL_TRY(kael_require_not_null(values, "values"));
    return kael_require_not_null(matrix, "matrix");
}

static kael_status to_slices(kael_tensor **ptr, kael_tensor **indices, kael_tensor **values,
                             const kael_vcs *matrix, kael_vcs_orientation orientation) {
    kael_compressed slices;
    KAEL_TRY(kael_compressed_from_vcs(&slices, matrix, orientation));
    *ptr = slices.ptr;
    *indices = slices.indices;
    *values = slices.values;
    return KAEL_OK;
}

kael_status kael_vcs_to_csc(kael_tensor **column_ptr, kael_tensor **row_indices,
                            kael_tensor **values, const kael_vcs *matrix) {
    KAEL_TRY(require_outs(column_ptr, "column_ptr", row_indices, "row_indices", values, matrix));
    return to_slices(column_ptr, row_indices, values, matrix, KAEL_VCSC);
}

kael_status kael_vcs_to_csr(kael_tensor **row_ptr, kael_tensor **column_indices,
                            kael_tensor **values, const kael_vcs *matrix) {
    KAEL_TRY(require_outs(row_ptr, "row_ptr", column_indices, "column_indices", values, matrix));
    return to_slices(row_ptr, column_indices, values, matrix, KAEL_VCSR);
}

typedef struct slice_job {
    const int64_t *ptr;
    void *indices;
    int64_t index_size;
} slice_job;

static kael_status write_slice_numbers(int64_t first, int64_t last, void *context) {
    const slice_job *job = context;
    for (int64_t slice = first; slice < last; ++slice) {
        for (int64_t i = job->ptr[slice]; i < job->ptr[slice + 1]; ++i) {
            kael_store_index(job->indices, i, job->index_size, slice);
        }
    }
    return KAEL_OK;
}

static kael_status expand_slices(kael_tensor **major_indices, const kael_compressed *slices) {
    const kael_dtype dtype = kael_index_dtype(slices->major);
    KAEL_TRY(kael_array_create(major_indices, dtype, slices->indices->numel));
    slice_job job = {slices->ptr->data, kael_tensor_data(*major_indices), kael_dtype_size(dtype)};
    const kael_status status = kael_parallel_for(0, slices->major, 4096, write_slice_numbers, &job);
    if (status != KAEL_OK) {
        kael_tensor_release(*major_indices);
        *major_indices = NULL;
    }
    return status;
}

kael_status kael_vcs_to_coo(kael_tensor **row_indices, kael_tensor **column_indices,
                            kael_tensor **values, const kael_vcs *matrix) {
    KAEL_TRY(
        require_outs(row_indices, "row_indices", column_indices, "column_indices", values, matrix));
    kael_compressed slices;
    kael_tensor *major_indices = NULL;
    KAEL_TRY(kael_compressed_from_vcs(&slices, matrix, matrix->orientation));
    const kael_status status = expand_slices(&major_indices, &slices);
    if (status == KAEL_OK) {
        const bool by_columns = matrix->orientation == KAEL_VCSC;
        *row_indices = by_columns ? slices.indices : major_indices;
        *column_indices = by_columns ? major_indices : slices.indices;
        *values = slices.values;
        slices.indices = NULL;
        slices.values = NULL;
    }
    kael_compressed_release(&slices);
    return status;
}

/* ---- Dense tensors ---- */

typedef struct dense_job {
    const kael_vcs *matrix;
    void *elements;
    int64_t major_stride;
    int64_t minor_stride;
} dense_job;

static kael_status write_slices(int64_t first, int64_t last, void *context) {
    const dense_job *job = context;
    const kael_vcs *matrix = job->matrix;
    const int64_t *major_ptr = matrix->major_ptr->data;
    const int64_t *value_ptr = matrix->value_ptr->data;
    const int64_t index_size = kael_dtype_size(matrix->indices->dtype);
    const int64_t size = kael_dtype_size(matrix->values->dtype);
    for (int64_t slice = first; slice < last; ++slice) {
        for (int64_t group = major_ptr[slice]; group < major_ptr[slice + 1]; ++group) {
            const uint64_t bits = kael_load_bits(matrix->values->data, group, size);
            for (int64_t i = value_ptr[group]; i < value_ptr[group + 1]; ++i) {
                const int64_t index = kael_load_index(matrix->indices->data, i, index_size);
                kael_store_bits(job->elements,
                                slice * job->major_stride + index * job->minor_stride, size, bits);
            }
        }
    }
    return KAEL_OK;
}

kael_status kael_vcs_to_dense(kael_tensor **out, const kael_vcs *matrix) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(kael_require_not_null(matrix, "matrix"));
    const int64_t columns = kael_vcs_columns(matrix);
    const int64_t shape[] = {kael_vcs_rows(matrix), columns};
    const bool by_columns = matrix->orientation == KAEL_VCSC;
    KAEL_TRY(kael_tensor_zeros(out, kael_vcs_dtype(matrix), 2, shape));
    dense_job job = {matrix, kael_tensor_data(*out), by_columns ? 1 : columns,
                     by_columns ? columns : 1};
    const int64_t grain = kael_max_i64(1, 65536 / kael_max_i64(matrix->minor, 1));
    const kael_status status = kael_parallel_for(0, matrix->major, grain, write_slices, &job);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}
