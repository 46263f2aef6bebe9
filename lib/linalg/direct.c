/* Products on the operands in place: no packing, tile by tile. */

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "linalg/chains.h"
#include "linalg/problem.h"

/* Multiplications that are worth another thread. */
#define DIRECT_GRAIN (INT64_C(1) << 20)

typedef struct direct_job {
    const kael_product *product;
    const kael_gemm_kernel *kernel;
} direct_job;

/* The columns [first, last) over one block of the inner size. */
static void run_block(const direct_job *job, int64_t first, int64_t last, int64_t start,
                      int64_t length) {
    const kael_product *product = job->product;
    const kael_gemm_kernel *kernel = job->kernel;
    const int64_t size = kernel->element_size;
    const int64_t step = kael_chain_step(product->inner);
    const kael_gemm_chains chains = kael_block_chains(length, step);
    const bool c_is_zero = product->beta == NULL && start == 0;
    for (int64_t column = first; column < last; column += kernel->nr) {
        const kael_gemm_operand b = kael_operand_from(&product->b, size, column, start);
        const int64_t columns = kael_min_i64(kernel->nr, last - column);
        for (int64_t row = 0; row < product->rows; row += kernel->mr) {
            const kael_gemm_operand a = kael_operand_from(&product->a, size, row, start);
            const kael_gemm_tile tile = {
                .data = kael_product_c_at(product, size, row, column),
                .row_stride = product->c_row_stride,
                .rows = kael_min_i64(kernel->mr, product->rows - row),
                .columns = columns,
            };
            kernel->direct(&chains, step, &a, &b, product->alpha, c_is_zero, &tile);
        }
    }
}

static void run_columns(const direct_job *job, int64_t first, int64_t last) {
    const int64_t inner = job->product->inner;
    const int64_t block = kael_block_length(inner);
    for (int64_t start = 0; start < inner; start += block) {
        run_block(job, first, last, start, kael_min_i64(block, inner - start));
    }
}

static kael_status run_panels(int64_t first, int64_t last, void *context) {
    const direct_job *job = context;
    const int64_t width = job->kernel->nr;
    run_columns(job, first * width, kael_min_i64(last * width, job->product->columns));
    return KAEL_OK;
}

kael_status kael_product_direct(const kael_product *product, const kael_gemm_kernel *kernel,
                                int64_t threads) {
    direct_job job = {product, kernel};
    if (product->beta != NULL) {
        KAEL_TRY(kael_product_scale_c(product, kernel->element_size, threads));
    }
    const int64_t column_work = product->rows * product->inner;
    if (threads == 1 || product->columns * column_work <= DIRECT_GRAIN) {
        run_columns(&job, 0, product->columns);
        return KAEL_OK;
    }
    const int64_t panels = kael_ceil_div(product->columns, kernel->nr);
    const int64_t grain = kael_max_i64(1, DIRECT_GRAIN / (column_work * kernel->nr));
    return kael_parallel_for(0, panels, grain, run_panels, &job);
}
