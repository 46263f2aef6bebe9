/* The ladder of matrix products, from the textbook loop to the threaded kernel. */

#include "kael/matmul_versions.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "linalg/blis.h"
#include "linalg/kernel_choice.h"
#include "linalg/operand_check.h"
#include "linalg/problem.h"
#include "memory/block.h"

#define ELEMENT float
#define LOOP(name) name##_f32
#include "linalg/matmul_loops.h"
#undef ELEMENT
#undef LOOP
#define ELEMENT double
#define LOOP(name) name##_f64
#include "linalg/matmul_loops.h"
#undef ELEMENT
#undef LOOP

typedef enum ladder_step { V4_PACKED, V5_SIMD, V6_THREADED, MULTIPLY } ladder_step;

/* Checks the arguments; `*empty` tells that there is nothing to compute. */
static kael_status check_matmul(const void *a, const void *b, const void *out,
                                const kael_matmul_sizes *sizes, int64_t element_size, bool *empty) {
    if (sizes == NULL) {
        return kael_error(KAEL_ERROR_VALUE, "sizes must not be NULL");
    }
    KAEL_TRY(kael_check_size("rows", sizes->rows));
    KAEL_TRY(kael_check_size("inner", sizes->inner));
    KAEL_TRY(kael_check_size("columns", sizes->columns));
    *empty = sizes->rows == 0 || sizes->inner == 0 || sizes->columns == 0;
    if (*empty) {
        return KAEL_OK;
    }
    const kael_matrix_argument arguments[] = {
        {"a", a, sizes->rows, sizes->inner, sizes->inner, 1},
        {"b", b, sizes->inner, sizes->columns, sizes->columns, 1},
        {"out", out, sizes->rows, sizes->columns, sizes->columns, 1},
    };
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; ++i) {
        KAEL_TRY(kael_check_matrix(&arguments[i], element_size));
    }
    return KAEL_OK;
}

static kael_status run_packed(const kael_product *product, const kael_gemm_kernel *kernel,
                              int64_t threads) {
    kael_block memory;
    KAEL_TRY(kael_block_allocate(&memory, kael_packed_workspace(product, kernel, threads)));
    const kael_status status = kael_product_packed(product, kernel, threads, memory.data);
    kael_block_release(&memory);
    return status;
}

static kael_status run_step(ladder_step step, kael_dtype dtype, const kael_product *product) {
    kael_gemm_choice kernels;
    int64_t threads = 1;
    KAEL_TRY(kael_gemm_kernels(&kernels, dtype));
    if (step == V6_THREADED || step == MULTIPLY) {
        KAEL_TRY(kael_product_threads(&threads));
    }
    if (step == MULTIPLY) {
        return kael_product_any(product, &kernels, threads);
    }
    return run_packed(product, step == V4_PACKED ? kernels.scalar : kernels.packed, threads);
}

/* A version that is a plain loop. */
#define KAEL_DEFINE_LOOP(version, type, suffix)                                                    \
    kael_status kael_matmul_##version##_##suffix(const type *a, const type *b, type *out,          \
                                                 const kael_matmul_sizes *sizes) {                 \
        bool empty = false;                                                                        \
        KAEL_TRY(check_matmul(a, b, out, sizes, sizeof(type), &empty));                            \
        if (!empty) {                                                                              \
            version##_##suffix(a, b, out, sizes);                                                  \
        }                                                                                          \
        return KAEL_OK;                                                                            \
    }

/* A version that keeps the contract of bits. */
#define KAEL_DEFINE_STEP(version, step, type, suffix, dtype)                                       \
    kael_status kael_matmul_##version##_##suffix(const type *a, const type *b, type *out,          \
                                                 const kael_matmul_sizes *sizes) {                 \
        static const type one = 1;                                                                 \
        bool empty = false;                                                                        \
        KAEL_TRY(check_matmul(a, b, out, sizes, sizeof(type), &empty));                            \
        const kael_product product = {                                                             \
            .rows = sizes->rows,                                                                   \
            .columns = sizes->columns,                                                             \
            .inner = sizes->inner,                                                                 \
            .alpha = &one,                                                                         \
            .beta = &one,                                                                          \
            .a = {a, sizes->inner, 1},                                                             \
            .b = {b, 1, sizes->columns},                                                           \
            .c = out,                                                                              \
            .c_row_stride = sizes->columns,                                                        \
            .c_column_stride = 1,                                                                  \
        };                                                                                         \
        return empty ? KAEL_OK : run_step(step, dtype, &product);                                  \
    }

#define KAEL_DEFINE_BLIS(type, suffix, dtype)                                                      \
    kael_status kael_matmul_blis_##suffix(const type *a, const type *b, type *out,                 \
                                          const kael_matmul_sizes *sizes) {                        \
        bool empty = false;                                                                        \
        KAEL_TRY(check_matmul(a, b, out, sizes, sizeof(type), &empty));                            \
        return kael_blis_gemm(dtype, sizes, a, b, out);                                            \
    }

#define KAEL_DEFINE_LADDER(type, suffix, dtype)                                                    \
    KAEL_DEFINE_LOOP(v1_ijk, type, suffix)                                                         \
    KAEL_DEFINE_LOOP(v2_ikj, type, suffix)                                                         \
    KAEL_DEFINE_LOOP(v3_tiled, type, suffix)                                                       \
    KAEL_DEFINE_STEP(v4_packed, V4_PACKED, type, suffix, dtype)                                    \
    KAEL_DEFINE_STEP(v5_simd, V5_SIMD, type, suffix, dtype)                                        \
    KAEL_DEFINE_STEP(v6_threaded, V6_THREADED, type, suffix, dtype)                                \
    KAEL_DEFINE_STEP(multiply, MULTIPLY, type, suffix, dtype)                                      \
    KAEL_DEFINE_BLIS(type, suffix, dtype)

KAEL_DEFINE_LADDER(float, f32, KAEL_F32)
KAEL_DEFINE_LADDER(double, f64, KAEL_F64)
