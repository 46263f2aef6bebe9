/* Kernels that read and write elements at computed positions of one dimension, `dim` below. An
 * index counts from the end of the dimension when it is negative; all have been checked. */
#ifndef KAEL_KERNELS_INDEXING_H
#define KAEL_KERNELS_INDEXING_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/dtypes.h"
#include "kernels/loop.h"

enum { KAEL_INDEX_I32, KAEL_INDEX_I64, KAEL_INDEX_TYPES };

/* Whether an index is outside of lowest .. size - 1. */
typedef bool kael_indices_out_of_range(const void *indices, int64_t count, int64_t lowest,
                                       int64_t size);

typedef struct kael_gather_parameters {
    int64_t size;   /* of dim */
    int64_t stride; /* of operand 1 along dim, in bytes */
} kael_gather_parameters;

/* The operands of a scatter are slices across dim: the loop runs over all other dimensions. */
typedef struct kael_scatter_parameters {
    int64_t size;       /* of dim in operand 0 */
    int64_t count;      /* of dim in operands 1 and 2 */
    int64_t strides[3]; /* along dim, in bytes */
} kael_scatter_parameters;

/* One instruction set's kernels; they take any strides. */
typedef struct kael_indexing_kernels {
    kael_indices_out_of_range *out_of_range[KAEL_INDEX_TYPES];
    /* Operand 0 gets the element of operand 1 that lies at the index in operand 2 along dim. By the
     * binary logarithm of the element size. */
    kael_loop_kernel *gather[4][KAEL_INDEX_TYPES];
    /* For each position of dim in increasing order, the element of operand 2 is added to that of
     * operand 0 that lies at the index in operand 1 along dim. By the dtype of operand 2; operand 0
     * has the same, but that f16 and bf16 are added in f32. Integers wrap, bool is "or". */
    kael_loop_kernel *scatter_add[KAEL_DTYPE_COUNT][KAEL_INDEX_TYPES];
} kael_indexing_kernels;

#endif
