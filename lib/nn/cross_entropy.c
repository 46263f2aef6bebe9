#include "nn/cross_entropy.h"

#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "nn/loss_gradient.h"
#include "nn/row_statistics.h"
#include "nn/rows.h"
#include "ops/compute.h"
#include "tensor/copy.h"
#include "tensor/graph.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

/* Rows computed together, whose logarithms are one vector. */
enum { BATCH = 64, CACHED_ELEMENTS = 4096 };

kael_status kael_cross_entropy_statistics_create(kael_tensor **statistics,
                                                 const kael_tensor *logits) {
    const int64_t classes = logits->sizes[kael_class_dim(logits)];
    const int64_t shape[] = {2, classes == 0 ? 0 : logits->numel / classes};
    return kael_tensor_empty(statistics, kael_row_dtype(logits->dtype), 2, shape);
}

/* ---- losses ---- */

typedef struct losses_job {
    const kael_softmax_kernels *kernels;
    const kael_elementary_maps *maps;
    const kael_row_matrix *logits;
    const kael_row_matrix *probabilities;
    const kael_loss_targets *loss;
    char *largest;
    char *totals;
    char *losses;
} losses_job;

static char *number(const losses_job *job, char *array, int64_t row) {
    return array + row * job->logits->element_size;
}

static kael_softmax_rows rows_of(const kael_row_matrix *matrix, int64_t first, int64_t count) {
    return (kael_softmax_rows){
        .rows = count,
        .count = matrix->count,
        .in = kael_row_at(matrix, first),
        .in_stride = matrix->row_stride,
    };
}

static kael_softmax_targets targets_of(const kael_loss_targets *loss,
                                       const kael_row_matrix *probabilities, int64_t row) {
    return (kael_softmax_targets){
        .weights = loss->weights == NULL ? NULL : loss->weights->data,
        .probabilities = loss->probabilities == NULL ? NULL : kael_row_at(probabilities, row),
        .keep = loss->keep,
        .share = loss->share,
    };
}

/* From the logarithm of the row's total. */
static double sum_over_classes(const losses_job *job, int64_t row, const void *log_total) {
    const kael_softmax_targets targets = targets_of(job->loss, job->probabilities, row);
    return job->kernels->loss_sum(job->logits->count, kael_row_at(job->logits, row),
                                  number(job, job->largest, row), log_total, &targets);
}

/* Turns the loss of the target class alone into that of the row. */
static void complete_loss(const losses_job *job, int64_t row, const void *log_total) {
    const kael_loss_targets *loss = job->loss;
    const kael_dtype dtype = job->logits->dtype;
    const int64_t class_index = kael_loss_class(loss, row);
    if (class_index < 0) {
        return;
    }
    const double own = kael_row_get(dtype, job->losses, row) * kael_loss_weight(loss, class_index);
    kael_row_put(dtype, job->losses, row,
                 loss->smooths
                     ? loss->keep * own + loss->share * sum_over_classes(job, row, log_total)
                     : own);
}

/* The losses of rows whose statistics are known. */
static void finish_losses(const losses_job *job, int64_t first, int64_t count) {
    kael_row_number log_totals[BATCH];
    const kael_loss_targets *loss = job->loss;
    const int64_t size = job->logits->element_size;
    job->maps->log(count, number(job, job->totals, first), log_totals);
    if (loss->probabilities != NULL) {
        for (int64_t i = 0; i < count; ++i) {
            kael_row_put(job->logits->dtype, job->losses, first + i,
                         sum_over_classes(job, first + i, kael_element_at(log_totals, i, size)));
        }
        return;
    }
    const kael_softmax_rows rows = rows_of(job->logits, first, count);
    job->kernels->target_losses(&rows, (const int64_t *)loss->classes->data + first,
                                number(job, job->largest, first), log_totals,
                                number(job, job->losses, first));
    if (loss->weights != NULL || loss->smooths) {
        for (int64_t i = 0; i < count; ++i) {
            complete_loss(job, first + i, kael_element_at(log_totals, i, size));
        }
    }
}

static kael_status loss_rows(int64_t first, int64_t last, void *context) {
    const losses_job *job = context;
    for (int64_t row = first; row < last; row += BATCH) {
        const int64_t count = kael_min_i64(BATCH, last - row);
        const kael_softmax_rows rows = rows_of(job->logits, row, count);
        job->kernels->statistics(&rows, number(job, job->largest, row),
                                 number(job, job->totals, row));
        if (job->losses != NULL) {
            finish_losses(job, row, count);
        }
    }
    return KAEL_OK;
}

static kael_status run_losses(losses_job *job) {
    if (!kael_rows_are_few_and_long(job->logits)) {
        return kael_parallel_for(0, job->logits->rows, kael_row_grain(job->logits), loss_rows, job);
    }
    KAEL_TRY(kael_row_statistics(job->kernels, job->logits, job->largest, job->totals));
    if (job->losses != NULL) {
        finish_losses(job, 0, job->logits->rows);
    }
    return KAEL_OK;
}

