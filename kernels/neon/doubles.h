/* Vectors of doubles, for arithmetic with operators. */
#ifndef KAEL_KERNELS_NEON_DOUBLES_H
#define KAEL_KERNELS_NEON_DOUBLES_H

#include <arm_neon.h>

typedef float64x2_t kael_doubles;

static inline kael_doubles kael_doubles_of_f32(const float *p) {
    return vcvt_f64_f32(vld1_f32(p));
}

/* a * b + c with one rounding. */
static inline kael_doubles kael_doubles_fma(kael_doubles a, kael_doubles b, kael_doubles c) {
    return vfmaq_f64(c, a, b);
}

#endif
