/* kael_gemm_f32 and kael_gemm_f64. */

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "kael/linalg.h"
#include "linalg/kernel_choice.h"
#include "linalg/operand_check.h"
#include "linalg/problem.h"

/* Whether the commonest arguments are right, which small products have no time to find out one by
 * one: all sizes are positive, pointers aligned, sizes and strides so small that no extent
 * overflows, and rows or columns of c lie one after the other. */
static bool is_plain(const kael_product *product, int64_t element_size) {
    const uint64_t limit = UINT64_C(1) << 28;
    const uint64_t all = (uint64_t)product->rows | (uint64_t)product->columns |
                         (uint64_t)product->inner | (uint64_t)product->a.stride |
                         (uint64_t)product->a.k_stride | (uint64_t)product->b.stride |
                         (uint64_t)product->b.k_stride | (uint64_t)product->c_row_stride |
                         (uint64_t)product->c_column_stride;
    const bool some = product->rows > 0 && product->columns > 0 && product->inner > 0;
    const bool pointers = product->a.data != NULL && product->b.data != NULL && product->c != NULL;
    const uintptr_t addresses =
        (uintptr_t)product->a.data | (uintptr_t)product->b.data | (uintptr_t)product->c;
    const bool aligned = (addresses & (uintptr_t)(element_size - 1)) == 0;
    const bool distinct =
        (product->c_column_stride == 1 && product->c_row_stride >= product->columns) ||
        (product->c_row_stride == 1 && product->c_column_stride >= product->rows);
    return all < limit && some && pointers && aligned && distinct;
}

/* A product and its arguments as the caller gave them; inner may be 0. */
static kael_status check_gemm(const kael_product *product, bool reads_operands,
                              int64_t element_size) {
    const kael_matrix_argument a = {"a",
                                    product->a.data,
                                    product->rows,
                                    product->inner,
                                    product->a.stride,
                                    product->a.k_stride};
    const kael_matrix_argument b = {"b",
                                    product->b.data,
                                    product->inner,
                                    product->columns,
                                    product->b.k_stride,
                                    product->b.stride};
    const kael_matrix_argument c = {"c",
                                    product->c,
                                    product->rows,
                                    product->columns,
                                    product->c_row_stride,
                                    product->c_column_stride};
    KAEL_TRY(kael_check_size("m", product->rows));
    KAEL_TRY(kael_check_size("n", product->columns));
    KAEL_TRY(kael_check_size("k", product->inner));
    if (reads_operands && product->rows > 0 && product->columns > 0) {
        KAEL_TRY(kael_check_matrix(&a, element_size));
        KAEL_TRY(kael_check_matrix(&b, element_size));
    }
    KAEL_TRY(kael_check_matrix(&c, element_size));
    return kael_check_distinct_elements(&c);
}

static kael_status gemm(kael_product *product, kael_dtype dtype, bool alpha_is_zero,
                        int64_t element_size) {
    if (!is_plain(product, element_size)) {
        KAEL_TRY(check_gemm(product, !alpha_is_zero, element_size));
        kael_product_drop_unused_strides(product);
    }
    kael_gemm_choice kernels;
    int64_t threads;
    KAEL_TRY(kael_gemm_kernels(&kernels, dtype));
    KAEL_TRY(kael_product_threads(&threads));
    if (product->rows == 0 || product->columns == 0) {
        return KAEL_OK;
    }
    if (alpha_is_zero) {
        return kael_product_scale_c(product, element_size, threads);
    }
    return kael_product_any(product, &kernels, threads);
}

#define KAEL_DEFINE_GEMM(type, suffix, dtype)                                                      \
    kael_status kael_gemm_##suffix(int64_t m, int64_t n, int64_t k, type alpha, const type *a,     \
                                   int64_t a_row_stride, int64_t a_col_stride, const type *b,      \
                                   int64_t b_row_stride, int64_t b_col_stride, type beta, type *c, \
                                   int64_t c_row_stride, int64_t c_col_stride) {                   \
        kael_product product = {                                                                   \
            .rows = m,                                                                             \
            .columns = n,                                                                          \
            .inner = k,                                                                            \
            .alpha = &alpha,                                                                       \
            .beta = beta == 0 ? NULL : &beta,                                                      \
            .a = {a, a_row_stride, a_col_stride},                                                  \
            .b = {b, b_col_stride, b_row_stride},                                                  \
            .c = c,                                                                                \
            .c_row_stride = c_row_stride,                                                          \
            .c_column_stride = c_col_stride,                                                       \
        };                                                                                         \
        return gemm(&product, dtype, alpha == 0, sizeof(type));                                    \
    }

KAEL_DEFINE_GEMM(float, f32, KAEL_F32)
KAEL_DEFINE_GEMM(double, f64, KAEL_F64)
