/* Conversions of the 16-bit floating point formats: f16 is IEEE binary16, bf16 the upper half of an
 * IEEE binary32. Free of branches and calls, so that compilers turn loops over them into vector
 * code.
 *
 * Towards f32 they are exact. Towards 16 bits they round once, to nearest, ties to even, beyond the
 * largest finite value to infinity. NaN gives NaN, and zero keeps its sign. */
#ifndef KAEL_KERNELS_HALF_H
#define KAEL_KERNELS_HALF_H

#include <stdint.h>

#include "kernels/bits.h"

/* Bit patterns of f32. */
#define KAEL_F32_SIGN UINT32_C(0x80000000)
#define KAEL_F32_INFINITY UINT32_C(0x7f800000)

static inline float kael_f16_to_f32(uint16_t value) {
    const uint32_t exponent_offset = (127 - 15) << 23;
    const uint32_t magnitude = value & 0x7fffu;
    const uint32_t sign = (uint32_t)(value & 0x8000u) << 16;
    const uint32_t subnormal = kael_bits_f32((float)(int32_t)magnitude * 0x1p-24f);
    uint32_t bits = (magnitude << 13) + exponent_offset;
    bits = magnitude >= 0x7c00 ? bits + exponent_offset : bits; /* infinity or NaN */
    bits = magnitude < 0x400 ? subnormal : bits;
    return kael_from_bits_f32(bits | sign);
}

/* Adding a power of two whose unit in the last place is that of the result leaves the rounded
 * significand, as an integer from 0 to 2^11, in the low bits of the sum. Its leading bit, set in
 * normal numbers, adds one to the exponent; a carry of the rounding adds one more. */
static inline uint16_t kael_f32_to_f16(float value) {
    const int32_t smallest_exponent = (127 - 14) << 23; /* of normal numbers of f16 */
    const int32_t infinity = 0x1f << 10;
    const uint32_t bits = kael_bits_f32(value);
    const int32_t magnitude = (int32_t)(bits & ~KAEL_F32_SIGN);
    const int32_t beyond = (127 + 16) << 23; /* 2^16, the power of two that is infinity in f16 */
    const int32_t finite = magnitude < beyond ? magnitude : beyond;
    int32_t exponent = finite & (int32_t)KAEL_F32_INFINITY;
    exponent = exponent > smallest_exponent ? exponent : smallest_exponent;
    const uint32_t power = (uint32_t)exponent + (13 << 23);
    const float sum = kael_from_bits_f32((uint32_t)finite) + kael_from_bits_f32(power);
    const int32_t significand = (int32_t)(kael_bits_f32(sum) - power);
    int32_t half = ((exponent - smallest_exponent) >> 13) + significand;
    half = magnitude > (int32_t)KAEL_F32_INFINITY ? infinity | 0x200 : half;
    return (uint16_t)((uint32_t)half | (bits & KAEL_F32_SIGN) >> 16);
}

static inline float kael_bf16_to_f32(uint16_t value) {
    return kael_from_bits_f32((uint32_t)value << 16);
}

static inline uint16_t kael_f32_to_bf16(float value) {
    const uint32_t bits = kael_bits_f32(value);
    const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
    const uint32_t quiet = bits | 0x400000;
    const int32_t magnitude = (int32_t)(bits & ~KAEL_F32_SIGN);
    return (uint16_t)((magnitude > (int32_t)KAEL_F32_INFINITY ? quiet : rounded) >> 16);
}

/* The value cut to f32, with the last bit set if anything was cut off: rounded again, to at most 22
 * bits, this gives what rounding `value` itself gives. Infinity comes out only of infinity. */
static inline float kael_f64_to_f32_odd(double value) {
    const float rounded = (float)value;
    const uint32_t bits = kael_bits_f32(rounded);
    const double magnitude = __builtin_fabs(value);
    const double rounded_magnitude = (double)__builtin_fabsf(rounded);
    uint32_t cut = rounded_magnitude > magnitude ? bits - 1 : bits;
    cut |= rounded_magnitude > magnitude ? 1 : 0;
    cut |= rounded_magnitude < magnitude ? 1 : 0;
    return kael_from_bits_f32(cut);
}

static inline uint16_t kael_f64_to_f16(double value) {
    return kael_f32_to_f16(kael_f64_to_f32_odd(value));
}

static inline uint16_t kael_f64_to_bf16(double value) {
    return kael_f32_to_bf16(kael_f64_to_f32_odd(value));
}

#endif
