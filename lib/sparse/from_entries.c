/* Matrices from coordinates, compressed slices and dense tensors. */
#include <inttypes.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "kernels/element.h"
#include "memory/block.h"
#include "sparse/check.h"
#include "sparse/compressed.h"
#include "sparse/value_order.h"
#include "tensor/copy.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

/* The value-compressed form of slices of any orientation whose indices ascend. */
static kael_status group_slices(kael_vcs **out, kael_vcs_orientation orientation,
                                const kael_compressed *slices, kael_vcs_orientation given) {
    if (orientation == given) {
        return kael_vcs_group(out, orientation, slices);
    }
    kael_compressed other;
    KAEL_TRY(kael_compressed_transpose(&other, slices));
    const kael_status status = kael_vcs_group(out, orientation, &other);
    kael_compressed_release(&other);
    return status;
}

/* ---- Compressed slices ---- */

typedef struct argument_names {
    const char *ptr;
    const char *indices;
    const char *length;
} argument_names;

static const argument_names csc_names = {"column_ptr", "row_indices", "one more than columns"};
static const argument_names csr_names = {"row_ptr", "column_indices", "one more than rows"};

/* A contiguous tensor of the same elements in a dtype. */
static kael_status take_array(kael_tensor **taken, const kael_tensor *array, kael_dtype dtype) {
    if (array->dtype == dtype && array->is_contiguous) {
        return kael_tensor_detach(taken, array);
    }
    return kael_copy_as(taken, array, dtype);
}

static kael_status take_slices(kael_compressed *slices, const kael_tensor *ptr,
                               const kael_tensor *indices, const kael_tensor *values,
                               const argument_names *names) {
    KAEL_TRY(kael_check_index_array(ptr, names->ptr));
    KAEL_TRY(kael_check_index_array(indices, names->indices));
    KAEL_TRY(kael_check_array(values, "values"));
    KAEL_TRY(kael_check_length(ptr, names->ptr, slices->major + 1, names->length));
    KAEL_TRY(kael_check_length(indices, names->indices, values->numel, "as many as values"));
    KAEL_TRY(kael_check_range(indices, names->indices, slices->minor));
    KAEL_TRY(take_array(&slices->ptr, ptr, KAEL_I64));
    KAEL_TRY(kael_check_pointers(slices->ptr->data, names->ptr, slices->major, values->numel,
                                 "values", false));
    KAEL_TRY(take_array(&slices->indices, indices, kael_index_dtype(slices->minor)));
    KAEL_TRY(kael_check_ascending(slices->indices->data, kael_dtype_size(slices->indices->dtype),
                                  names->indices, slices->ptr->data, slices->major));
    return take_array(&slices->values, values, values->dtype);
}

static kael_status from_slices(kael_vcs **out, kael_vcs_orientation orientation,
                               kael_compressed *slices, kael_vcs_orientation given,
                               const kael_tensor *ptr, const kael_tensor *indices,
                               const kael_tensor *values) {
    kael_status status =
        take_slices(slices, ptr, indices, values, given == KAEL_VCSC ? &csc_names : &csr_names);
    if (status == KAEL_OK) {
        status = group_slices(out, orientation, slices, given);
    }
    kael_compressed_release(slices);
    return status;
}

kael_status kael_vcs_from_csc(kael_vcs **out, kael_vcs_orientation orientation, int64_t rows,
                              int64_t columns, const kael_tensor *column_ptr,
                              const kael_tensor *row_indices, const kael_tensor *values) {
    KAEL_TRY(kael_vcs_require_out(out, orientation));
    KAEL_TRY(kael_check_sizes(rows, columns));
    kael_compressed slices = {.major = columns, .minor = rows};
    return from_slices(out, orientation, &slices, KAEL_VCSC, column_ptr, row_indices, values);
}

kael_status kael_vcs_from_csr(kael_vcs **out, kael_vcs_orientation orientation, int64_t rows,
                              int64_t columns, const kael_tensor *row_ptr,
                              const kael_tensor *column_indices, const kael_tensor *values) {
    KAEL_TRY(kael_vcs_require_out(out, orientation));
    KAEL_TRY(kael_check_sizes(rows, columns));
    kael_compressed slices = {.major = rows, .minor = columns};
    return from_slices(out, orientation, &slices, KAEL_VCSR, row_ptr, column_indices, values);
}

