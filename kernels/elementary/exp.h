/* exp, expm1 and the pieces of exp that other functions are made of. */
#ifndef KAEL_KERNELS_ELEMENTARY_EXP_H
#define KAEL_KERNELS_ELEMENTARY_EXP_H

#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary/mask.h"

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2 */
static inline float kael_exp_polynomial_f32(float r) {
    float q = 0x1.a2d954p-13f;
    q = fmaf(q, r, 0x1.6d308ep-10f);
    q = fmaf(q, r, 0x1.110fc2p-7f);
    q = fmaf(q, r, 0x1.5555p-5f);
    q = fmaf(q, r, 0x1.555556p-3f);
    return fmaf(q, r, 0x1p-1f);
}

static inline double kael_exp_polynomial_f64(double r) {
    double q = 0x1.1f86f0df0b6f2p-29;
    q = fma(q, r, 0x1.af4ecf3058ec3p-26);
    q = fma(q, r, 0x1.27e4cfaefcfe4p-22);
    q = fma(q, r, 0x1.71de01aacddadp-19);
    q = fma(q, r, 0x1.a01a01ab9885dp-16);
    q = fma(q, r, 0x1.a01a01ac1e913p-13);
    q = fma(q, r, 0x1.6c16c16c156a5p-10);
    q = fma(q, r, 0x1.111111111005p-7);
    q = fma(q, r, 0x1.5555555555557p-5);
    q = fma(q, r, 0x1.5555555555557p-3);
    return fma(q, r, 0x1p-1);
}

/* Precise enough for exp itself. */
static inline float kael_exp_short_polynomial_f32(float r) {
    float q = 0x1.6d4bfep-10f;
    q = fmaf(q, r, 0x1.120c0ap-7f);
    q = fmaf(q, r, 0x1.5554eap-5f);
    q = fmaf(q, r, 0x1.5554dcp-3f);
    return fmaf(q, r, 0x1p-1f);
}

static inline double kael_exp_short_polynomial_f64(double r) {
    return kael_exp_polynomial_f64(r);
}

/* Beyond it kael_exp_moderate does not hold. */
#define KAEL_LEAST_MODERATE_f32 -85.0f
#define KAEL_LEAST_MODERATE_f64 -705.0

#define LOG2_E 0x1.715476p0f
#define LN2_HIGH 0x1.62e43p-1f
#define LN2_LOW -0x1.05c61p-29f
#define LEAST_EXP_ARGUMENT -104.0f
#define LEAST_EXPM1_ARGUMENT -20.0f
#define MOST_EXP_ARGUMENT 89.0f
#define LEAST_UNLIFTED -124.0f
#define LIFT 149u
#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/exp_template.h"

#include "kernels/elementary/undefine_type.h"
#undef LIFT
#undef LEAST_UNLIFTED
#undef MOST_EXP_ARGUMENT
#undef LEAST_EXPM1_ARGUMENT
#undef LEAST_EXP_ARGUMENT
#undef LN2_LOW
#undef LN2_HIGH
#undef LOG2_E

#define LOG2_E 0x1.71547652b82fep0
#define LN2_HIGH 0x1.62e42fefa39efp-1
#define LN2_LOW 0x1.abc9e3b39803fp-56
#define LEAST_EXP_ARGUMENT -746.0
#define LEAST_EXPM1_ARGUMENT -40.0
#define MOST_EXP_ARGUMENT 710.0
#define LEAST_UNLIFTED -1020.0
#define LIFT 1074u
#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/exp_template.h"

#include "kernels/elementary/undefine_type.h"
#undef LIFT
#undef LEAST_UNLIFTED
#undef MOST_EXP_ARGUMENT
#undef LEAST_EXPM1_ARGUMENT
#undef LEAST_EXP_ARGUMENT
#undef LN2_LOW
#undef LN2_HIGH
#undef LOG2_E

#endif
