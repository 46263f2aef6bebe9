/* Products of many matrices of the same sizes and strides. */
#ifndef KAEL_LINALG_BATCH_H
#define KAEL_LINALG_BATCH_H

#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"
#include "linalg/kernel_choice.h"
#include "linalg/problem.h"

enum { KAEL_BATCH_A, KAEL_BATCH_B, KAEL_BATCH_C, KAEL_BATCH_OPERANDS };

/* Matrix (0, 0 ...) is the product's; all sizes are positive. */
typedef struct kael_batch {
    kael_product product;
    int ndim;
    int64_t shape[KAEL_MAX_DIMS];
    int64_t strides[KAEL_BATCH_OPERANDS][KAEL_MAX_DIMS]; /* in bytes */
} kael_batch;

/* Runs the products on at most `threads` threads, one by one or many at a time. Errors: those of
 * kael_parallel_for, and MEMORY; every c is then unchanged. */
KAEL_NODISCARD kael_status kael_run_batch(kael_batch *batch, const kael_gemm_choice *kernels,
                                          int64_t threads);

#endif
