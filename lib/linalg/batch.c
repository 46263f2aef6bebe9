#include "linalg/batch.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "linalg/plan.h"
#include "linalg/slots.h"
#include "memory/block.h"

/* Multiplications that are worth another thread, and from which on a single product uses several.
 */
#define WORK_PER_TASK (INT64_C(1) << 21)
/* As parallel_for cuts no range into more. */
#define MOST_TASKS 1024

/* ---- Batches that are one larger product ---- */

static void remove_dim(kael_batch *batch, int dim) {
    --batch->ndim;
    for (int i = dim; i < batch->ndim; ++i) {
        batch->shape[i] = batch->shape[i + 1];
        for (int operand = 0; operand < KAEL_BATCH_OPERANDS; ++operand) {
            batch->strides[operand][i] = batch->strides[operand][i + 1];
        }
    }
}

/* Whether steps of `outer` bytes go on where `count` steps of `*inner` elements end. A single step
 * has no length yet. */
static bool continues(int64_t outer, int64_t count, int64_t *inner, int64_t element_size) {
    if (count == 1) {
        *inner = outer / element_size;
        return outer % element_size == 0;
    }
    return outer == count * *inner * element_size;
}

/* Matrices of a that lie below each other, times one b, are one taller matrix. */
static bool fold_into_rows(kael_batch *batch, int dim, int64_t kernel_size) {
    kael_product *product = &batch->product;
    int64_t a_stride = product->a.stride;
    int64_t c_stride = product->c_row_stride;
    if (batch->strides[KAEL_BATCH_B][dim] != 0 ||
        !continues(batch->strides[KAEL_BATCH_A][dim], product->rows, &a_stride,
                   kael_stored_size(product->a_conversion, kernel_size)) ||
        !continues(batch->strides[KAEL_BATCH_C][dim], product->rows, &c_stride,
                   kael_stored_size(product->c_conversion, kernel_size))) {
        return false;
    }
    product->a.stride = a_stride;
    product->c_row_stride = c_stride;
    product->rows *= batch->shape[dim];
    remove_dim(batch, dim);
    return true;
}

static bool fold_into_columns(kael_batch *batch, int dim, int64_t kernel_size) {
    kael_product *product = &batch->product;
    int64_t b_stride = product->b.stride;
    int64_t c_stride = product->c_column_stride;
    if (batch->strides[KAEL_BATCH_A][dim] != 0 ||
        !continues(batch->strides[KAEL_BATCH_B][dim], product->columns, &b_stride,
                   kael_stored_size(product->b_conversion, kernel_size)) ||
        !continues(batch->strides[KAEL_BATCH_C][dim], product->columns, &c_stride,
                   kael_stored_size(product->c_conversion, kernel_size))) {
        return false;
    }
    product->b.stride = b_stride;
    product->c_column_stride = c_stride;
    product->columns *= batch->shape[dim];
    remove_dim(batch, dim);
    return true;
}

static void fold(kael_batch *batch, int64_t kernel_size) {
    for (int dim = batch->ndim - 1; dim >= 0; --dim) {
        if (batch->shape[dim] == 1) {
            remove_dim(batch, dim);
        } else if (fold_into_rows(batch, dim, kernel_size) ||
                   fold_into_columns(batch, dim, kernel_size)) {
            dim = batch->ndim;
        }
    }
}

/* ---- Which thread does what ---- */

static int64_t batch_count(const kael_batch *batch) {
    int64_t count = 1;
    for (int i = 0; i < batch->ndim; ++i) {
        count *= batch->shape[i];
    }
    return count;
}

static int64_t work_of(const kael_product *product) {
    const double work = (double)product->rows * (double)product->inner * (double)product->columns;
    return work < (double)WORK_PER_TASK ? kael_max_i64(1, (int64_t)work) : WORK_PER_TASK;
}

/* Whether `tasks` equal tasks keep the threads busy for three quarters of the time. */
static bool keeps_busy(int64_t tasks, int64_t threads) {
    return 4 * tasks >= 3 * kael_ceil_div(tasks, threads) * threads;
}

typedef struct batch_job {
    const kael_batch *batch;
    const kael_product_plan *plan;
    kael_slots slots;
} batch_job;

