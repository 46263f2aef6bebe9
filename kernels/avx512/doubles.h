/* Vectors of doubles, for arithmetic with operators. */
#ifndef KAEL_KERNELS_AVX512_DOUBLES_H
#define KAEL_KERNELS_AVX512_DOUBLES_H

#include <immintrin.h>

typedef __m512d kael_doubles;

static inline kael_doubles kael_doubles_of_f32(const float *p) {
    return _mm512_cvtps_pd(_mm256_loadu_ps(p));
}

/* a * b + c with one rounding. */
static inline kael_doubles kael_doubles_fma(kael_doubles a, kael_doubles b, kael_doubles c) {
    return _mm512_fmadd_pd(a, b, c);
}

#endif
