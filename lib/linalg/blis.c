/* BLIS's kernels, where a self-check finds them faithful, and BLIS's own product. */

#include "linalg/blis.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kernels/blis/adapter.h"
#include "linalg/kernel_choice.h"

/* The self-check computes tiles of these sizes at most. */
#define CHECK_TILE 64
#define CHECK_STEPS 70

static pthread_once_t blis_once = PTHREAD_ONCE_INIT;
static kael_gemm_kernel record_f32;
static kael_gemm_kernel record_f64;
static bool faithful_f32;
static bool faithful_f64;

/* A kernel is faithful if a few tiles come out as the chain of the definition: fused, in order, the
 * scaled sum rounded before it is added. The values make other orders and roundings differ. */
#define KAEL_DEFINE_CHECK(type, suffix, fused)                                                     \
    static bool check_tile_##suffix(const kael_gemm_kernel *kernel, int64_t rows, int64_t columns, \
                                    int64_t length, type alpha) {                                  \
        static _Alignas(64) type a[CHECK_TILE * (CHECK_STEPS + 1)];                                \
        static _Alignas(64) type b[CHECK_TILE * (CHECK_STEPS + 1)];                                \
        static _Alignas(64) type c[CHECK_TILE * CHECK_TILE];                                       \
        const kael_gemm_chains chains = {1, length, 0};                                            \
        const kael_gemm_tile tile = {c, CHECK_TILE, rows, columns};                                \
        uint32_t state = 1;                                                                        \
        for (int64_t i = 0; i < CHECK_TILE * (CHECK_STEPS + 1); ++i) {                             \
            state = state * 1664525U + 1013904223U;                                                \
            a[i] = (type)(int32_t)state / (type)3e8;                                               \
            state = state * 1664525U + 1013904223U;                                                \
            b[i] = (type)(int32_t)state / (type)7e8;                                               \
        }                                                                                          \
        for (int64_t i = 0; i < CHECK_TILE * CHECK_TILE; ++i) {                                    \
            c[i] = (type)i / (type)7 - (type)100;                                                  \
        }                                                                                          \
        kernel->packed(&chains, a, b, &alpha, b, &tile);                                           \
        for (int64_t i = 0; i < CHECK_TILE * CHECK_TILE; ++i) {                                    \
            const int64_t row = i / CHECK_TILE;                                                    \
            const int64_t column = i % CHECK_TILE;                                                 \
            type expected = (type)i / (type)7 - (type)100;                                         \
            if (row < rows && column < columns) {                                                  \
                type sum = 0;                                                                      \
                for (int64_t k = 0; k < length; ++k) {                                             \
                    sum = fused(a[k * kernel->mr + row], b[k * kernel->nr + column], sum);         \
                }                                                                                  \
                expected += alpha * sum;                                                           \
            }                                                                                      \
            if (memcmp(&expected, &c[i], sizeof expected) != 0) {                                  \
                return false;                                                                      \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }                                                                                              \
    static bool check_##suffix(const kael_gemm_kernel *kernel) {                                   \
        static const int64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 16, 31, 64, CHECK_STEPS};           \
        if (kernel->mr > CHECK_TILE || kernel->nr > CHECK_TILE) {                                  \
            return false;                                                                          \
        }                                                                                          \
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {                          \
            if (!check_tile_##suffix(kernel, kernel->mr, kernel->nr, lengths[i], 1) ||             \
                !check_tile_##suffix(kernel, kernel->mr, kernel->nr, lengths[i], (type)0.7) ||     \
                !check_tile_##suffix(kernel, 1, kernel->nr - 1, lengths[i], 1) ||                  \
                !check_tile_##suffix(kernel, kernel->mr - 1, 1, lengths[i], (type)0.7)) {          \
                return false;                                                                      \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

KAEL_DEFINE_CHECK(float, f32, fmaf)
KAEL_DEFINE_CHECK(double, f64, fma)

static void describe_blis(void) {
    const kael_kernels *packers = NULL;
    for (const kael_kernels *const *next = kael_kernels_supported(); *next != NULL; ++next) {
        packers = *next;
    }
    faithful_f32 = kael_blis_describe_f32(&record_f32, packers->gemm_f32) && check_f32(&record_f32);
    faithful_f64 = kael_blis_describe_f64(&record_f64, packers->gemm_f64) && check_f64(&record_f64);
}

const kael_gemm_kernel *kael_gemm_blis_kernel(kael_dtype dtype) {
    pthread_once(&blis_once, describe_blis);
    if (dtype == KAEL_F32) {
        return faithful_f32 ? &record_f32 : NULL;
    }
    return dtype == KAEL_F64 && faithful_f64 ? &record_f64 : NULL;
}

kael_status kael_blis_gemm(kael_dtype dtype, const kael_matmul_sizes *sizes, const void *a,
                           const void *b, void *out) {
    int64_t threads = 0;
    KAEL_TRY(kael_get_num_threads(&threads));
    if (dtype == KAEL_F32) {
        kael_blis_product_f32(sizes->rows, sizes->inner, sizes->columns, a, b, out, threads);
    } else {
        kael_blis_product_f64(sizes->rows, sizes->inner, sizes->columns, a, b, out, threads);
    }
    return KAEL_OK;
}
