/* Matrix multiplication as a ladder, from the textbook loop to the packed, vectorised and threaded
 * kernel, so that each step can be read, tested and timed by itself.
 *
 * Every version computes out += a * b with a of rows x inner, b of inner x columns and out of
 * rows x columns elements, all row-major and contiguous, at addresses that are multiples of the
 * element's size. out must not overlap a or b. When a size is zero, out is left as it is and
 * pointers are not looked at.
 *
 * From v4 on, and for whatever kael_matmul_multiply picks, each element of out has the bits of
 * the library's definition of a matrix product (see README.md), whatever the thread count, the
 * instruction set and the kernels; v1 to v3 are plain loops that agree within rounding.
 *
 * Floating-point exception flags are no part of the result, and traps must be off: kernels compute
 * in lanes that they throw away, Inf * 0 included.
 *
 * Errors: VALUE for a NULL or misaligned pointer, a negative size and, from v4 on, a malformed
 * KAEL_ISA or (v6 and kael_matmul_multiply) KAEL_NUM_THREADS; SHAPE when the bytes of an operand do
 * not fit in int64_t; MEMORY when packing buffers cannot be had (out is then unchanged).
 */
#ifndef KAEL_MATMUL_VERSIONS_H
#define KAEL_MATMUL_VERSIONS_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"

KAEL_BEGIN_DECLS

typedef struct kael_matmul_sizes {
    int64_t rows;
    int64_t inner;
    int64_t columns;
} kael_matmul_sizes;

#define KAEL_DECLARE_MATMUL(version)                                                               \
    KAEL_API KAEL_NODISCARD kael_status kael_matmul_##version##_f32(                               \
        const float *a, const float *b, float *out, const kael_matmul_sizes *sizes);               \
    KAEL_API KAEL_NODISCARD kael_status kael_matmul_##version##_f64(                               \
        const double *a, const double *b, double *out, const kael_matmul_sizes *sizes);

KAEL_DECLARE_MATMUL(v1_ijk)      /* the textbook loop: one dot product per element */
KAEL_DECLARE_MATMUL(v2_ikj)      /* inner loops swapped: unit stride through b and out */
KAEL_DECLARE_MATMUL(v3_tiled)    /* v2 over cache tiles of 64 x 256 x 2048 */
KAEL_DECLARE_MATMUL(v4_packed)   /* packed panels and a 4 x 4 scalar register kernel */
KAEL_DECLARE_MATMUL(v5_simd)     /* packed panels and the best kernel of this machine */
KAEL_DECLARE_MATMUL(v6_threaded) /* v5 on all threads */
KAEL_DECLARE_MATMUL(multiply)    /* picks the fastest way for the sizes */

/* BLIS's own gemm, for comparison; its bits are not the definition's. UNSUPPORTED unless kael was
 * configured with -Dkernels=blis. */
KAEL_DECLARE_MATMUL(blis)

#undef KAEL_DECLARE_MATMUL

KAEL_END_DECLS

#endif
