/* log. */
#ifndef KAEL_KERNELS_ELEMENTARY_LOG_H
#define KAEL_KERNELS_ELEMENTARY_LOG_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"

/* log(x) = k ln 2 + log(1 + f) with x = 2^k (1 + f) and f in [-1/3, 1/3), where
 * log(1 + f) = f + f^2 q(f). Subnormal x are scaled first. `biased` holds k + 256: the distance of
 * the bits from those of 2/3, in exponents. */
static inline float kael_log_f32(float x) {
    const uint32_t two_thirds = 0x3f2aaaabu;
    const int subnormal = x < FLT_MIN;
    const uint32_t bits = kael_bits_f32(subnormal ? x * 0x1p23f : x);
    const uint32_t biased = (bits + (128u << 23) - two_thirds) >> 23;
    const float k = (float)(int32_t)biased - (subnormal ? 151.0f : 128.0f);
    const float f = kael_from_bits_f32(bits - ((biased - 128u) << 23)) - 1.0f;
    float q = -0x1.087e8p-3f;
    q = fmaf(q, f, 0x1.19b5a6p-3f);
    q = fmaf(q, f, -0x1.f30748p-4f);
    q = fmaf(q, f, 0x1.1fd5fp-3f);
    q = fmaf(q, f, -0x1.559bf4p-3f);
    q = fmaf(q, f, 0x1.99bfe6p-3f);
    q = fmaf(q, f, -0x1.ffff0cp-3f);
    q = fmaf(q, f, 0x1.55552cp-2f);
    q = fmaf(q, f, -0x1p-1f);
    const float result = fmaf(k, 0x1.62e43p-1f, f + fmaf(f * f, q, k * -0x1.05c61p-29f));
    const float special = x == 0.0f ? -INFINITY : x > 0.0f ? INFINITY : NAN;
    return x > 0.0f && x < INFINITY ? result : special;
}

/* As above with f in [sqrt(1/2) - 1, sqrt(2) - 1) and, for s = f / (2 + f),
 * log(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + s^2 q(s^2))). */
static inline double kael_log_f64(double x) {
    const uint64_t root_half = 0x3fe6a09e667f3bcdu;
    const int subnormal = x < DBL_MIN;
    const uint64_t bits = kael_bits_f64(subnormal ? x * 0x1p52 : x);
    const uint64_t biased = (bits + (UINT64_C(1024) << 52) - root_half) >> 52;
    /* biased < 2^52 becomes the fraction of 2^52 + biased: a conversion that every set vectorises.
     */
    const double k = (kael_from_bits_f64(biased | kael_bits_f64(0x1p52)) - 0x1p52) -
                     (subnormal ? 1076.0 : 1024.0);
    const double f = kael_from_bits_f64(bits - ((biased - 1024u) << 52)) - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double half_square = 0.5 * f * f;
    double q = 0x1.2b5d2f49cea7bp-3;
    q = fma(q, z, 0x1.39fdf803d7801p-3);
    q = fma(q, z, 0x1.7462b7d8ce97dp-3);
    q = fma(q, z, 0x1.c71c62dab0edep-3);
    q = fma(q, z, 0x1.2492492df8654p-2);
    q = fma(q, z, 0x1.99999999952d1p-2);
    q = fma(q, z, 0x1.5555555555558p-1);
    const double correction = fma(s, fma(z, q, half_square), k * 0x1.ef35793c7673p-45);
    const double result = fma(k, 0x1.62e42fefa38p-1, f - (half_square - correction));
    const double special = x == 0.0 ? -INFINITY : x > 0.0 ? INFINITY : NAN;
    return x > 0.0 && x < INFINITY ? result : special;
}

#endif
