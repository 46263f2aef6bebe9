#include "nn/column_sums.h"

#include <string.h>

#include "core/error.h"
#include "memory/block.h"
#include "nn/rows.h"

/* Columns that one index of the loop sums. */
enum { STRIP = 128 };

typedef struct column_sums_job {
    const kael_nn_kernels *kernels;
    int64_t element_size;
    int64_t rows;
    int64_t columns;
    int64_t strips;
    const void *in;
    double *sums; /* a row of column sums for each block of rows */
} column_sums_job;

static kael_status sum_strips(int64_t first, int64_t last, void *context) {
    const column_sums_job *job = context;
    for (int64_t i = first; i < last; ++i) {
        const int64_t block = i / job->strips;
        const int64_t row = block * KAEL_SUM_BLOCK;
        const int64_t column = i % job->strips * STRIP;
        job->kernels->column_sums(
            kael_min_i64(KAEL_SUM_BLOCK, job->rows - row),
            kael_min_i64(STRIP, job->columns - column),
            kael_element_at(job->in, row * job->columns + column, job->element_size), job->columns,
            job->sums + block * job->columns + column);
    }
    return KAEL_OK;
}

/* Adds the blocks' sums in pairs, an odd last one carried, until the first row holds the total. */
static void add_in_pairs(double *sums, int64_t blocks, int64_t columns) {
    for (; blocks > 1; blocks = kael_ceil_div(blocks, 2)) {
        for (int64_t pair = 0; pair < blocks / 2; ++pair) {
            const double *left = sums + 2 * pair * columns;
            double *total = sums + pair * columns;
            for (int64_t j = 0; j < columns; ++j) {
                total[j] = left[j] + left[columns + j];
            }
        }
        if (blocks % 2 == 1) {
            memmove(sums + blocks / 2 * columns, sums + (blocks - 1) * columns,
                    (size_t)columns * sizeof *sums);
        }
    }
}

static void round_sums(void *out, kael_dtype dtype, const double *sums, int64_t columns) {
    if (dtype == KAEL_F64) {
        memcpy(out, sums, (size_t)columns * sizeof *sums);
        return;
    }
    float *rounded = out;
    for (int64_t j = 0; j < columns; ++j) {
        rounded[j] = (float)sums[j];
    }
}

kael_status kael_column_sums(int64_t rows, int64_t columns, kael_dtype dtype, const void *in,
                             void *out) {
    const int64_t blocks = kael_ceil_div(rows, KAEL_SUM_BLOCK);
    column_sums_job job = {
        .element_size = kael_dtype_size(dtype),
        .rows = rows,
        .columns = columns,
        .strips = kael_ceil_div(columns, STRIP),
        .in = in,
    };
    if (columns == 0) {
        return KAEL_OK;
    }
    if (rows == 0) {
        memset(out, 0, (size_t)(columns * job.element_size));
        return KAEL_OK;
    }
    KAEL_TRY(kael_nn_kernels_for(&job.kernels, dtype));
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, blocks * columns * (int64_t)sizeof *job.sums));
    job.sums = block.data;
    const int64_t grain =
        kael_grain_of(kael_min_i64(rows, KAEL_SUM_BLOCK) * kael_min_i64(columns, STRIP), 1);
    const kael_status status = kael_parallel_for(0, blocks * job.strips, grain, sum_strips, &job);
    if (status == KAEL_OK) {
        add_in_pairs(job.sums, blocks, columns);
        round_sums(out, dtype, job.sums, columns);
    }
    kael_block_release(&block);
    return status;
}
