#include "nn/normalize.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/normalize.h"
#include "nn/row_matrix.h"
#include "nn/rows.h"
#include "ops/compute.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

/* ---- On rows ---- */

/* The operands as rows; those that a job lacks are empty. */
typedef struct operands {
    kael_row_matrix in;
    kael_row_matrix gradient;
    kael_row_matrix weight;
    kael_row_matrix bias;
    kael_row_matrix out;
} operands;

typedef struct rows_job {
    kael_normalize_function *function;
    const operands *of;
    double eps;
} rows_job;

static kael_status run_rows(int64_t first, int64_t last, void *context) {
    const rows_job *job = context;
    const operands *of = job->of;
    const kael_normalize_rows rows = {
        .rows = last - first,
        .count = of->in.count,
        .eps = job->eps,
        .in = kael_row_at(&of->in, first),
        .in_stride = of->in.row_stride,
        .gradient = of->gradient.data == NULL ? NULL : kael_row_at(&of->gradient, first),
        .gradient_stride = of->gradient.row_stride,
        .weight = of->weight.data,
        .bias = of->bias.data,
        .out = kael_row_at(&of->out, first),
        .out_stride = of->out.row_stride,
    };
    job->function(&rows);
    return KAEL_OK;
}

static kael_status choose_function(kael_normalize_function **function, kael_dtype dtype,
                                   const kael_normalize_job *job) {
    const kael_kernels *table = NULL;
    KAEL_TRY(kael_kernels_in_use(&table));
    const kael_normalize_kernels *kernels =
        dtype == KAEL_F32 ? table->normalize_f32 : table->normalize_f64;
    const bool forward = job->gradient == NULL;
    *function = job->how.is_centered
                    ? (forward ? kernels->layer_norm : kernels->layer_norm_backward)
                    : (forward ? kernels->rms_norm : kernels->rms_norm_backward);
    return KAEL_OK;
}

static kael_status open_if_there(kael_row_matrix *matrix, const kael_tensor *tensor, int64_t dims) {
    return tensor == NULL ? KAEL_OK : kael_row_matrix_open_last(matrix, tensor, dims);
}

static kael_status run_opened(operands *of, kael_tensor *out, const kael_normalize_job *job) {
    const int64_t dims = job->how.dims;
    KAEL_TRY(kael_row_matrix_open_last(&of->in, job->tensor, dims));
    KAEL_TRY(open_if_there(&of->gradient, job->gradient, dims));
    KAEL_TRY(open_if_there(&of->weight, job->weight, dims));
    KAEL_TRY(open_if_there(&of->bias, job->bias, dims));
    KAEL_TRY(kael_row_matrix_open_last_out(&of->out, out, dims, &of->in));
    rows_job rows = {.of = of, .eps = job->how.eps};
    KAEL_TRY(choose_function(&rows.function, of->in.dtype, job));
    KAEL_TRY(kael_parallel_for(0, of->in.rows, kael_grain_of(of->in.count, KAEL_COST_NORMALIZATION),
                               run_rows, &rows));
    return kael_row_matrix_commit(&of->out);
}

kael_status kael_normalize_run(kael_tensor *out, const kael_normalize_job *job) {
    operands of;
    memset(&of, 0, sizeof of);
    const kael_status status = run_opened(&of, out, job);
    kael_row_matrix_close(&of.out);
    kael_row_matrix_close(&of.bias);
    kael_row_matrix_close(&of.weight);
    kael_row_matrix_close(&of.gradient);
    kael_row_matrix_close(&of.in);
    return status;
}

/* ---- On tensors ---- */

static kael_status require_row(const kael_tensor *row, const char *name, const kael_tensor *tensor,
                               int64_t dims) {
    if (row == NULL) {
        return KAEL_OK;
    }
    KAEL_TRY(kael_tensor_require_dtype(row, name, tensor->dtype));
    return kael_tensor_require_shape(row, name, dims, tensor->sizes + tensor->ndim - dims);
}

static kael_status check(const kael_normalize_job *job) {
    const kael_tensor *tensor = job->tensor;
    const int64_t dims = job->how.dims;
    KAEL_TRY(kael_require_floating(tensor, "tensor"));
    if (dims < 1 || dims > tensor->ndim) {
        return kael_error(KAEL_ERROR_VALUE,
                          "normalized_dims must be between 1 and the tensor's %d dimensions, "
                          "got %lld",
                          tensor->ndim, (long long)dims);
    }
    if (!(job->how.eps > 0) || !isfinite(job->how.eps)) {
        return kael_error(KAEL_ERROR_VALUE, "eps must be positive and finite, got %g",
                          job->how.eps);
    }
    KAEL_TRY(require_row(job->weight, "weight", tensor, dims));
    return require_row(job->bias, "bias", tensor, dims);
}

static kael_status compute(kael_tensor *out, const void *job) {
    return kael_normalize_run(out, job);
}

static kael_status normalize(kael_tensor **out, const kael_normalize_job *job) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(check(job));
    const kael_result result = kael_result_like(job->tensor);
    KAEL_TRY(kael_compute_new(out, &result, compute, job));
    return kael_normalize_record(out, job);
}

static kael_status normalize_into(kael_tensor *out, const kael_normalize_job *job) {
    KAEL_TRY(check(job));
    const kael_result result = kael_result_like(job->tensor);
    const kael_tensor *const inputs[] = {job->tensor, job->weight, job->bias};
    return kael_compute_into(out, &result, compute, job, 3, inputs);
}

kael_status kael_standardize(kael_tensor **out, const kael_tensor *tensor, int64_t normalized_dims,
                             double eps) {
    return normalize(out,
                     &(kael_normalize_job){.how = {normalized_dims, eps, true}, .tensor = tensor});
}

kael_status kael_standardize_into(kael_tensor *out, const kael_tensor *tensor,
                                  int64_t normalized_dims, double eps) {
    return normalize_into(
        out, &(kael_normalize_job){.how = {normalized_dims, eps, true}, .tensor = tensor});
}

kael_status kael_layer_norm(kael_tensor **out, const kael_tensor *tensor, int64_t normalized_dims,
                            const kael_tensor *weight, const kael_tensor *bias, double eps) {
    return normalize(out, &(kael_normalize_job){.how = {normalized_dims, eps, true},
                                                .tensor = tensor,
                                                .weight = weight,
                                                .bias = bias});
}

kael_status kael_layer_norm_into(kael_tensor *out, const kael_tensor *tensor,
                                 int64_t normalized_dims, const kael_tensor *weight,
                                 const kael_tensor *bias, double eps) {
    return normalize_into(out, &(kael_normalize_job){.how = {normalized_dims, eps, true},
                                                     .tensor = tensor,
                                                     .weight = weight,
                                                     .bias = bias});
}

kael_status kael_rms_norm(kael_tensor **out, const kael_tensor *tensor, int64_t normalized_dims,
                          const kael_tensor *weight, double eps) {
    return normalize(out, &(kael_normalize_job){.how = {normalized_dims, eps, false},
                                                .tensor = tensor,
                                                .weight = weight});
}

kael_status kael_rms_norm_into(kael_tensor *out, const kael_tensor *tensor, int64_t normalized_dims,
                               const kael_tensor *weight, double eps) {
    return normalize_into(out, &(kael_normalize_job){.how = {normalized_dims, eps, false},
                                                     .tensor = tensor,
                                                     .weight = weight});
}