static kael_status open_probabilities(kael_row_matrix *matrix, const kael_loss_targets *loss) {
    *matrix = (kael_row_matrix){0};
    return loss->probabilities == NULL ? KAEL_OK
                                       : kael_row_matrix_open(matrix, loss->probabilities,
                                                              kael_class_dim(loss->probabilities));
}

/* The totals of the rows lie behind their largest elements; NULL without rows. */
static char *totals_in(const kael_tensor *statistics, const kael_row_matrix *logits) {
    return statistics->data == NULL
               ? NULL
               : (char *)statistics->data + logits->rows * logits->element_size;
}

kael_status kael_cross_entropy_run(kael_tensor *losses, kael_tensor *statistics,
                                   const kael_row_matrix *logits, const kael_loss_targets *loss) {
    const kael_kernels *table;
    KAEL_TRY(kael_kernels_in_use(&table));
    kael_row_matrix probabilities;
    KAEL_TRY(open_probabilities(&probabilities, loss));
    losses_job job = {
        .maps = logits->dtype == KAEL_F32 ? table->elementary_f32 : table->elementary_f64,
        .logits = logits,
        .probabilities = &probabilities,
        .loss = loss,
        .largest = statistics->data,
        .totals = totals_in(statistics, logits),
        .losses = losses == NULL ? NULL : losses->data,
    };
    kael_status status = kael_softmax_kernels_for(&job.kernels, logits->dtype);
    if (status == KAEL_OK) {
        status = run_losses(&job);
    }
    kael_row_matrix_close(&probabilities);
    return status;
}

/* ---- gradients ---- */

typedef struct gradient_job {
    const kael_softmax_kernels *kernels;
    const kael_row_matrix *out;
    const kael_row_matrix *logits;
    const kael_row_matrix *probabilities;
    const kael_loss_targets *loss;
    const kael_loss_gradients *gradients;
    const char *largest;
    const char *totals;
    double weight_sum; /* of all classes, where labels are smoothed */
    /* Of one long row. */
    int64_t row;
    kael_row_number scale;
} gradient_job;

/* The sum of the row's target weights, by which its softmax is multiplied. */
static double target_sum(const gradient_job *job, int64_t row) {
    const kael_loss_targets *loss = job->loss;
    if (loss->probabilities != NULL) {
        const kael_softmax_targets targets = targets_of(loss, job->probabilities, row);
        return job->kernels->target_sum(job->logits->count, &targets);
    }
    const int64_t class_index = kael_loss_class(loss, row);
    if (class_index < 0) {
        return 0;
    }
    const double weight = kael_loss_weight(loss, class_index);
    return loss->smooths ? loss->keep * weight + loss->share * job->weight_sum : weight;
}

static double scale_of(const gradient_job *job, int64_t row) {
    return kael_loss_gradient(job->gradients, row) * target_sum(job, row);
}

/* Subtracts the targets from the scaled softmax. */
static void finish_row(const gradient_job *job, int64_t row) {
    const kael_loss_targets *loss = job->loss;
    const kael_dtype dtype = job->out->dtype;
    const int64_t classes = job->out->count;
    void *out = kael_row_at(job->out, row);
    const double scale = kael_loss_gradient(job->gradients, row);
    const int64_t class_index = loss->probabilities == NULL ? kael_loss_class(loss, row) : 0;
    if (class_index < 0) {
        memset(out, 0, (size_t)(classes * job->out->element_size));
        return;
    }
    if (loss->probabilities != NULL || loss->smooths) {
        const kael_softmax_targets targets = targets_of(loss, job->probabilities, row);
        job->kernels->subtract_targets(classes, scale, &targets, out);
    }
    if (loss->probabilities == NULL) {
        const double weight = kael_loss_weight(loss, class_index);
        kael_row_number part;
        kael_row_put(dtype, &part, 0, scale * (loss->smooths ? loss->keep * weight : weight));
        kael_row_put(dtype, out, class_index,
                     kael_row_get(dtype, out, class_index) - kael_row_get(dtype, &part, 0));
    }
}

static void softmax_rows(const gradient_job *job, int64_t first, int64_t count,
                         const void *scales) {
    kael_softmax_rows rows = rows_of(job->logits, first, count);
    rows.out = kael_row_at(job->out, first);
    rows.out_stride = job->out->row_stride;
    const int64_t size = job->logits->element_size;
    job->kernels->scaled_softmax(&rows, job->largest + first * size, job->totals + first * size,
                                 scales);
}

