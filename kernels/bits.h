/* The bits of floating point numbers. */
#ifndef KAEL_KERNELS_BITS_H
#define KAEL_KERNELS_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t kael_bits_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t kael_bits_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float kael_from_bits_f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double kael_from_bits_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
