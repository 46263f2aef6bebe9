/* A 64-bit FNV-1a hash of floats, the same on machines of either byte order. */
#ifndef FASHION_MNIST_DIGEST_H
#define FASHION_MNIST_DIGEST_H

#include <kael/tensor.h>
#include <stdint.h>
#include <string.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

/* The sign and payload of a NaN differ between processors: all count as one. */
static inline uint32_t digest_bits(float value) {
    uint32_t bits = UINT32_C(0x7fc00000);
    if (value == value) {
        memcpy(&bits, &value, sizeof bits);
    }
    return bits;
}

static inline uint64_t digest_add(uint64_t digest, const kael_tensor *tensor) {
    const float *values = kael_tensor_data(tensor);
    for (int64_t i = 0; i < kael_tensor_numel(tensor); ++i) {
        for (uint32_t shift = 0, bits = digest_bits(values[i]); shift < 32; shift += 8) {
            digest = (digest ^ (bits >> shift & 0xff)) * UINT64_C(0x100000001b3);
        }
    }
    return digest;
}

#endif
