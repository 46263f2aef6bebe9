/* Products with one column: each element of the result is a dot product. */

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "linalg/chains.h"
#include "linalg/problem.h"

/* Elements of the matrix that are worth another thread. */
#define MATVEC_GRAIN (INT64_C(1) << 17)

typedef struct matvec_job {
    const kael_product *product;
    const kael_gemm_kernel *kernel;
    const char *x;
} matvec_job;

static kael_status run_rows(int64_t first, int64_t last, void *context) {
    const matvec_job *job = context;
    const kael_product *product = job->product;
    const int64_t size = job->kernel->element_size;
    const int64_t step = kael_chain_step(product->inner);
    const int64_t block = kael_block_length(product->inner);
    for (int64_t start = 0; start < product->inner; start += block) {
        const int64_t length = kael_min_i64(block, product->inner - start);
        const kael_gemm_chains chains = kael_block_chains(length, step);
        const kael_gemm_operand a = kael_operand_from(&product->a, size, first, start);
        job->kernel->matvec(last - first, &chains, step, &a, job->x + start * size, product->alpha,
                            kael_product_c_at(product, size, first, 0), product->c_row_stride);
    }
    return KAEL_OK;
}

kael_status kael_product_matvec(const kael_product *product, const kael_gemm_kernel *kernel,
                                int64_t threads) {
    matvec_job job = {product, kernel, product->b.data};
    KAEL_TRY(kael_product_scale_c(product, kernel->element_size, threads));
    const int64_t grain = kael_max_i64(1, MATVEC_GRAIN / product->inner);
    if (threads == 1 || product->rows <= grain) {
        return run_rows(0, product->rows, &job);
    }
    return kael_parallel_for(0, product->rows, grain, run_rows, &job);
}