static kael_status gradient_rows(int64_t first, int64_t last, void *context) {
    const gradient_job *job = context;
    kael_row_number scales[BATCH];
    /* Rows that are finished while they are in the cache. */
    const int64_t batch = kael_max_i64(1, kael_min_i64(BATCH, CACHED_ELEMENTS / job->out->count));
    for (int64_t begin = first; begin < last; begin += batch) {
        const int64_t count = kael_min_i64(batch, last - begin);
        for (int64_t i = 0; i < count; ++i) {
            kael_row_put(job->out->dtype, scales, i, scale_of(job, begin + i));
        }
        softmax_rows(job, begin, count, scales);
        for (int64_t i = 0; i < count; ++i) {
            finish_row(job, begin + i);
        }
    }
    return KAEL_OK;
}

static kael_status gradient_elements(int64_t first, int64_t last, void *context) {
    const gradient_job *job = context;
    const int64_t size = job->logits->element_size;
    const kael_softmax_rows piece = {
        .rows = 1,
        .count = last - first,
        .in = kael_element_at(kael_row_at(job->logits, job->row), first, size),
        .out = kael_mutable_element_at(kael_row_at(job->out, job->row), first, size),
    };
    job->kernels->scaled_softmax(&piece, job->largest + job->row * size,
                                 job->totals + job->row * size, &job->scale);
    return KAEL_OK;
}

static kael_status run_gradients(gradient_job *job) {
    if (!kael_rows_are_few_and_long(job->logits)) {
        return kael_parallel_for(0, job->logits->rows, kael_row_grain(job->logits), gradient_rows,
                                 job);
    }
    for (job->row = 0; job->row < job->logits->rows; ++job->row) {
        kael_row_put(job->out->dtype, &job->scale, 0, scale_of(job, job->row));
        KAEL_TRY(kael_parallel_for(0, job->logits->count, kael_grain_of(1, KAEL_COST_EXPONENTIAL),
                                   gradient_elements, job));
        finish_row(job, job->row);
    }
    return KAEL_OK;
}

kael_status kael_cross_entropy_run_backward(const kael_row_matrix *out,
                                            const kael_row_matrix *logits,
                                            const kael_tensor *statistics,
                                            const kael_loss_targets *loss,
                                            const kael_loss_gradients *gradients) {
    kael_row_matrix probabilities;
    KAEL_TRY(open_probabilities(&probabilities, loss));
    gradient_job job = {
        .out = out,
        .logits = logits,
        .probabilities = &probabilities,
        .loss = loss,
        .gradients = gradients,
        .largest = statistics->data,
        .totals = totals_in(statistics, logits),
    };
    kael_status status = kael_softmax_kernels_for(&job.kernels, logits->dtype);
    if (status == KAEL_OK) {
        if (loss->smooths && loss->probabilities == NULL) {
            const kael_softmax_targets all = targets_of(loss, &probabilities, 0);
            job.weight_sum = job.kernels->target_sum(logits->count, &all);
        }
        status = run_gradients(&job);
    }
    kael_row_matrix_close(&probabilities);
    return status;
}

/* ---- the operations ---- */

/* The losses, in f32 or f64, and the statistics. */
static kael_status compute_losses(kael_tensor **losses, kael_tensor **statistics,
                                  const kael_tensor *logits, const kael_loss_targets *loss) {
    kael_row_matrix matrix;
    KAEL_TRY(kael_row_matrix_open(&matrix, logits, kael_class_dim(logits)));
    kael_status status = kael_losses_create(losses, logits);
    if (status == KAEL_OK) {
        status = kael_cross_entropy_statistics_create(statistics, logits);
        if (status == KAEL_OK) {
            if (matrix.count == 0) { /* rows without classes: each loss is an empty sum */
                memset((*losses)->data, 0, (size_t)kael_tensor_storage_bytes(*losses));
            }
            status = kael_cross_entropy_run(*losses, *statistics, &matrix, loss);
            if (status != KAEL_OK) {
                kael_tensor_release(*statistics);
            }
        }
        if (status != KAEL_OK) {
            kael_tensor_release(*losses);
        }
    }
    kael_row_matrix_close(&matrix);
    return status;
}

static kael_status cross_entropy(kael_tensor **out, const kael_tensor *logits,
                                 const kael_loss_targets *loss) {
    kael_tensor *losses;
    kael_tensor *statistics;
    KAEL_TRY(compute_losses(&losses, &statistics, logits, loss));
    kael_status status = kael_losses_reduce(out, losses, loss, logits->dtype);
    kael_tensor_release(losses);
    if (status == KAEL_OK) {
        status = kael_cross_entropy_record(out, logits, statistics, loss);
    }
    kael_tensor_release(statistics);
    return status;
}

