#include "nn/row_statistics.h"

#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kernels/block_sums.h"
#include "kernels/reduce.h"
#include "memory/block.h"
#include "nn/rows.h"

enum { BLOCK = KAEL_REDUCE_BLOCK, FEW_ROWS = 8, MANY_CHUNKS = 128 };

kael_status kael_softmax_kernels_for(const kael_softmax_kernels **kernels, kael_dtype dtype) {
    const kael_kernels *table;
    KAEL_TRY(kael_kernels_in_use(&table));
    *kernels = dtype == KAEL_F32 ? table->softmax_f32 : table->softmax_f64;
    return KAEL_OK;
}

bool kael_rows_are_few_and_long(const kael_row_matrix *matrix) {
    return matrix->rows < FEW_ROWS && matrix->count > 2 * BLOCK;
}

int64_t kael_row_grain(const kael_row_matrix *matrix) {
    return kael_max_i64(kael_grain_of(matrix->count, KAEL_COST_EXPONENTIAL),
                        matrix->rows / MANY_CHUNKS);
}

typedef struct statistics_job {
    const kael_softmax_kernels *kernels;
    const kael_row_matrix *matrix;
    void *largest;
    void *totals;
    /* Of one long row. */
    const void *row;
    void *out;
    double *block_sums;
    void *block_largest;
} statistics_job;

static void *element(const statistics_job *job, void *data, int64_t index) {
    return kael_mutable_element_at(data, index, job->matrix->element_size);
}

static kael_status statistics_of_rows(int64_t first, int64_t last, void *context) {
    const statistics_job *job = context;
    const kael_softmax_rows rows = {
        .rows = last - first,
        .count = job->matrix->count,
        .in = kael_row_at(job->matrix, first),
        .in_stride = job->matrix->row_stride,
    };
    job->kernels->statistics(&rows, element(job, job->largest, first),
                             element(job, job->totals, first));
    return KAEL_OK;
}

static int64_t block_size(const statistics_job *job, int64_t block) {
    return kael_min_i64(BLOCK, job->matrix->count - block * BLOCK);
}

static const void *block_at(const statistics_job *job, int64_t block) {
    return kael_element_at(job->row, block * BLOCK, job->matrix->element_size);
}

static kael_status largest_of_blocks(int64_t first, int64_t last, void *context) {
    const statistics_job *job = context;
    for (int64_t block = first; block < last; ++block) {
        job->kernels->row_largest(block_size(job, block), block_at(job, block),
                                  element(job, job->block_largest, block));
    }
    return KAEL_OK;
}

static kael_status sums_of_blocks(int64_t first, int64_t last, void *context) {
    const statistics_job *job = context;
    for (int64_t block = first; block < last; ++block) {
        job->block_sums[block] = job->kernels->block_total(
            block_size(job, block), block_at(job, block), job->largest,
            job->out == NULL ? NULL : element(job, job->out, block * BLOCK));
    }
    return KAEL_OK;
}

static kael_status run_blocks(statistics_job *job, int64_t blocks) {
    KAEL_TRY(kael_parallel_for(0, blocks, 1, largest_of_blocks, job));
    job->kernels->row_largest(blocks, job->block_largest, job->largest);
    KAEL_TRY(kael_parallel_for(0, blocks, 1, sums_of_blocks, job));
    kael_block_sums sums;
    sums.depth = sums.count = 0;
    for (int64_t block = 0; block < blocks; ++block) {
        kael_block_sums_add(&sums, job->block_sums[block]);
    }
    const double total = kael_block_sums_total(&sums);
    if (job->matrix->dtype == KAEL_F32) {
        *(float *)job->totals = (float)total;
    } else {
        *(double *)job->totals = total;
    }
    return KAEL_OK;
}

kael_status kael_long_row_statistics(const kael_softmax_kernels *kernels,
                                     const kael_row_matrix *matrix, int64_t row, void *out,
                                     void *largest, void *total) {
    const int64_t blocks = kael_ceil_div(matrix->count, BLOCK);
    kael_block memory;
    KAEL_TRY(kael_block_allocate(&memory, blocks * (int64_t)(2 * sizeof(double))));
    statistics_job job = {
        .kernels = kernels,
        .matrix = matrix,
        .largest = largest,
        .totals = total,
        .row = kael_row_at(matrix, row),
        .out = out,
        .block_sums = memory.data,
        .block_largest = (double *)memory.data + blocks,
    };
    const kael_status status = run_blocks(&job, blocks);
    kael_block_release(&memory);
    return status;
}

kael_status kael_row_statistics(const kael_softmax_kernels *kernels, const kael_row_matrix *matrix,
                                void *largest, void *totals) {
    statistics_job job = {
        .kernels = kernels, .matrix = matrix, .largest = largest, .totals = totals};
    if (!kael_rows_are_few_and_long(matrix)) {
        return kael_parallel_for(0, matrix->rows, kael_row_grain(matrix), statistics_of_rows, &job);
    }
    for (int64_t row = 0; row < matrix->rows; ++row) {
        KAEL_TRY(kael_long_row_statistics(kernels, matrix, row, NULL, element(&job, largest, row),
                                          element(&job, totals, row)));
    }
    return KAEL_OK;
}
