/* log and log1p.
 *
 * log(x) = k ln 2 + log(1 + f) with x = 2^k (1 + f), where k ln 2 is added in two parts. For log1p,
 * 1 + x rounds to y and what was lost, c, adds c / y. */
#ifndef KAEL_KERNELS_ELEMENTARY_LOG_H
#define KAEL_KERNELS_ELEMENTARY_LOG_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary/mask.h"

/* f in [-1/3, 1/3), where log(1 + f) = f + f^2 q(f). The result lacks f and k LN2_HEAD. */
static inline float kael_log_tail_f32(float k, float f, float low) {
    float q = -0x1.087e8p-3f;
    q = fmaf(q, f, 0x1.19b5a6p-3f);
    q = fmaf(q, f, -0x1.f30748p-4f);
    q = fmaf(q, f, 0x1.1fd5fp-3f);
    q = fmaf(q, f, -0x1.559bf4p-3f);
    q = fmaf(q, f, 0x1.99bfe6p-3f);
    q = fmaf(q, f, -0x1.ffff0cp-3f);
    q = fmaf(q, f, 0x1.55552cp-2f);
    q = fmaf(q, f, -0x1p-1f);
    return fmaf(f * f, q, fmaf(k, -0x1.05c61p-29f, low));
}

/* f in [sqrt(1/2) - 1, sqrt(2) - 1) and, for s = f / (2 + f),
 * log(1 + f) = f - (f^2 / 2 - s (f^2 / 2 + s^2 q(s^2))). */
static inline double kael_log_tail_f64(double k, double f, double low) {
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
    const double correction = fma(s, fma(z, q, half_square), fma(k, 0x1.ef35793c7673p-45, low));
    return correction - half_square;
}

static inline float kael_small_integer_f32(uint32_t n) {
    return (float)(int32_t)n;
}

/* n < 2^52 becomes the fraction of 2^52 + n: a conversion that every set vectorises. */
static inline double kael_small_integer_f64(uint64_t n) {
    return kael_from_bits_f64(n | kael_bits_f64(0x1p52)) - 0x1p52;
}

#define LOG_SPLIT 0x3f2aaaabu /* 2/3 */
#define LN2_HEAD 0x1.62e43p-1f
#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/log_template.h"

#include "kernels/elementary/undefine_type.h"
#undef LN2_HEAD
#undef LOG_SPLIT

#define LOG_SPLIT UINT64_C(0x3fe6a09e667f3bcd) /* sqrt(1/2) */
#define LN2_HEAD 0x1.62e42fefa38p-1
#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/log_template.h"

#include "kernels/elementary/undefine_type.h"
#undef LN2_HEAD
#undef LOG_SPLIT

#endif
