/* tril and triu: matrices with one triangle set to zero. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/indexing.h"
#include "kael/parallel.h"
#include "ops/compute.h"
#include "ops/indexing_gradient.h"
#include "tensor/copy.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

typedef struct triangle_job {
    const kael_tensor *tensor;
    int64_t k;
    bool upper;
} triangle_job;

/* The columns of a row that become zero. */
typedef struct column_range {
    int64_t first;
    int64_t end;
} column_range;

static int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return kael_max_i64(low, kael_min_i64(value, high));
}

static column_range zeros_of(const triangle_job *job, int64_t row, int64_t columns) {
    int64_t diagonal; /* the column where column - row = k */
    if (!kael_checked_add(row, job->k, &diagonal)) {
        diagonal = INT64_MAX;
    }
    return job->upper ? (column_range){0, clamp(diagonal, 0, columns)}
                      : (column_range){clamp(diagonal, -1, columns - 1) + 1, columns};
}

typedef struct row_job {
    const triangle_job *triangle;
    kael_tensor *out;
    const char *in; /* rows of `out` to copy from, dense as those of `out`; or NULL */
} row_job;

static void zero_elements(char *row, int64_t stride, column_range columns, int64_t element_size) {
    if (stride == element_size) {
        memset(row + columns.first * stride, 0,
               (size_t)((columns.end - columns.first) * element_size));
        return;
    }
    for (int64_t column = columns.first; column < columns.end; ++column) {
        memset(row + column * stride, 0, (size_t)element_size);
    }
}

static void copy_elements(char *out, const char *in, int64_t first, int64_t end, int64_t size) {
    memcpy(out + first * size, in + first * size, (size_t)((end - first) * size));
}

/* Rows are numbered through all matrices. */
static char *row_address(const kael_tensor *out, int64_t row) {
    int64_t offset = 0;
    for (int dim = out->ndim - 2; dim >= 0; --dim) {
        offset += row % out->sizes[dim] * kael_tensor_strides(out)[dim];
        row /= out->sizes[dim];
    }
    return (char *)out->data + offset * kael_dtype_size(out->dtype);
}

static kael_status work_rows(int64_t first, int64_t last, void *context) {
    const row_job *job = context;
    const kael_tensor *out = job->out;
    const int64_t size = kael_dtype_size(out->dtype);
    const int64_t rows = out->sizes[out->ndim - 2];
    const int64_t columns = out->sizes[out->ndim - 1];
    const int64_t stride = kael_tensor_strides(out)[out->ndim - 1] * size;
    for (int64_t row = first; row < last; ++row) {
        const column_range zeros = zeros_of(job->triangle, row % rows, columns);
        char *to = row_address(out, row);
        if (job->in != NULL) {
            const char *from = job->in + row * columns * size;
            copy_elements(to, from, 0, zeros.first, size);
            copy_elements(to, from, zeros.end, columns, size);
        }
        zero_elements(to, stride, zeros, size);
    }
    return KAEL_OK;
}

static kael_status run_rows(kael_tensor *out, const triangle_job *triangle, const char *in) {
    row_job job = {triangle, out, in};
    const int64_t columns = out->sizes[out->ndim - 1];
    return kael_parallel_for(0, out->numel / columns, kael_max_i64(1, KAEL_ELEMENT_GRAIN / columns),
                             work_rows, &job);
}

static kael_status compute(kael_tensor *out, const void *context) {
    const triangle_job *job = context;
    if (kael_tensor_is_same(out, job->tensor)) {
        return run_rows(out, job, NULL);
    }
    if (out->is_contiguous && job->tensor->is_contiguous) {
        return run_rows(out, job, job->tensor->data);
    }
    KAEL_TRY(kael_copy_elements(out, job->tensor));
    return run_rows(out, job, NULL);
}

static kael_status make_job(triangle_job *job, const kael_tensor *tensor, int64_t k, bool upper) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    if (tensor->ndim < 2) {
        return kael_error(KAEL_ERROR_SHAPE, "tensor must have at least 2 dimensions, got %d",
                          tensor->ndim);
    }
    *job = (triangle_job){tensor, k, upper};
    return KAEL_OK;
}

static kael_status make(kael_tensor **out, const kael_tensor *tensor, int64_t k, bool upper) {
    KAEL_TRY(kael_require_out(out));
    triangle_job job;
    KAEL_TRY(make_job(&job, tensor, k, upper));
    const kael_result result = kael_result_like(tensor);
    KAEL_TRY(kael_compute_new(out, &result, compute, &job));
    return kael_triangle_record(out, tensor, k, upper);
}

static kael_status make_into(kael_tensor *out, const kael_tensor *tensor, int64_t k, bool upper) {
    triangle_job job;
    KAEL_TRY(make_job(&job, tensor, k, upper));
    const kael_result result = kael_result_like(tensor);
    const bool in_place = out != NULL && kael_tensor_is_same(out, tensor);
    return kael_compute_into(out, &result, compute, &job, 1,
                             (const kael_tensor *const[]){in_place ? NULL : tensor});
}

kael_status kael_tril(kael_tensor **out, const kael_tensor *tensor, int64_t k) {
    return make(out, tensor, k, false);
}

kael_status kael_tril_into(kael_tensor *out, const kael_tensor *tensor, int64_t k) {
    return make_into(out, tensor, k, false);
}

kael_status kael_triu(kael_tensor **out, const kael_tensor *tensor, int64_t k) {
    return make(out, tensor, k, true);
}

kael_status kael_triu_into(kael_tensor *out, const kael_tensor *tensor, int64_t k) {
    return make_into(out, tensor, k, true);
}
