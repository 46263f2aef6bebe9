/* Pairs of independent standard normal numbers from pairs of random integers, after G. Box and
 * M. Muller (1958): the point with radius sqrt(-2 log u) at a uniform angle. Free of branches and
 * calls, so that compilers turn loops over them into vector code.
 *
 * The angle is a fraction of a turn, so that its reduction to an eighth of a turn around the
 * nearest axis is exact. The coefficients are minimax polynomials of sin(pi / 4 y) and
 * cos(pi / 4 y) rounded to the type, found with Sollya's fpminimax. */
#ifndef KAEL_KERNELS_NORMAL_H
#define KAEL_KERNELS_NORMAL_H

#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary.h"

typedef struct kael_pair_f32 {
    float first;
    float second;
} kael_pair_f32;

typedef struct kael_pair_f64 {
    double first;
    double second;
} kael_pair_f64;

/* A conversion that every instruction set vectorises: the integer, below 2^32, becomes the fraction
 * of 2^52. */
static inline double kael_u32_to_f64(uint64_t integer) {
    return kael_from_bits_f64(integer | kael_bits_f64(0x1p52)) - 0x1p52;
}

/* The upper 53 bits as a multiple of 2^-53 below 1; exact. */
static inline double kael_unit_f64(uint64_t integer) {
    const double low = kael_u32_to_f64((integer & 0xffffffff) >> 11);
    return fma(kael_u32_to_f64(integer >> 32), 0x1p-32, low * 0x1p-53);
}

/* Turns the point (x, y) by a number of quarters. */
static inline kael_pair_f32 kael_turn_f32(float x, float y, uint32_t quarters) {
    const uint32_t swap = 0 - (quarters & 1);
    const uint32_t x_bits = kael_bits_f32(x);
    const uint32_t y_bits = kael_bits_f32(y);
    const uint32_t first = (x_bits & ~swap) | (y_bits & swap);
    const uint32_t second = (y_bits & ~swap) | (x_bits & swap);
    return (kael_pair_f32){kael_from_bits_f32(first ^ ((quarters + 1) >> 1 & 1) << 31),
                           kael_from_bits_f32(second ^ (quarters >> 1 & 1) << 31)};
}

static inline kael_pair_f64 kael_turn_f64(double x, double y, uint64_t quarters) {
    const uint64_t swap = 0 - (quarters & 1);
    const uint64_t x_bits = kael_bits_f64(x);
    const uint64_t y_bits = kael_bits_f64(y);
    const uint64_t first = (x_bits & ~swap) | (y_bits & swap);
    const uint64_t second = (y_bits & ~swap) | (x_bits & swap);
    return (kael_pair_f64){
        kael_from_bits_f64(first ^ ((quarters + 1) >> 1 & 1) << 63),
        kael_from_bits_f64(second ^ (quarters >> 1 & 1) << 63),
    };
}

/* From two random words. The radius is at most sqrt(64 log 2), about 6.7. */
static inline kael_pair_f32 kael_normal_pair_f32(uint32_t radius_word, uint32_t angle_word) {
    const float u = fmaf((float)(int32_t)(radius_word >> 1), 0x1p-31f, 0x1p-32f);
    const float radius = sqrtf(-2.0f * kael_log_f32(u));
    const uint32_t quarters = (angle_word + (UINT32_C(1) << 29)) >> 30;
    const float y = (float)(int32_t)(angle_word - (quarters << 30)) * 0x1p-29f;
    const float z = y * y;
    float sine = -0x1.2f5992p-15f;
    sine = fmaf(sine, z, 0x1.466b2p-9f);
    sine = fmaf(sine, z, -0x1.4abbecp-4f);
    sine = fmaf(sine, z, 0x1.921fb6p-1f);
    float cosine = 0x1.d684aap-19f;
    cosine = fmaf(cosine, z, -0x1.55b7cep-12f);
    cosine = fmaf(cosine, z, 0x1.03c1b8p-6f);
    cosine = fmaf(cosine, z, -0x1.3bd3ccp-2f);
    cosine = fmaf(cosine, z, 1.0f);
    return kael_turn_f32(radius * cosine, radius * (y * sine), quarters);
}

/* From two random integers of 64 bits. The radius is at most sqrt(108 log 2), about 8.7. */
static inline kael_pair_f64 kael_normal_pair_f64(uint64_t radius_pair, uint64_t angle_pair) {
    const double u = kael_unit_f64(radius_pair) + 0x1p-54;
    const double radius = sqrt(-2.0 * kael_log_f64(u));
    const uint64_t shifted = angle_pair + (UINT64_C(1) << 61);
    const uint64_t quarters = shifted >> 62;
    const double high = kael_u32_to_f64(shifted >> 32 & 0x3fffffff) * 0x1p-29 - 1.0;
    const double y = fma(kael_u32_to_f64(shifted & 0xffffffff), 0x1p-61, high);
    const double z = y * y;
    double sine = 0x1.e357ef99eb0bbp-38;
    sine = fma(sine, z, -0x1.e2fe76fdffd2bp-30);
    sine = fma(sine, z, 0x1.50782d5f14825p-22);
    sine = fma(sine, z, -0x1.32d2ccdfe9424p-15);
    sine = fma(sine, z, 0x1.466bc67754fffp-9);
    sine = fma(sine, z, -0x1.4abbce625be09p-4);
    sine = fma(sine, z, 0x1.921fb54442d18p-1);
    double cosine = -0x1.b167302e37198p-42;
    cosine = fma(cosine, z, 0x1.f9c89ca1d5187p-34);
    cosine = fma(cosine, z, -0x1.a6d1e7294bffap-26);
    cosine = fma(cosine, z, 0x1.e1f5067b90b37p-19);
    cosine = fma(cosine, z, -0x1.55d3c7e3c325bp-12);
    cosine = fma(cosine, z, 0x1.03c1f081b5a67p-6);
    cosine = fma(cosine, z, -0x1.3bd3cc9be45dep-2);
    cosine = fma(cosine, z, 1.0);
    return kael_turn_f64(radius * cosine, radius * (y * sine), quarters);
}

#endif
