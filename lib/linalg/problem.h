/* A matrix product c = beta * c + alpha * a * b whose arguments have been checked. */
#ifndef KAEL_LINALG_PROBLEM_H
#define KAEL_LINALG_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kael/status.h"
#include "kernels/gemm.h"
#include "kernels/loop.h"
#include "linalg/kernel_choice.h"

/* From elements of an operand in memory to those of the kernel, or from those to c. */
typedef struct kael_conversion {
    kael_loop_kernel *cast;    /* NULL: only the layout changes */
    kael_loop_kernel *copy[2]; /* of what is cast, and of the result */
    int64_t stored_size;       /* of an element in memory */
} kael_conversion;

/* Rows and columns are positive, inner is not negative. The first index of both operands counts
 * rows of a and columns of b. */
typedef struct kael_product {
    int64_t rows;
    int64_t columns;
    int64_t inner;
    const void *alpha; /* not zero if inner is not */
    const void *beta;  /* NULL: zero, c is not read */
    kael_gemm_operand a;
    kael_gemm_operand b;
    void *c;
    int64_t c_row_stride;
    int64_t c_column_stride;
    const kael_conversion *a_conversion; /* NULL: the elements are the kernel's */
    const kael_conversion *b_conversion;
    const kael_conversion *c_conversion; /* not with a beta */
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
    result.a_conversion = product->b_conversion;
    result.b_conversion = product->a_conversion;
    return result;
}

static inline int64_t kael_used_stride(int64_t size, int64_t stride, int64_t other_size) {
    return size > 1 ? stride : other_size;
}

/* Gives directions of size 1 or 0 a stride that does no harm: the caller's may overflow when loops
 * go on by it, and need not tell which direction is the denser one. */
static inline void kael_product_drop_unused_strides(kael_product *product) {
    const int64_t rows = product->rows;
    const int64_t columns = product->columns;
    const int64_t inner = product->inner;
    product->a.stride = kael_used_stride(rows, product->a.stride, inner);
    product->a.k_stride = kael_used_stride(inner, product->a.k_stride, rows);
    product->b.stride = kael_used_stride(columns, product->b.stride, inner);
    product->b.k_stride = kael_used_stride(inner, product->b.k_stride, columns);
    product->c_row_stride = kael_used_stride(rows, product->c_row_stride, columns);
    product->c_column_stride = kael_used_stride(columns, product->c_column_stride, rows);
}

/* The bytes of an element in memory. */
static inline int64_t kael_stored_size(const kael_conversion *conversion, int64_t kernel_size) {
    return conversion != NULL ? conversion->stored_size : kernel_size;
}

/* The element `index` along the first and `k` along the second direction of an operand. */
static inline const void *kael_operand_at(const kael_gemm_operand *operand, int64_t element_size,
                                          int64_t index, int64_t k) {
    return operand->data == NULL
               ? NULL
               : (const char *)operand->data +
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
    return product->c == NULL ? NULL
                              : (char *)product->c + (row * product->c_row_stride +
                                                      column * product->c_column_stride) *
                                                         element_size;
}

/* How many threads a product may use: one inside a parallel region, else those of
 * kael_get_num_threads, whose error this has. */
KAEL_NODISCARD kael_status kael_product_threads(int64_t *threads);

/* All of what follows runs on at most `threads` threads of kael_parallel_for and cannot fail but by
 * what that function reports; the memory that it needs is the caller's. */

/* c = beta * c, in elements of the kernel. */
KAEL_NODISCARD kael_status kael_product_scale_c(const kael_product *product, int64_t element_size,
                                                int64_t threads);

/* Three ways to the same bits, for a positive inner size; none converts c. */

/* Packed panels and the kernel's packed tiles: for any strides, fastest for large products.
 * `workspace` has as many bytes as kael_packed_workspace tells and is
 * KAEL_MEMORY_ALIGNMENT-aligned.
 */
int64_t kael_packed_workspace(const kael_product *product, const kael_gemm_kernel *kernel,
                              int64_t threads);
KAEL_NODISCARD kael_status kael_product_packed(const kael_product *product,
                                               const kael_gemm_kernel *kernel, int64_t threads,
                                               void *workspace);

/* The operands in place: needs unit column strides of b and c and no conversions; fastest for small
 * products. */
KAEL_NODISCARD kael_status kael_product_direct(const kael_product *product,
                                               const kael_gemm_kernel *kernel, int64_t threads);

/* One column: c has `rows` elements, and b is a vector without gaps; no conversions. */
KAEL_NODISCARD kael_status kael_product_matvec(const kael_product *product,
                                               const kael_gemm_kernel *kernel, int64_t threads);

/* The fastest of the ways, with memory of its own. Errors: MEMORY; c is then unchanged. */
KAEL_NODISCARD kael_status kael_product_any(const kael_product *product,
                                            const kael_gemm_choice *kernels, int64_t threads);

#endif
