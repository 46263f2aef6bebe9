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

/* erfc(u + 5/2), |u| <= 3/2 */
static inline float kael_erfc_polynomial_f32(float u) {
    float q = 0x1.76e4bep-22f;
    q = fmaf(q, u, -0x1.dc8006p-21f);
    q = fmaf(q, u, -0x1.ce8af4p-19f);
    q = fmaf(q, u, 0x1.07673p-16f);
    q = fmaf(q, u, -0x1.05ed4ap-17f);
    q = fmaf(q, u, -0x1.53ecf8p-14f);
    q = fmaf(q, u, 0x1.09d026p-12f);
    q = fmaf(q, u, -0x1.0f61dap-12f);
    q = fmaf(q, u, -0x1.1d8612p-11f);
    q = fmaf(q, u, 0x1.6eb054p-9f);
    q = fmaf(q, u, -0x1.90daeap-8f);
    q = fmaf(q, u, 0x1.1a8b7ap-7f);
    q = fmaf(q, u, -0x1.119ebp-7f);
    q = fmaf(q, u, 0x1.64e38ap-8f);
    q = fmaf(q, u, -0x1.1d82e4p-9f);
    return fmaf(q, u, 0x1.aab86ep-12f);
}

/* exp(t^2 / 2) erfc(t / sqrt(2)) / 2 as a function of u = (t - c) / (t + c), for t from 0 to where
 * the exponential vanishes and the c below */
static inline float kael_mills_polynomial_f32(float u) {
    float q = 0x1.aca70ap-14f;
    q = fmaf(q, u, 0x1.ab8022p-12f);
    q = fmaf(q, u, -0x1.02267ep-11f);
    q = fmaf(q, u, -0x1.9e8d7p-9f);
    q = fmaf(q, u, 0x1.a99e22p-8f);
    q = fmaf(q, u, 0x1.1d1f74p-6f);
    q = fmaf(q, u, -0x1.db5af2p-4f);
    q = fmaf(q, u, 0x1.42fee8p-2f);
    q = fmaf(q, u, -0x1.21914ep-1f);
    return fmaf(q, u, 0x1.7d241ap-1f);
}

static inline double kael_mills_polynomial_f64(double u) {
    double q = -0x1.0959f1400a390p-30;
    q = fma(q, u, 0x1.3fb7ce475a168p-34);
    q = fma(q, u, 0x1.de6d02a26289cp-27);
    q = fma(q, u, 0x1.f4eaa9c85bbb0p-27);
    q = fma(q, u, -0x1.480d99ae63529p-24);
    q = fma(q, u, -0x1.4b471811b0210p-23);
    q = fma(q, u, 0x1.1b207d62865e8p-22);
    q = fma(q, u, 0x1.11c074ae9e33fp-20);
    q = fma(q, u, -0x1.4f9d808db1d2fp-21);
    q = fma(q, u, -0x1.8d35cd874dc01p-18);
    q = fma(q, u, 0x1.7fdd9eeeb883fp-21);
    q = fma(q, u, 0x1.26cf8dea72ab1p-15);
    q = fma(q, u, -0x1.0011cb7c88079p-19);
    q = fma(q, u, -0x1.e4a415fb8cca5p-13);
    q = fma(q, u, 0x1.17a4a6b9505f7p-13);
    q = fma(q, u, 0x1.ab825f7e9996dp-10);
    q = fma(q, u, -0x1.c81719cabcedep-9);
    q = fma(q, u, -0x1.ee2761034c407p-8);
    q = fma(q, u, 0x1.eec4cc3e4560cp-5);
    q = fma(q, u, -0x1.7dff2bff6889ap-3);
    q = fma(q, u, 0x1.8c6dbf2cfc2fdp-2);
    q = fma(q, u, -0x1.373e3a893c287p-1);
    return fma(q, u, 0x1.82b4bb8c94dcep-1);
}

#define MILLS_CENTER 3.5f
#define GELU_IS_LINEAR 15.0f
#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/erf_template.h"

#include "kernels/elementary/undefine_type.h"
#undef GELU_IS_LINEAR
#undef MILLS_CENTER

#define MILLS_CENTER 4.0
#define GELU_IS_LINEAR 39.0
#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/erf_template.h"

#include "kernels/elementary/undefine_type.h"
#undef GELU_IS_LINEAR
#undef MILLS_CENTER

/* 1 - erfc(t) needs erfc(t) to an absolute precision only, so one polynomial does. */
static inline float kael_erf_f32(float x) {
    const float t = kael_magnitude_f32(x, 4);
    const float small = fmaf(x, kael_erf_small_polynomial_f32(x * x), x);
    const float large = 1 - kael_erfc_polynomial_f32(t - 2.5f);
    return t < 1 ? small : copysignf(large, x);
}

static inline double kael_erf_f64(double x) {
    const double t = kael_magnitude_f64(x, 6);
    const double small = fma(x, kael_erf_small_polynomial_f64(x * x), x);
    const double s = t * t;
    const kael_exp_parts_f64 parts = kael_exp_split_f64(-s, -fma(t, t, -s));
    double error;
    const double mills = kael_mills_ratio_f64(t * 0x1.6a09e667f3bcdp0, &error);
    const double half = fma(mills, parts.high + (kael_exp_tail_f64(parts) + error), mills) *
                        kael_exp2_integer_f64(parts.n_bits);
    return t < 1 ? small : copysign(fma(-2, half, 1), x);
}

#endif
