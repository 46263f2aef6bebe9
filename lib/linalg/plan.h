/* Which way a product goes, and what memory that takes: decided once, run for any matrices of the
 * same sizes and strides. All ways give the same bits, so only time decides. */
#ifndef KAEL_LINALG_PLAN_H
#define KAEL_LINALG_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "linalg/kernel_choice.h"
#include "linalg/problem.h"

typedef enum kael_product_way {
    KAEL_WAY_SCALE,            /* nothing to multiply */
    KAEL_WAY_MATVEC,           /* one column */
    KAEL_WAY_CONVERTED_MATVEC, /* one column; the matrix is converted, some rows at a time */
    KAEL_WAY_DIRECT,           /* operands in place */
    KAEL_WAY_GATHERED,         /* small: what the direct kernels cannot read is copied first */
    KAEL_WAY_PACKED,
    KAEL_WAY_CONVERTED_C /* c is computed beside and converted, some rows at a time */
} kael_product_way;

typedef struct kael_product_plan {
    kael_product product; /* with rows and columns exchanged if `transposed` */
    bool transposed;
    kael_product_way way;
    kael_gemm_choice kernels;
    int64_t threads;
    int64_t workspace_bytes;
    int64_t strip; /* KAEL_WAY_CONVERTED_C: rows at a time */
} kael_product_plan;

/* Plans for at most `threads` threads of kael_parallel_for, at least 1. The pointers to a, b and c
 * do not matter yet. */
void kael_plan_product(kael_product_plan *plan, const kael_product *product,
                       const kael_gemm_choice *kernels, int64_t threads);

/* Runs it on matrices; `workspace` is KAEL_MEMORY_ALIGNMENT-aligned. Errors: those of
 * kael_parallel_for, whose bodies do not fail. */
KAEL_NODISCARD kael_status kael_run_plan(const kael_product_plan *plan, const void *a,
                                         const void *b, void *c, void *workspace);

#endif
