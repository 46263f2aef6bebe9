/* The random number generator Philox4x32-10 of J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel
 * random numbers: as easy as 1, 2, 3" (2011): a keyed bijection of 128-bit counters, whose results
 * pass for random numbers. */
#ifndef KAEL_KERNELS_PHILOX_H
#define KAEL_KERNELS_PHILOX_H

#include <stdint.h>

enum { KAEL_PHILOX_ROUNDS = 10, KAEL_PHILOX_WORDS = 4 };

#define KAEL_PHILOX_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define KAEL_PHILOX_MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define KAEL_PHILOX_KEY_STEP_0 UINT32_C(0x9E3779B9)
#define KAEL_PHILOX_KEY_STEP_1 UINT32_C(0xBB67AE85)

/* Turns a counter into a block of random words, in place. */
static inline void kael_philox(uint32_t block[KAEL_PHILOX_WORDS], uint64_t key) {
    uint32_t key_0 = (uint32_t)key;
    uint32_t key_1 = (uint32_t)(key >> 32);
    for (int round = 0; round < KAEL_PHILOX_ROUNDS; ++round) {
        const uint64_t product_0 = (uint64_t)block[0] * KAEL_PHILOX_MULTIPLIER_0;
        const uint64_t product_1 = (uint64_t)block[2] * KAEL_PHILOX_MULTIPLIER_1;
        block[0] = (uint32_t)(product_1 >> 32) ^ block[1] ^ key_0;
        block[1] = (uint32_t)product_1;
        block[2] = (uint32_t)(product_0 >> 32) ^ block[3] ^ key_1;
        block[3] = (uint32_t)product_0;
        key_0 += KAEL_PHILOX_KEY_STEP_0;
        key_1 += KAEL_PHILOX_KEY_STEP_1;
    }
}

/* A generator's stream of blocks: those of the counters (n, attempt), of 96 and 32 bits. Block n is
 * that of attempt 0; an element whose words are rejected takes those in the same place of the block
 * of attempt 1, then 2, and so on. */
typedef struct kael_philox_stream {
    uint64_t key;
    uint64_t low; /* the number of the first block: its lower 64 bits, and the upper 32 */
    uint32_t high;
} kael_philox_stream;

static inline void kael_philox_stream_block(uint32_t block[KAEL_PHILOX_WORDS],
                                            const kael_philox_stream *stream, uint64_t index,
                                            uint32_t attempt) {
    const uint64_t low = stream->low + index;
    block[0] = (uint32_t)low;
    block[1] = (uint32_t)(low >> 32);
    block[2] = stream->high + (low < index);
    block[3] = attempt;
    kael_philox(block, stream->key);
}

#endif
