/* Counter-based random numbers: integer arithmetic only, the same on every machine. */
#ifndef FASHION_MNIST_RANDOM_H
#define FASHION_MNIST_RANDOM_H

#include <stdint.h>

/* Independent sequences of one seed. */
typedef struct random_stream {
    uint64_t key;
} random_stream;

/* The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): every bit depends on every bit. */
static inline uint64_t random_mix(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

static inline uint64_t random_bits(random_stream stream, uint64_t index) {
    return random_mix(stream.key + (index + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static inline random_stream random_stream_of(uint64_t seed, uint64_t number) {
    return (random_stream){random_bits((random_stream){random_mix(seed)}, number)};
}

/* Uniform over [-1, 1), a multiple of 2^-23. */
static inline float random_signed_unit(random_stream stream, uint64_t index) {
    const int32_t steps = (int32_t)(random_bits(stream, index) >> 40) - (1 << 23);
    return (float)steps * 0x1p-23f;
}

/* Uniform over 0 .. bound - 1 for bound up to 2^32 (to within 2^-32 of it). */
static inline int64_t random_below(random_stream stream, uint64_t index, int64_t bound) {
    return (int64_t)((random_bits(stream, index) >> 32) * (uint64_t)bound >> 32);
}

#endif
