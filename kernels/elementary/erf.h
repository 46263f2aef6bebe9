/* erf and gelu. */
#ifndef KAEL_KERNELS_ELEMENTARY_ERF_H
#define KAEL_KERNELS_ELEMENTARY_ERF_H

#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary/exp.h"
#include "kernels/elementary/mask.h"

/* erf(x) / x - 1 as a function of z = x^2, |x| <= 1 */
static inline float kael_erf_small_polynomial_f32(float z) {
    float q = 0x1.4c5cb4p-14f;
    q = fmaf(q, z, -0x1.a5197ap-11f);
    q = fmaf(q, z, 0x1.542fecp-8f);
    q = fmaf(q, z, -0x1.b7fec4p-6f);
    q = fmaf(q, z, 0x1.ce2d52p-4f);
    q = fmaf(q, z, -0x1.81274p-2f);
    return fmaf(q, z, 0x1.06eba8p-3f);
}

static inline double kael_erf_small_polynomial_f64(double z) {
    double q = 0x1.29783048052bbp-34;
    q = fma(q, z, -0x1.46794fecbb4b8p-30);
    q = fma(q, z, 0x1.fc78cbcd5b242p-27);
    q = fma(q, z, -0x1.5f9828c564078p-23);
    q = fma(q, z, 0x1.b9ee95850fe1bp-20);
    q = fma(q, z, -0x1.f4d333884b60dp-17);
    q = fma(q, z, 0x1.f9a335388d2f6p-14);
    q = fma(q, z, -0x1.c02db49b09506p-11);
    q = fma(q, z, 0x1.565bcd12991cp-8);
    q = fma(q, z, -0x1.b82ce312abf08p-6);
    q = fma(q, z, 0x1.ce2f21a04362dp-4);
    q = fma(q, z, -0x1.812746b0379fdp-2);
    return fma(q, z, 0x1.06eba8214db69p-3);
}

/* erfc(u + 9/4) for u from -5/4 to 7/4: off the middle, for precision where erfc is large */
static inline float kael_erfc_polynomial_f32(float u) {
    float q = 0x1.764b0cp-22f;
    q = fmaf(q, u, -0x1.267a1p-19f);
    q = fmaf(q, u, 0x1.05a74ap-19f);
    q = fmaf(q, u, 0x1.44cb06p-16f);
    q = fmaf(q, u, -0x1.0fb4e6p-14f);
    q = fmaf(q, u, 0x1.0e2e04p-16f);
    q = fmaf(q, u, 0x1.81ad56p-12f);
    q = fmaf(q, u, -0x1.06f4ccp-10f);
    q = fmaf(q, u, 0x1.604d2ep-11f);
    q = fmaf(q, u, 0x1.7ce20cp-9f);
    q = fmaf(q, u, -0x1.5d4054p-7f);
    q = fmaf(q, u, 0x1.38a81ap-6f);
    q = fmaf(q, u, -0x1.63eefp-6f);
    q = fmaf(q, u, 0x1.074b8p-6f);
    q = fmaf(q, u, -0x1.d4145p-8f);
    return fmaf(q, u, 0x1.7f7138p-10f);
}

/* 2^40 factor exp(t^2 / 2) erfc(t / sqrt(2)) / 2 (1 + growth) for s = -t^2 / 2 and t from 0 to
 * where exp(s) vanishes: a quotient of polynomials in t, with s in the place of t^2. */
static inline float kael_lifted_mills_f32(float factor, float t, float growth) {
    const float s = -0.5f * t * t;
    const float p =
        fmaf(fmaf(-0x1.0e412ep33f, t, -0x1.4d5f24p36f), s, fmaf(0x1.77ac4ep37f, t, 0x1.c11d72p38f));
    const float q_high = fmaf(0x1.52b5ccp-5f, s, fmaf(-0x1.a1d858p-3f, t, -0x1.e14544p-1f));
    const float q = fmaf(q_high, s, fmaf(0x1.341018p0f, t, 0x1.acd0e8p0f));
    const float numerator = factor * fmaf(p, t, 0x1p39f);
    return fmaf(numerator, growth, numerator) / fmaf(q, t, 1);
}

/* The same times 2^60: a polynomial in u = (t - 4) / (t + 4), divided by t + 4 with the error of
 * the inverse. */
static inline double kael_lifted_mills_f64(double factor, double t, double growth) {
    const double sum = t + 4;
    const double inverse = 1 / sum;
    const double u = fma(2 * t, inverse, -1);
    double q = -0x1.4a1298265c9bcp70;
    q = fma(q, u, -0x1.5a4e6e62b0e42p68);
    q = fma(q, u, 0x1.f8a009fa6cd8cp73);
    q = fma(q, u, 0x1.12dd2fc6a1b85p74);
    q = fma(q, u, -0x1.4c889c30bed8cp76);
    q = fma(q, u, -0x1.501bec16e4605p77);
    q = fma(q, u, 0x1.1bf9e9361a765p78);
    q = fma(q, u, 0x1.124ac20b3dcadp80);
    q = fma(q, u, -0x1.4fd09664c39bbp79);
    q = fma(q, u, -0x1.8d48f49d5ef2cp82);
    q = fma(q, u, 0x1.7fede811cc236p79);
    q = fma(q, u, 0x1.26d06683ec859p85);
    q = fma(q, u, -0x1.0012c8932948ep81);
    q = fma(q, u, -0x1.e4a4221a17965p87);
    q = fma(q, u, 0x1.17a4a7839ae5fp87);
    q = fma(q, u, 0x1.ab825fb349ad9p90);
    q = fma(q, u, -0x1.c81719cca078ep91);
    q = fma(q, u, -0x1.ee2761044a3efp92);
    q = fma(q, u, 0x1.eec4cc3e48142p95);
    q = fma(q, u, -0x1.7dff2bff6842fp97);
    q = fma(q, u, 0x1.8c6dbf2cfc2c5p98);
    q = fma(q, u, -0x1.373e3a893c28ap99);
    q = fma(q, u, 0x1.82b4bb8c94dcep99);
    const double mills = q * inverse;
    return factor * fma(mills, growth + fma(-sum, inverse, 1), mills);
}

#define TAIL_LIFT 40
#define GELU_IS_LINEAR 15.0f
#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/erf_template.h"

#include "kernels/elementary/undefine_type.h"
#undef GELU_IS_LINEAR
#undef TAIL_LIFT

#define TAIL_LIFT 100
#define GELU_IS_LINEAR 39.0
#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/erf_template.h"

#include "kernels/elementary/undefine_type.h"
#undef GELU_IS_LINEAR
#undef TAIL_LIFT

/* 1 - erfc(t) needs erfc(t) to an absolute precision only, so one polynomial does. */
static inline float kael_erf_f32(float x) {
    const float t = kael_magnitude_f32(x, 4);
    const float small = fmaf(x, kael_erf_small_polynomial_f32(x * x), x);
    const float large = 1 - kael_erfc_polynomial_f32(t - 2.25f);
    return fabsf(x) >= 1 ? copysignf(large, x) : small;
}

static inline double kael_erf_f64(double x) {
    const double t = kael_magnitude_f64(x, 6);
    const double small = fma(x, kael_erf_small_polynomial_f64(x * x), x);
    const double s = -t * t;
    const double lifted = kael_lifted_tail_f64(1, t * 0x1.6a09e667f3bcdp0, s, fma(-t, t, -s));
    const double large = fma(-2 * kael_exp2_integer_f64(-(uint64_t)100), lifted, 1);
    return fabs(x) >= 1 ? copysign(large, x) : small;
}

#endif
