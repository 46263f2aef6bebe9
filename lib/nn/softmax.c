/* Softmax and log softmax. */
#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/loss.h"
#include "nn/row_statistics.h"
#include "nn/rows.h"
#include "nn/softmax_gradient.h"
#include "ops/compute.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

typedef struct softmax_job {
    const kael_tensor *tensor;
    int64_t dim; /* from 0 on */
    bool is_log;
} softmax_job;

typedef struct rows_job {
    const kael_softmax_kernels *kernels;
    kael_softmax_function *function;
    const kael_row_matrix *in;
    const kael_row_matrix *out;
    /* Of one long row. */
    int64_t row;
    const void *largest;
    const void *total; /* or its logarithm */
} rows_job;

static kael_status run_rows(int64_t first, int64_t last, void *context) {
    const rows_job *job = context;
    const kael_softmax_rows rows = {
        .rows = last - first,
        .count = job->in->count,
        .in = kael_row_at(job->in, first),
        .in_stride = job->in->row_stride,
        .out = kael_row_at(job->out, first),
        .out_stride = job->out->row_stride,
    };
    job->function(&rows);
    return KAEL_OK;
}

static kael_status divide_elements(int64_t first, int64_t last, void *context) {
    const rows_job *job = context;
    job->kernels->divide(
        last - first, job->total,
        kael_mutable_element_at(kael_row_at(job->out, job->row), first, job->out->element_size));
    return KAEL_OK;
}

static kael_status shift_elements(int64_t first, int64_t last, void *context) {
    const rows_job *job = context;
    const int64_t size = job->in->element_size;
    job->kernels->shift(last - first, kael_element_at(kael_row_at(job->in, job->row), first, size),
                        job->largest, job->total,
                        kael_mutable_element_at(kael_row_at(job->out, job->row), first, size));
    return KAEL_OK;
}

/* Rows one by one, each shared by the threads. */
static kael_status run_long_rows(const rows_job *rows, bool is_log) {
    const kael_kernels *table;
    KAEL_TRY(kael_kernels_in_use(&table));
    const kael_elementary_maps *maps =
        rows->in->dtype == KAEL_F32 ? table->elementary_f32 : table->elementary_f64;
    kael_row_number largest;
    kael_row_number total;
    rows_job job = *rows;
    job.largest = &largest;
    job.total = &total;
    for (job.row = 0; job.row < job.in->rows; ++job.row) {
        void *exponentials = is_log ? NULL : kael_row_at(job.out, job.row);
        KAEL_TRY(
            kael_long_row_statistics(job.kernels, job.in, job.row, exponentials, &largest, &total));
        if (is_log) {
            maps->log(1, &total, &total);
        }
        KAEL_TRY(kael_parallel_for(0, job.in->count, KAEL_ELEMENT_GRAIN / 16,
                                   is_log ? shift_elements : divide_elements, &job));
    }
    return KAEL_OK;
}

static kael_status run(const softmax_job *job, const kael_row_matrix *in,
                       const kael_row_matrix *out) {
    rows_job rows = {.in = in, .out = out};
    KAEL_TRY(kael_softmax_kernels_for(&rows.kernels, in->dtype));
    rows.function = job->is_log ? rows.kernels->log_softmax : rows.kernels->softmax;
    return kael_rows_are_few_and_long(in)
               ? run_long_rows(&rows, job->is_log)
               : kael_parallel_for(0, in->rows, kael_row_grain(in), run_rows, &rows);
}

static kael_status compute(kael_tensor *out, const void *context) {
    const softmax_job *job = context;
    kael_row_matrix in;
    kael_row_matrix result;
    KAEL_TRY(kael_row_matrix_open(&in, job->tensor, job->dim));
    kael_status status = kael_row_matrix_open_out(&result, out, job->dim, &in);
    if (status == KAEL_OK) {
        status = run(job, &in, &result);
        if (status == KAEL_OK) {
            status = kael_row_matrix_commit(&result);
        }
        kael_row_matrix_close(&result);
    }
    kael_row_matrix_close(&in);
    return status;
}

static kael_status plan(softmax_job *job, kael_result *result, const kael_tensor *tensor,
                        int64_t dim, bool is_log) {
    KAEL_TRY(kael_require_floating(tensor, "tensor"));
    *job = (softmax_job){.tensor = tensor, .is_log = is_log};
    if (tensor->ndim > 0 || (dim != 0 && dim != -1)) {
        KAEL_TRY(kael_tensor_require_dim(tensor, dim, &job->dim));
    }
    *result = kael_result_like(tensor);
    return KAEL_OK;
}

static kael_status run_new(kael_tensor **out, const kael_tensor *tensor, int64_t dim, bool is_log) {
    KAEL_TRY(kael_require_out(out));
    softmax_job job;
    kael_result result;
    KAEL_TRY(plan(&job, &result, tensor, dim, is_log));
    KAEL_TRY(kael_compute_new(out, &result, compute, &job));
    return kael_softmax_record(out, tensor, job.dim, is_log);
}

static kael_status run_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim, bool is_log) {
    softmax_job job;
    kael_result result;
    KAEL_TRY(plan(&job, &result, tensor, dim, is_log));
    return kael_compute_into(out, &result, compute, &job, 1, &tensor);
}

kael_status kael_softmax(kael_tensor **out, const kael_tensor *tensor, int64_t dim) {
    return run_new(out, tensor, dim, false);
}

kael_status kael_softmax_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim) {
    return run_into(out, tensor, dim, false);
}

kael_status kael_log_softmax(kael_tensor **out, const kael_tensor *tensor, int64_t dim) {
    return run_new(out, tensor, dim, true);
}

kael_status kael_log_softmax_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim) {
    return run_into(out, tensor, dim, true);
}
