/* A matrix product c = beta * c + alpha * a * b whose arguments have been checked. */
#ifndef KAEL_LINALG_PROBLEM_H
#define KAEL_LINALG_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "kernels/gemm.h"

/* All sizes are positive. The first index of both operands counts rows of a and columns of b. */
typedef struct kael_product {
    int64_t rows;
    int64_t columns;
    int64_t inner;
    const void *alpha;
    const void *beta;
    kael_gemm_operand a;
    kael_gemm_operand b;
    void *c;
    int64_t c_row_stride;
    int64_t c_column_stride;
} kael_product;

/* The same product with rows and columns exchanged; the bits do not change, since fma(a, b, s) is
 * fma(b, a, s). */
static inline kael_product kael_product_transposed(const kael_product *product) {
    kael_product result = *product;
    result.rows = product->columns;
    result.columns = product->rows;
    result.a = product->b;
    result.b = product->a;
    result.c_row_stride = product->c_column_stride;
    result.c_column_stride = product->c_row_stride;
    return result;
}

/* The element `index` along the first and `k` along the second direction of an operand. */
static inline const void *kael_operand_at(const kael_gemm_operand *operand, int64_t element_size,
                                          int64_t index, int64_t k) {
    return (const char *)operand->data +
           (index * operand->stride + k * operand->k_stride) * element_size;
}

static inline kael_gemm_operand kael_operand_from(const kael_gemm_operand *operand,
                                                  int64_t element_size, int64_t index, int64_t k) {
    return (kael_gemm_operand){.data = kael_operand_at(operand, element_size, index, k),
                               .stride = operand->stride,
                               .k_stride = operand->k_stride};
}

static inline void *kael_product_c_at(const kael_product *product, int64_t element_size,
                                      int64_t row, int64_t column) {
    return (char *)product->c +
           (row * product->c_row_stride + column * product->c_column_stride) * element_size;
}

/* c = beta * c; beta 0 writes zeros and does not read c. */
KAEL_NODISCARD kael_status kael_product_scale_c(const kael_product *product, int64_t element_size,
                                                bool threaded);

/* Three ways to the same bits. All run on the threads of kael_parallel_for if `threaded`; on an
 * error, which can only be MEMORY, c is unchanged. */

/* Packed panels and the kernel's packed tiles: for any strides, fastest for large products. */
KAEL_NODISCARD kael_status kael_product_packed(const kael_product *product,
                                               const kael_gemm_kernel *kernel, bool threaded);

/* The operands in place: needs unit column strides of b and c; fastest for small products. */
KAEL_NODISCARD kael_status kael_product_direct(const kael_product *product,
                                               const kael_gemm_kernel *kernel, bool threaded);

/* One column: c has `rows` elements, and b is a vector. */
KAEL_NODISCARD kael_status kael_product_matvec(const kael_product *product,
                                               const kael_gemm_kernel *kernel, bool threaded);

/* The fastest of them for the sizes and strides. */
KAEL_NODISCARD kael_status kael_product_any(const kael_product *product,
                                            const kael_gemm_kernel *packed_kernel,
                                            const kael_gemm_kernel *kernel);

#endif
