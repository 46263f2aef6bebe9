/* Sums over a row: the fold of the eight lanes of a block, and the pairwise tree over the sums of
 * blocks as they come. */
#ifndef KAEL_KERNELS_BLOCK_SUMS_H
#define KAEL_KERNELS_BLOCK_SUMS_H

#include <stdint.h>
#include <string.h>

#include "kernels/reduce.h"

enum {
    KAEL_BLOCK_SUM_LEVELS = 50 /* of the tree over the blocks of 2^63 elements, and one more */
};

/* Of KAEL_REDUCE_LANES doubles, in vectors or not. */
static inline double kael_fold_lanes(const void *lanes) {
    double sums[KAEL_REDUCE_LANES];
    memcpy(sums, lanes, sizeof sums);
    double total = 0;
    for (int lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
        total += sums[lane];
    }
    return total;
}

/* A stack of complete subtrees, larger ones first. Empty is depth and count 0. */
typedef struct kael_block_sums {
    int64_t depth;
    int64_t count;
    double subtrees[KAEL_BLOCK_SUM_LEVELS];
} kael_block_sums;

static inline void kael_block_sums_add(kael_block_sums *blocks, double sum) {
    blocks->subtrees[blocks->depth++] = sum;
    blocks->count += 1;
    for (int64_t left = blocks->count; left % 2 == 0; left /= 2) {
        blocks->depth -= 1;
        blocks->subtrees[blocks->depth - 1] += blocks->subtrees[blocks->depth];
    }
}

/* 0 of no blocks. */
static inline double kael_block_sums_total(kael_block_sums *blocks) {
    if (blocks->depth == 0) {
        return 0;
    }
    for (; blocks->depth > 1; --blocks->depth) {
        blocks->subtrees[blocks->depth - 2] += blocks->subtrees[blocks->depth - 1];
    }
    return blocks->subtrees[0];
}

#endif