kael_status kael_cross_entropy(kael_tensor **out, const kael_tensor *logits,
                               const kael_tensor *targets, const kael_loss_options *options) {
    KAEL_TRY(kael_require_out(out));
    kael_loss_targets loss;
    KAEL_TRY(kael_loss_targets_open(&loss, logits, "logits", targets, options,
                                    KAEL_TARGETS_CLASSES_OR_PROBABILITIES));
    const kael_status status = cross_entropy(out, logits, &loss);
    kael_loss_targets_close(&loss);
    return status;
}

static const kael_loss_options plain_losses = {.reduction = KAEL_LOSS_NONE};

static kael_status open_plain(kael_loss_targets *loss, const kael_tensor *logits,
                              const kael_tensor *targets) {
    return kael_loss_targets_open(loss, logits, "logits", targets, &plain_losses,
                                  KAEL_TARGETS_ALL_CLASSES);
}

kael_status kael_cross_entropy_losses(kael_tensor **out, const kael_tensor *logits,
                                      const kael_tensor *targets) {
    KAEL_TRY(kael_require_out(out));
    kael_loss_targets loss;
    KAEL_TRY(open_plain(&loss, logits, targets));
    const kael_status status = cross_entropy(out, logits, &loss);
    kael_loss_targets_close(&loss);
    return status;
}

typedef struct plain_job {
    const kael_tensor *logits;
    const kael_loss_targets *loss;
    double row_gradient;
} plain_job;

static kael_status write_losses(kael_tensor *out, const void *context) {
    const plain_job *job = context;
    kael_tensor *losses;
    kael_tensor *statistics;
    KAEL_TRY(compute_losses(&losses, &statistics, job->logits, job->loss));
    const kael_status status = kael_copy_elements(out, losses);
    kael_tensor_release(losses);
    kael_tensor_release(statistics);
    return status;
}

kael_status kael_cross_entropy_losses_into(kael_tensor *out, const kael_tensor *logits,
                                           const kael_tensor *targets) {
    kael_loss_targets loss;
    KAEL_TRY(open_plain(&loss, logits, targets));
    const plain_job job = {.logits = logits, .loss = &loss};
    kael_result result = kael_result_like(targets);
    result.dtype = logits->dtype;
    const kael_status status = kael_compute_into(out, &result, write_losses, &job, 2,
                                                 (const kael_tensor *const[]){logits, targets});
    kael_loss_targets_close(&loss);
    return status;
}

static kael_status run_plain_gradient(const kael_row_matrix *out, const kael_row_matrix *logits,
                                      const plain_job *job) {
    kael_tensor *statistics;
    KAEL_TRY(kael_cross_entropy_statistics_create(&statistics, job->logits));
    kael_status status = kael_cross_entropy_run(NULL, statistics, logits, job->loss);
    if (status == KAEL_OK) {
        const kael_loss_gradients gradients = {.same = job->row_gradient};
        status = kael_cross_entropy_run_backward(out, logits, statistics, job->loss, &gradients);
    }
    kael_tensor_release(statistics);
    return status;
}

static kael_status write_gradient(kael_tensor *out, const void *context) {
    const plain_job *job = context;
    const int64_t dim = kael_class_dim(job->logits);
    kael_row_matrix logits;
    kael_row_matrix gradient;
    KAEL_TRY(kael_row_matrix_open(&logits, job->logits, dim));
    kael_status status = kael_row_matrix_open_out(&gradient, out, dim, &logits);
    if (status == KAEL_OK) {
        status = run_plain_gradient(&gradient, &logits, job);
        if (status == KAEL_OK) {
            status = kael_row_matrix_commit(&gradient);
        }
        kael_row_matrix_close(&gradient);
    }
    kael_row_matrix_close(&logits);
    return status;
}

kael_status kael_cross_entropy_backward_into(kael_tensor *gradient, double row_gradient,
                                             const kael_tensor *logits,
                                             const kael_tensor *targets) {
    kael_loss_targets loss;
    KAEL_TRY(kael_require_not_null(gradient, "gradient"));
    KAEL_TRY(open_plain(&loss, logits, targets));
    const kael_result result = kael_result_like(logits);
    kael_status status = kael_tensor_require_dtype(gradient, "gradient", result.dtype);
    if (status == KAEL_OK) {
        status = kael_tensor_require_shape(gradient, "gradient", result.ndim, result.shape);
    }
    if (status == KAEL_OK) {
        status = kael_graph_begin_write(gradient, "gradient", 1, &logits);
    }
    if (status == KAEL_OK) {
        /* The targets have been copied. Logits that are the gradient itself are read row by row
         * before the row is written. */
        const plain_job job = {.logits = logits, .loss = &loss, .row_gradient = row_gradient};
        const int64_t operands = kael_tensor_is_same(gradient, logits) ? 0 : 1;
        status = kael_compute_into(gradient, &result, write_gradient, &job, operands, &logits);
    }
    kael_loss_targets_close(&loss);
    return status;
}