/* Where matrix `index` is, of the matrices in row-major order. */
typedef struct position {
    int64_t indices[KAEL_MAX_DIMS];
    int64_t offsets[KAEL_BATCH_OPERANDS];
} position;

static void step(const kael_batch *batch, position *at, int dim, int64_t count) {
    at->indices[dim] += count;
    for (int operand = 0; operand < KAEL_BATCH_OPERANDS; ++operand) {
        at->offsets[operand] += count * batch->strides[operand][dim];
    }
}

static position position_of(const kael_batch *batch, int64_t index) {
    position at = {{0}, {0}};
    for (int dim = batch->ndim - 1; dim >= 0; --dim) {
        step(batch, &at, dim, index % batch->shape[dim]);
        index /= batch->shape[dim];
    }
    return at;
}

static void advance(const kael_batch *batch, position *at) {
    for (int dim = batch->ndim - 1; dim >= 0; --dim) {
        step(batch, at, dim, 1);
        if (at->indices[dim] < batch->shape[dim]) {
            return;
        }
        step(batch, at, dim, -batch->shape[dim]);
    }
}

/* Empty operands have no address. */
static const void *address(const void *data, int64_t offset) {
    return data == NULL ? NULL : (const char *)data + offset;
}

static kael_status run_matrices(const batch_job *job, int64_t first, int64_t last,
                                void *workspace) {
    const kael_product *product = &job->batch->product;
    position at = position_of(job->batch, first);
    for (int64_t index = first; index < last; ++index) {
        KAEL_TRY(kael_run_plan(job->plan, address(product->a.data, at.offsets[KAEL_BATCH_A]),
                               address(product->b.data, at.offsets[KAEL_BATCH_B]),
                               (char *)product->c + at.offsets[KAEL_BATCH_C], workspace));
        advance(job->batch, &at);
    }
    return KAEL_OK;
}

static kael_status run_chunk(int64_t first, int64_t last, void *context) {
    const batch_job *job = context;
    const int64_t slot = kael_slots_take(&job->slots);
    const kael_status status = run_matrices(job, first, last, kael_slots_memory(&job->slots, slot));
    kael_slots_give(&job->slots, slot);
    return status;
}

/* Many matrices at a time, each on one thread. */
static kael_status run_together(const kael_batch *batch, const kael_gemm_choice *kernels,
                                int64_t grain, int64_t threads) {
    kael_product_plan plan;
    kael_plan_product(&plan, &batch->product, kernels, 1);
    const int64_t slot_bytes = kael_round_up(plan.workspace_bytes, KAEL_MEMORY_ALIGNMENT);
    kael_block memory;
    KAEL_TRY(kael_block_allocate(&memory, kael_slots_bytes(threads, slot_bytes)));
    batch_job job = {.batch = batch, .plan = &plan};
    kael_slots_init(&job.slots, threads, slot_bytes, memory.data);
    const kael_status status = kael_parallel_for(0, batch_count(batch), grain, run_chunk, &job);
    kael_block_release(&memory);
    return status;
}

/* One matrix after the other, each on all threads that it has work for. */
static kael_status run_in_turn(const kael_batch *batch, const kael_gemm_choice *kernels,
                               int64_t threads) {
    kael_product_plan plan;
    kael_plan_product(&plan, &batch->product, kernels, threads);
    kael_block memory;
    KAEL_TRY(kael_block_allocate(&memory, plan.workspace_bytes));
    const batch_job job = {.batch = batch, .plan = &plan};
    const kael_status status = run_matrices(&job, 0, batch_count(batch), memory.data);
    kael_block_release(&memory);
    return status;
}

kael_status kael_run_batch(kael_batch *batch, const kael_gemm_choice *kernels, int64_t threads) {
    fold(batch, kernels->builtin->element_size);
    const int64_t count = batch_count(batch);
    if (count == 1) {
        return kael_product_any(&batch->product, kernels, threads);
    }
    const int64_t work = work_of(&batch->product);
    const int64_t grain = WORK_PER_TASK / work;
    const int64_t tasks = kael_min_i64(MOST_TASKS, kael_ceil_div(count, grain));
    const bool together =
        tasks > 1 && threads > 1 && (work < WORK_PER_TASK || keeps_busy(tasks, threads));
    return together ? run_together(batch, kernels, grain, kael_min_i64(threads, tasks))
                    : run_in_turn(batch, kernels, threads);
}