/* ---- Coordinates ---- */

/* Adds `from` to `to`. */
static void add_element(void *to, const void *from, kael_dtype dtype) {
    switch (dtype) {
#define ADD_BOOL_CASE(NAME, name, text, storage, kind, compute)                                    \
    case KAEL_##NAME:                                                                              \
        *(storage *)to = (storage)(*(storage *)to | *(const storage *)from);                       \
        break;
        KAEL_BOOL_DTYPE(ADD_BOOL_CASE)
#undef ADD_BOOL_CASE
#define ADD_INTEGER_CASE(NAME, name, text, storage, kind, compute)                                 \
    case KAEL_##NAME:                                                                              \
        *(storage *)to =                                                                           \
            (storage)((uint64_t) * (storage *)to + (uint64_t) * (const storage *)from);            \
        break;
        KAEL_INTEGER_DTYPES(ADD_INTEGER_CASE)
#undef ADD_INTEGER_CASE
#define ADD_FLOATING_CASE(NAME, name, text, storage, kind, compute)                                \
    case KAEL_##NAME:                                                                              \
        *(storage *)to = kael_encode_##name(kael_decode_##name(*(storage *)to) +                   \
                                            kael_decode_##name(*(const storage *)from));           \
        break;
        KAEL_FLOATING_DTYPES(ADD_FLOATING_CASE)
#undef ADD_FLOATING_CASE
    }
}

/* Adds up neighbours at one position; returns how many entries are left. */
static int64_t sum_duplicates(kael_compressed *slices) {
    int64_t *ptr = slices->ptr->data;
    const kael_dtype dtype = slices->values->dtype;
    const int64_t size = kael_dtype_size(dtype);
    const int64_t index_size = kael_dtype_size(slices->indices->dtype);
    char *values = slices->values->data;
    int64_t kept = 0;
    int64_t begin = 0;
    for (int64_t slice = 0; slice < slices->major; ++slice) {
        const int64_t end = ptr[slice + 1];
        const int64_t first = kept;
        for (int64_t i = begin; i < end; ++i) {
            const int64_t index = kael_load_index(slices->indices->data, i, index_size);
            if (kept > first &&
                kael_load_index(slices->indices->data, kept - 1, index_size) == index) {
                add_element(values + (kept - 1) * size, values + i * size, dtype);
                continue;
            }
            kael_store_index(slices->indices->data, kept, index_size, index);
            kael_store_bits(values, kept, size, kael_load_bits(values, i, size));
            ++kept;
        }
        begin = end;
        ptr[slice + 1] = kept;
    }
    return kept;
}

static kael_status drop_duplicates(kael_compressed *slices) {
    const int64_t kept = sum_duplicates(slices);
    if (kept == slices->indices->numel) {
        return KAEL_OK;
    }
    kael_tensor *indices = slices->indices;
    kael_tensor *values = slices->values;
    slices->indices = NULL;
    slices->values = NULL;
    kael_status status = kael_tensor_narrow(&slices->indices, indices, 0, 0, kept);
    if (status == KAEL_OK) {
        status = kael_tensor_narrow(&slices->values, values, 0, 0, kept);
    }
    kael_tensor_release(indices);
    kael_tensor_release(values);
    return status;
}

