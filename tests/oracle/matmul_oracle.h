/* The definition of the matrix product as a slow scalar program, for both element types.
 *
 * A chain is s = fma(a[k], b[k], s) over its k in increasing order from s = 0. When it ends,
 * out = out + alpha * s, the product rounded first. A chain without steps adds nothing.
 */
#ifndef KAEL_TESTS_MATMUL_ORACLE_H
#define KAEL_TESTS_MATMUL_ORACLE_H

#include <stddef.h>
#include <stdint.h>

/* The types of kael_gemm, then those of integers, which wrap: only kernels have them. */
typedef enum matmul_type {
    MATMUL_F32,
    MATMUL_F64,
    MATMUL_TYPE_COUNT,
    MATMUL_U32 = MATMUL_TYPE_COUNT,
    MATMUL_U64,
    MATMUL_KERNEL_TYPE_COUNT
} matmul_type;

/* Strides are in elements; `data` names element (0, 0). */
typedef struct matmul_input {
    const void *data;
    int64_t row_stride;
    int64_t column_stride;
} matmul_input;

typedef struct matmul_output {
    void *data;
    int64_t row_stride;
    int64_t column_stride;
} matmul_output;

/* c = beta * c + alpha * a * b. alpha and beta are rounded to the element type. */
typedef struct matmul_problem {
    int64_t m;
    int64_t n;
    int64_t k;
    double alpha;
    matmul_input a;
    matmul_input b;
    double beta;
    matmul_output c;
} matmul_problem;

/* The product of contiguous row-major a (m x k) and b (k x n) added to such an `out`. */
matmul_problem matmul_contiguous(int64_t m, int64_t k, int64_t n, const void *a, const void *b,
                                 void *out);

void oracle_gemm(matmul_type type, const matmul_problem *problem);

/* Element (i, j) of the result alone, of a floating point type; nothing is written. */
double oracle_gemm_element(matmul_type type, const matmul_problem *problem, int64_t i, int64_t j);

/* Adds one chain of `steps` steps of any type to *out. */
void oracle_add_chain(matmul_type type, void *out, double alpha, const void *a, int64_t a_stride,
                      const void *b, int64_t b_stride, int64_t steps);

/* How many consecutive k form one block of the definition; the last block may be shorter. */
int64_t oracle_block_length(int64_t k);

/* How many chains, over k = lane, lane + lanes, ... from a block's start, run through each block.
 */
int64_t oracle_lane_count(int64_t k);

#endif
