/* pow, with the special values of C's Annex F. */
#ifndef KAEL_KERNELS_ELEMENTARY_POW_H
#define KAEL_KERNELS_ELEMENTARY_POW_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary/exp.h"
#include "kernels/elementary/log.h"
#include "kernels/elementary/mask.h"
#include "kernels/elementary/sum.h"

#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/pow_template.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/undefine_type.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/pow_template.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/undefine_type.h" /* NOLINT(readability-duplicate-include) */

/* log2(1 + f) / s as a function of z = s^2 for s = f / (2 + f), to 2^-45 */
static inline double kael_pow_log2_polynomial(double z) {
    double q = 0x1.21b0efaad6a58p-2;
    q = fma(q, z, 0x1.479555c8cea1ap-2);
    q = fma(q, z, 0x1.a61a2eccff603p-2);
    q = fma(q, z, 0x1.2776c2933936cp-1);
    q = fma(q, z, 0x1.ec709dc53c6e4p-1);
    return fma(q, z, 0x1.71547652b8251p1);
}

/* (2^r - 1) / r for |r| <= 1/2, to 2^-33 */
static inline double kael_pow_exp2_polynomial(double r) {
    double q = 0x1.00dc679ddd74ep-16;
    q = fma(q, r, 0x1.4440230eea3cap-13);
    q = fma(q, r, 0x1.5d874c557325fp-10);
    q = fma(q, r, 0x1.3b2a1b4d335f8p-7);
    q = fma(q, r, 0x1.c6b08dc5fde41p-5);
    q = fma(q, r, 0x1.ebfbe04610fa5p-3);
    return fma(q, r, 0x1.62e42fef95e68p-1);
}

/* ((log(1 + f) / s - 2) / z - 2/3) / z */
static inline double kael_pow_log_polynomial(double z) {
    double q = 0x1.da9aa9cbcd3f4p-4;
    q = fma(q, z, 0x1.e01a7efca15d5p-4);
    q = fma(q, z, 0x1.11154be1785b5p-3);
    q = fma(q, z, 0x1.3b13a9e53da5cp-3);
    q = fma(q, z, 0x1.745d173ca3ea2p-3);
    q = fma(q, z, 0x1.c71c71c74cc3fp-3);
    q = fma(q, z, 0x1.24924924922fdp-2);
    return fma(q, z, 0x1.999999999999ap-2);
}

/* 2^(y log2(x)) in double: every f32 is a normal number there, and so is every result that rounds
 * to more than 0. */
static inline float kael_pow_f32(float x, float y) {
    const double base = fabs((double)x);
    const kael_log_parts_f64 parts = kael_log_split_f64(base);
    const double s = parts.f / (2 + parts.f);
    const double finite = fma(s, kael_pow_log2_polynomial(s * s), parts.k);
    const double log2_base = kael_pow_log_or_limit_f64(base, finite);
    const double exact = kael_clear_f64(kael_mask_f64(base == 1), (double)y * log2_base);
    const double product = copysign(kael_magnitude_f64(exact, 200), exact);
    const double shift = 0x1.8p52;
    const double shifted = product + shift;
    const double r = product - (shifted - shift);
    const double power = fma(kael_pow_exp2_polynomial(r), r, 1);
    const double scale = kael_exp2_integer_f64(kael_bits_f64(shifted) - kael_bits_f64(shift));
    return kael_pow_of_magnitude_f32(x, y, (float)(power * scale));
}

/* log of a normal number to about 2^-64 of itself: log(1 + f) = 2 s + s (2/3 z + z^2 q(z)) with
 * s and z = s^2 as sums of two, to which k ln 2 is added in two parts. */
static inline kael_sum_f64 kael_pow_log(kael_log_parts_f64 parts) {
    const double f = parts.f;
    const kael_sum_f64 divisor = kael_sum_ordered_f64(2, f);
    const double reciprocal = 1 / divisor.high;
    const double s = f * reciprocal;
    const double s_low = fma(-s, divisor.low, fma(-s, divisor.high, f)) * reciprocal;
    const kael_sum_f64 z = kael_product_f64(s, s);
    const double z_low = fma(2 * s, s_low, z.low);

    const double two_thirds = 0x1.5555555555555p-1;
    const double two_thirds_low = 0x1.5555555555555p-55;
    const kael_sum_f64 first = kael_product_f64(two_thirds, z.high);
    const double first_low = fma(two_thirds, z_low, fma(two_thirds_low, z.high, first.low));
    const double square = z.high * fma(2, z_low, z.high);
    const kael_sum_f64 series =
        kael_sum_ordered_f64(first.high, square * kael_pow_log_polynomial(z.high));
    const double series_low = series.low + first_low;

    const kael_sum_f64 rest = kael_product_f64(s, series.high);
    const double rest_low = fma(s, series_low, fma(s_low, series.high, rest.low));
    const kael_sum_f64 fraction = kael_sum_ordered_f64(2 * s, rest.high);
    const double fraction_low = fraction.low + fma(2, s_low, rest_low);

    const double k = parts.k;
    const kael_sum_f64 sum = kael_sum_ordered_f64(k * 0x1.62e42fefa38p-1, fraction.high);
    return kael_sum_ordered_f64(sum.high, sum.low + fma(k, 0x1.ef35793c7673p-45, fraction_low));
}

/* exp(y log(x)). */
static inline double kael_pow_f64(double x, double y) {
    const double most = 760; /* beyond it exp vanishes or overflows */
    const double base = fabs(x);
    const bool subnormal = base < DBL_MIN;
    kael_log_parts_f64 parts = kael_log_split_f64(subnormal ? base * 0x1p52 : base);
    parts.k -= subnormal ? 52 : 0;
    const kael_sum_f64 log = kael_pow_log(parts);
    /* Not the NaN that infinity times log(1) would be. */
    const uint64_t base_is_one = kael_mask_f64(base == 1);
    const double product =
        kael_clear_f64(base_is_one, y * kael_pow_log_or_limit_f64(base, log.high));
    const double product_low = fma(y, log.low, fma(y, log.high, -product));
    const uint64_t exact = base_is_one | kael_mask_f64(fabs(product) >= most);
    const double bounded = copysign(kael_magnitude_f64(product, most), product);
    kael_exp_parts_f64 power = kael_exp_split_f64(bounded, kael_clear_f64(exact, product_low));
    power.low = fma((power.high - power.r) + power.low, power.r, power.low);
    const kael_sum_f64 sum = kael_sum_ordered_f64(1, power.high);
    const double magnitude = sum.high + (sum.low + kael_exp_tail_f64(power));
    const kael_exp2_steps_f64 scale = kael_exp2_in_steps_f64(power.n_bits);
    return kael_pow_of_magnitude_f64(x, y, magnitude * scale.first * scale.second);
}

#endif