/* Slices along the minor dimension, in which entries keep their order. */
static void fill_buckets(kael_compressed *buckets, const kael_tensor *minor_indices,
                         const kael_tensor *major_indices, const kael_tensor *values) {
    int64_t *ptr = buckets->ptr->data;
    const int64_t entries = values->numel;
    const int64_t minor_size = kael_dtype_size(minor_indices->dtype);
    const int64_t major_size = kael_dtype_size(major_indices->dtype);
    const int64_t out_size = kael_dtype_size(buckets->indices->dtype);
    const int64_t value_size = kael_dtype_size(values->dtype);
    for (int64_t i = 0; i <= buckets->major; ++i) {
        ptr[i] = 0;
    }
    for (int64_t i = 0; i < entries; ++i) {
        ++ptr[kael_load_index(minor_indices->data, i, minor_size)];
    }
    int64_t place = 0;
    for (int64_t i = 0; i <= buckets->major; ++i) {
        const int64_t count = ptr[i];
        ptr[i] = place;
        place += count;
    }
    for (int64_t i = 0; i < entries; ++i) {
        const int64_t to = ptr[kael_load_index(minor_indices->data, i, minor_size)]++;
        kael_store_index(buckets->indices->data, to, out_size,
                         kael_load_index(major_indices->data, i, major_size));
        kael_store_bits(buckets->values->data, to, value_size,
                        kael_load_bits(values->data, i, value_size));
    }
    for (int64_t i = buckets->major; i > 0; --i) {
        ptr[i] = ptr[i - 1];
    }
    ptr[0] = 0;
}

typedef struct coordinates {
    kael_tensor *rows;
    kael_tensor *columns;
    kael_tensor *values;
} coordinates;

static kael_status take_coordinates(coordinates *taken, int64_t rows, int64_t columns,
                                    const kael_tensor *row_indices,
                                    const kael_tensor *column_indices, const kael_tensor *values) {
    KAEL_TRY(kael_check_index_array(row_indices, "row_indices"));
    KAEL_TRY(kael_check_index_array(column_indices, "column_indices"));
    KAEL_TRY(kael_check_array(values, "values"));
    KAEL_TRY(kael_check_length(row_indices, "row_indices", values->numel, "as many as values"));
    KAEL_TRY(
        kael_check_length(column_indices, "column_indices", values->numel, "as many as values"));
    KAEL_TRY(kael_check_range(row_indices, "row_indices", rows));
    KAEL_TRY(kael_check_range(column_indices, "column_indices", columns));
    KAEL_TRY(take_array(&taken->rows, row_indices, row_indices->dtype));
    KAEL_TRY(take_array(&taken->columns, column_indices, column_indices->dtype));
    return take_array(&taken->values, values, values->dtype);
}

static kael_status sort_coordinates(kael_compressed *slices, kael_vcs_orientation orientation,
                                    int64_t rows, int64_t columns, const coordinates *entries) {
    const bool by_columns = orientation == KAEL_VCSC;
    kael_compressed buckets;
    KAEL_TRY(kael_compressed_create(&buckets, by_columns ? rows : columns,
                                    by_columns ? columns : rows, entries->values->dtype,
                                    entries->values->numel));
    fill_buckets(&buckets, by_columns ? entries->rows : entries->columns,
                 by_columns ? entries->columns : entries->rows, entries->values);
    const kael_status status = kael_compressed_transpose(slices, &buckets);
    kael_compressed_release(&buckets);
    return status;
}

static kael_status group_coordinates(kael_vcs **out, kael_vcs_orientation orientation, int64_t rows,
                                     int64_t columns, const coordinates *entries) {
    kael_compressed slices;
    KAEL_TRY(sort_coordinates(&slices, orientation, rows, columns, entries));
    kael_status status = drop_duplicates(&slices);
    if (status == KAEL_OK) {
        status = kael_vcs_group(out, orientation, &slices);
    }
    kael_compressed_release(&slices);
    return status;
}

kael_status kael_vcs_from_coo(kael_vcs **out, kael_vcs_orientation orientation, int64_t rows,
                              int64_t columns, const kael_tensor *row_indices,
                              const kael_tensor *column_indices, const kael_tensor *values) {
    KAEL_TRY(kael_vcs_require_out(out, orientation));
    KAEL_TRY(kael_check_sizes(rows, columns));
    coordinates entries = {0};
    kael_status status =
        take_coordinates(&entries, rows, columns, row_indices, column_indices, values);
    if (status == KAEL_OK) {
        status = group_coordinates(out, orientation, rows, columns, &entries);
    }
    kael_tensor_release(entries.rows);
    kael_tensor_release(entries.columns);
    kael_tensor_release(entries.values);
    return status;
}

