/* sin and cos. */
#ifndef KAEL_KERNELS_ELEMENTARY_TRIG_H
#define KAEL_KERNELS_ELEMENTARY_TRIG_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/bits.h"
#include "kernels/vectorize.h"

/* (sin(r) / r - 1) / r^2 as a function of z = r^2, |r| <= pi / 4 and a little more */
static inline float kael_sin_polynomial_f32(float z) {
    float q = 0x1.840c68p-19f;
    q = fmaf(q, z, -0x1.a07936p-13f);
    q = fmaf(q, z, 0x1.111192p-7f);
    return fmaf(q, z, -0x1.555556p-3f);
}

static inline double kael_sin_polynomial_f64(double z) {
    double q = -0x1.8d4a79e57fe44p-41;
    q = fma(q, z, 0x1.60e5c0d14c8f6p-33);
    q = fma(q, z, -0x1.ae63f7f3069dep-26);
    q = fma(q, z, 0x1.71de3a10318f2p-19);
    q = fma(q, z, -0x1.a01a019fe8846p-13);
    q = fma(q, z, 0x1.111111111101ep-7);
    return fma(q, z, -0x1.5555555555555p-3);
}

/* (cos(r) - 1 + r^2 / 2) / r^4 */
static inline float kael_cos_polynomial_f32(float z) {
    float q = 0x1.9b9c52p-16f;
    q = fmaf(q, z, -0x1.6c125ap-10f);
    return fmaf(q, z, 0x1.555554p-5f);
}

static inline double kael_cos_polynomial_f64(double z) {
    double q = -0x1.9073ebca7b53bp-37;
    q = fma(q, z, 0x1.1eeb586ceaf72p-29);
    q = fma(q, z, -0x1.27e4fa0382902p-22);
    q = fma(q, z, 0x1.a01a019f38b98p-16);
    q = fma(q, z, -0x1.6c16c16c168ccp-10);
    return fma(q, z, 0x1.5555555555555p-5);
}

/* t = quadrant pi / 2 + high + low, modulo whole turns; only the low two bits of quadrant count. */
typedef struct kael_angle_f32 {
    uint32_t quadrant;
    float high;
    float low;
} kael_angle_f32;

typedef struct kael_angle_f64 {
    uint64_t quadrant;
    double high;
    double low;
} kael_angle_f64;

/* The binary digits of 2 / pi after 64 zeros. */
static const uint32_t kael_two_over_pi[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

enum { KAEL_TURN_LIMBS = 6 };

/* The lowest limb of m 2^e 2 / pi to the highest, for x = m 2^e, where the highest two bits count
 * quarters of a turn: digits of 2 / pi that give whole turns alone are left out, and those that are
 * too low to matter. */
static inline void kael_quarter_turns(double x, uint32_t turns[KAEL_TURN_LIMBS]) {
    const uint64_t bits = kael_bits_f64(x);
    const uint64_t hidden = UINT64_C(1) << 52;
    const uint64_t m = (bits & (hidden - 1)) | hidden;
    const uint64_t first_digit = (bits >> 52) - 1075 + 62;
    memset(turns, 0, KAEL_TURN_LIMBS * sizeof *turns);
    for (int i = 0; i < 2; ++i) {
        const uint64_t limb = (m >> (32 * i)) & 0xffffffffu;
        uint64_t carry = 0;
        for (int j = KAEL_TURN_LIMBS - 1 - i; j >= 0; --j) {
            const uint64_t digit = first_digit + 32 * (uint64_t)(i + j);
            const uint32_t *word = &kael_two_over_pi[digit / 32];
            const uint64_t pair = ((uint64_t)word[0] << 32) | word[1];
            carry += limb * (uint32_t)(pair >> (32 - digit % 32)) + turns[j];
            turns[j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* The angle of any finite t >= 1, by Payne and Hanek's method. */
static inline kael_angle_f64 kael_huge_angle(double t) {
    uint32_t turns[KAEL_TURN_LIMBS];
    kael_quarter_turns(t, turns);
    double high = 0;
    double low = 0;
    double unit = 1;
    for (int i = 0; i < KAEL_TURN_LIMBS; ++i) {
        const uint32_t next = i + 1 < KAEL_TURN_LIMBS ? turns[i + 1] : 0;
        const uint32_t limb = (turns[i] << 2) | (next >> 30);
        unit *= 0x1p-32;
        const double term = (i == 0 ? (double)(int32_t)limb : (double)limb) * unit;
        const double sum = high + term;
        low += (high - sum) + term;
        high = sum;
    }
    const double half_pi = 0x1.921fb54442d18p0;
    const double half_pi_low = 0x1.1a62633145c07p-54;
    kael_angle_f64 angle;
    angle.quadrant = (turns[0] >> 30) + ((turns[0] >> 29) & 1);
    angle.high = high * half_pi;
    angle.low = fma(high, half_pi, -angle.high) + fma(high, half_pi_low, low * half_pi);
    return angle;
}

/* sin(x) or cos(x) for any |x| >= 1. */
static inline double kael_trig_huge(double x, bool is_cosine);

/* Elements that are computed before looking whether one of them is huge. */
enum { KAEL_TRIG_BLOCK = 256 };

#define TWO_OVER_PI 0x1.45f306p-1f
#define HALF_PI_1 0x1.921fb6p0f
#define HALF_PI_2 -0x1.777a5cp-25f
#define HALF_PI_3 -0x1.ee59dap-50f
#define MOST_TRIG_ARGUMENT 0x1p17f
#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/trig_template.h"

#include "kernels/elementary/undefine_type.h"
#undef MOST_TRIG_ARGUMENT
#undef HALF_PI_3
#undef HALF_PI_2
#undef HALF_PI_1
#undef TWO_OVER_PI

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define HALF_PI_1 0x1.921fb54442d18p0
#define HALF_PI_2 0x1.1a62633145c07p-54
#define HALF_PI_3 -0x1.f1976b7ed8fbcp-110
#define MOST_TRIG_ARGUMENT 0x1p30
#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/trig_template.h"

#include "kernels/elementary/undefine_type.h"
#undef MOST_TRIG_ARGUMENT
#undef HALF_PI_3
#undef HALF_PI_2
#undef HALF_PI_1
#undef TWO_OVER_PI

static inline double kael_trig_huge(double x, bool is_cosine) {
    const double t = fabs(x);
    return t < INFINITY ? kael_trig_of_angle_f64(x, kael_huge_angle(t), is_cosine) : NAN;
}

#endif
