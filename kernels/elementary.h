/* Elementary functions of one element, written so that compilers turn a loop over them into vector
 * code: no branches, no tables, no calls. Every lane of every instruction set performs the same
 * IEEE operations, so results do not depend on how a loop is vectorised. Each is within one unit in
 * the last place of the exact value (tests/kernel/elementary_accuracy.c).
 *
 * The coefficients are minimax polynomials rounded to the type, found with Sollya's fpminimax.
 */
#ifndef KAEL_KERNELS_ELEMENTARY_H
#define KAEL_KERNELS_ELEMENTARY_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"

/* exp(x) = 2^n exp(r) with n = round(x / ln 2), r = x - n ln 2 and exp(r) = 1 + r + r^2 q(r).
 *
 * n ln2_high is subtracted exactly and the rest, `low`, joins the sum late, so that only the two
 * final additions round at full size. Adding `shift` (1.5 times the power of two whose unit in the
 * last place is 1) rounds to an integer and leaves it in the low bits. A NaN passes the clamps.
 *
 * Processors take a slow path when a product is subnormal, so tiny results never are products: they
 * are computed in units of the smallest subnormal number, `lift` binary orders higher. There,
 * adding a power of two rounds to the integer that is a subnormal result's bits, and a normal
 * result needs its exponent lowered. 2^n is doubled last because 2^128 is no number. */
static inline float kael_exp_f32(float x) {
    const float shift = 0x1.8p23f;
    const float first_normal = 0x1p23f; /* FLT_MIN, lifted */
    x = x < -104.0f ? -104.0f : x;
    x = x > 89.0f ? 89.0f : x;
    const float shifted = fmaf(x, 0x1.715476p0f, shift);
    const float n = shifted - shift;
    const float high = fmaf(n, -0x1.62e43p-1f, x);
    const float low = n * 0x1.05c61p-29f;
    const float r = high + low;
    float q = 0x1.6d4bfep-10f;
    q = fmaf(q, r, 0x1.120c0ap-7f);
    q = fmaf(q, r, 0x1.5554eap-5f);
    q = fmaf(q, r, 0x1.5554dcp-3f);
    q = fmaf(q, r, 0x1p-1f);
    const float power = 1.0f + (high + fmaf(r * r, q, low));
    const uint32_t tiny = 0 - (uint32_t)(n < -124.0f);
    const uint32_t lift = tiny & 149u;
    const uint32_t exponent = kael_bits_f32(shifted) - kael_bits_f32(shift) + lift + 126u;
    const float half = power * kael_from_bits_f32(exponent << 23);
    const float lifted = half + half;
    const uint32_t normal = kael_bits_f32(lifted) - (lift << 23);
    const uint32_t subnormal = kael_bits_f32(lifted + first_normal) - kael_bits_f32(first_normal);
    const uint32_t chosen = tiny & (0 - (uint32_t)(lifted < first_normal));
    return kael_from_bits_f32((subnormal & chosen) | (normal & ~chosen));
}

static inline double kael_exp_f64(double x) {
    const double shift = 0x1.8p52;
    const double first_normal = 0x1p52; /* DBL_MIN, lifted */
    x = x < -746.0 ? -746.0 : x;
    x = x > 710.0 ? 710.0 : x;
    const double shifted = fma(x, 0x1.71547652b82fep0, shift);
    const double n = shifted - shift;
    const double high = fma(n, -0x1.62e42fefa39efp-1, x);
    const double low = n * -0x1.abc9e3b39803fp-56;
    const double r = high + low;
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
    q = fma(q, r, 0x1p-1);
    const double power = 1.0 + (high + fma(r * r, q, low));
    const uint64_t tiny = 0 - (uint64_t)(n < -1020.0);
    const uint64_t lift = tiny & 1074u;
    const uint64_t exponent = kael_bits_f64(shifted) - kael_bits_f64(shift) + lift + 1022u;
    const double half = power * kael_from_bits_f64(exponent << 52);
    const double lifted = half + half;
    const uint64_t normal = kael_bits_f64(lifted) - (lift << 52);
    const uint64_t subnormal = kael_bits_f64(lifted + first_normal) - kael_bits_f64(first_normal);
    const uint64_t chosen = tiny & (0 - (uint64_t)(lifted < first_normal));
    return kael_from_bits_f64((subnormal & chosen) | (normal & ~chosen));
}

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