/* ---- Dense tensors ---- */

typedef struct dense_job {
    const void *elements; /* slice after slice */
    int64_t minor;
    int64_t size;
    uint64_t sign; /* of floats: both zeros are zero */
    int64_t *ptr;
    void *indices;
    int64_t index_size;
    void *values;
} dense_job;

static uint64_t magnitude_at(const dense_job *job, int64_t position) {
    return kael_load_bits(job->elements, position, job->size) & ~job->sign;
}

static kael_status count_slices(int64_t first, int64_t last, void *context) {
    const dense_job *job = context;
    for (int64_t slice = first; slice < last; ++slice) {
        int64_t count = 0;
        for (int64_t i = 0; i < job->minor; ++i) {
            count += magnitude_at(job, slice * job->minor + i) != 0;
        }
        job->ptr[slice + 1] = count;
    }
    return KAEL_OK;
}

static kael_status fill_slices(int64_t first, int64_t last, void *context) {
    const dense_job *job = context;
    for (int64_t slice = first; slice < last; ++slice) {
        int64_t place = job->ptr[slice];
        for (int64_t i = 0; i < job->minor; ++i) {
            const int64_t position = slice * job->minor + i;
            if (magnitude_at(job, position) != 0) {
                kael_store_index(job->indices, place, job->index_size, i);
                kael_store_bits(job->values, place, job->size,
                                kael_load_bits(job->elements, position, job->size));
                ++place;
            }
        }
    }
    return KAEL_OK;
}

static kael_status collect_slices(kael_compressed *slices, const kael_tensor *rows) {
    const kael_dtype dtype = rows->dtype;
    KAEL_TRY(kael_array_create(&slices->ptr, KAEL_I64, slices->major + 1));
    dense_job job = {
        .elements = rows->data,
        .minor = slices->minor,
        .size = kael_dtype_size(dtype),
        .sign = kael_dtype_is_floating(dtype) ? kael_value_order_of(dtype).sign : 0,
        .ptr = slices->ptr->data,
    };
    const int64_t grain = kael_max_i64(1, 65536 / kael_max_i64(slices->minor, 1));
    KAEL_TRY(kael_parallel_for(0, slices->major, grain, count_slices, &job));
    job.ptr[0] = 0;
    for (int64_t slice = 0; slice < slices->major; ++slice) {
        job.ptr[slice + 1] += job.ptr[slice];
    }
    const int64_t entries = job.ptr[slices->major];
    KAEL_TRY(kael_array_create(&slices->indices, kael_index_dtype(slices->minor), entries));
    KAEL_TRY(kael_array_create(&slices->values, dtype, entries));
    job.indices = slices->indices->data;
    job.index_size = kael_dtype_size(slices->indices->dtype);
    job.values = slices->values->data;
    return kael_parallel_for(0, slices->major, grain, fill_slices, &job);
}

kael_status kael_vcs_from_dense(kael_vcs **out, kael_vcs_orientation orientation,
                                const kael_tensor *dense) {
    KAEL_TRY(kael_vcs_require_out(out, orientation));
    KAEL_TRY(kael_require_not_null(dense, "dense"));
    KAEL_TRY(kael_tensor_require_shape(dense, "dense", 2,
                                       (const int64_t[]){KAEL_ANY_SIZE, KAEL_ANY_SIZE}));
    const int64_t *shape = kael_tensor_shape(dense);
    const int major_dim = orientation == KAEL_VCSC;
    kael_compressed slices = {.major = shape[major_dim], .minor = shape[!major_dim]};
    kael_tensor *turned = NULL;
    kael_tensor *rows = NULL;
    kael_status status = kael_tensor_transpose(&turned, dense, 0, major_dim);
    if (status == KAEL_OK) {
        status = take_array(&rows, turned, turned->dtype);
    }
    if (status == KAEL_OK) {
        status = collect_slices(&slices, rows);
    }
    if (status == KAEL_OK) {
        status = kael_vcs_group(out, orientation, &slices);
    }
    kael_compressed_release(&slices);
    kael_tensor_release(rows);
    kael_tensor_release(turned);
    return status;
}
