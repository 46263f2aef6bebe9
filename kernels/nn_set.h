/* Defines the tables kael_nn_f32_<set> and kael_nn_f64_<set> of one instruction set, whose nn.c
 * defines SET and includes this. */
#ifndef KAEL_KERNELS_NN_SET_H
#define KAEL_KERNELS_NN_SET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/elementary.h"
#include "kernels/nn.h"
#include "kernels/reduce.h"
#include "kernels/vectorize.h"

#define KAEL_NN_JOIN_(a, b) a##_##b
#define KAEL_NN_JOIN(a, b) KAEL_NN_JOIN_(a, b)

enum {
    KAEL_NN_WIDTH = 16, /* elements of the widest vector; fixed, so that all sets agree */
    KAEL_NN_CHUNK =
        256, /* elements at a time that stay in the first cache; divides KAEL_REDUCE_BLOCK */
    KAEL_NN_LEVELS = 50 /* of the tree over the blocks of 2^63 elements, and one more */
};

/* The pairwise tree over block sums as they come: a stack of complete subtrees, larger ones first.
 */
typedef struct kael_nn_block_sums {
    double subtrees[KAEL_NN_LEVELS];
    int64_t depth;
    int64_t count;
} kael_nn_block_sums;

static inline void kael_nn_block_sums_add(kael_nn_block_sums *blocks, double sum) {
    blocks->subtrees[blocks->depth++] = sum;
    blocks->count += 1;
    for (int64_t left = blocks->count; left % 2 == 0; left /= 2) {
        blocks->depth -= 1;
        blocks->subtrees[blocks->depth - 1] += blocks->subtrees[blocks->depth];
    }
}

static inline double kael_nn_block_sums_total(kael_nn_block_sums *blocks) {
    for (; blocks->depth > 1; --blocks->depth) {
        blocks->subtrees[blocks->depth - 2] += blocks->subtrees[blocks->depth - 1];
    }
    return blocks->subtrees[0];
}

#define T float
#define TYPE f32
#define HAS_EXACT_PRODUCTS 1
#include "kernels/nn_template.h"
#undef HAS_EXACT_PRODUCTS
#undef TYPE
#undef T

#define T double
#define TYPE f64
#define HAS_EXACT_PRODUCTS 0
#include "kernels/nn_template.h"
#undef HAS_EXACT_PRODUCTS
#undef TYPE
#undef T

#endif
