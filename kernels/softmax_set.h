/* Defines the tables kael_softmax_f32_<set> and kael_softmax_f64_<set> of one instruction set,
 * whose softmax.c defines SET and includes this. */
#ifndef KAEL_KERNELS_SOFTMAX_SET_H
#define KAEL_KERNELS_SOFTMAX_SET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/block_sums.h"
#include "kernels/elementary.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "kernels/vectorize.h"

#define KAEL_SOFTMAX_JOIN_(a, b) a##_##b
#define KAEL_SOFTMAX_JOIN(a, b) KAEL_SOFTMAX_JOIN_(a, b)

enum {
    KAEL_SOFTMAX_WIDTH = 16, /* elements of the widest vector; fixed, so that all sets agree */
    KAEL_SOFTMAX_VECTORS = 4 /* searched together for the largest element */
};

/* The lanes of a sum over one block. */
typedef struct kael_lanes {
    double sums[KAEL_REDUCE_LANES];
} kael_lanes;

static KAEL_ALWAYS_INLINE double kael_fold_lanes(const kael_lanes *lanes) {
    double total = 0;
    for (int lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
        total += lanes->sums[lane];
    }
    return total;
}

/* The sum over a row, of which BLOCK_SUM gives that of the `size` elements from `begin` on. */
#define KAEL_SUM_OF_BLOCKS(total, count, BLOCK_SUM)                                                \
    kael_block_sums blocks_;                                                                       \
    blocks_.depth = blocks_.count = 0;                                                             \
    for (int64_t begin = 0; begin < (count); begin += KAEL_REDUCE_BLOCK) {                         \
        const int64_t left_ = (count)-begin;                                                       \
        const int64_t size = left_ < KAEL_REDUCE_BLOCK ? left_ : KAEL_REDUCE_BLOCK;                \
        kael_block_sums_add(&blocks_, BLOCK_SUM);                                                  \
    }                                                                                              \
    const double total = kael_block_sums_total(&blocks_)

/* The sum over one block of the terms that TERM gives for i. */
#define KAEL_SUM_OF_TERMS(total, first, size, TERM)                                                \
    kael_lanes lanes_ = {{0}};                                                                     \
    int64_t done_ = 0;                                                                             \
    for (; done_ + KAEL_REDUCE_LANES <= (size); done_ += KAEL_REDUCE_LANES) {                      \
        for (int64_t lane_ = 0; lane_ < KAEL_REDUCE_LANES; ++lane_) {                              \
            const int64_t i = (first) + done_ + lane_;                                             \
            lanes_.sums[lane_] += TERM;                                                            \
        }                                                                                          \
    }                                                                                              \
    double total = kael_fold_lanes(&lanes_);                                                       \
    for (; done_ < (size); ++done_) {                                                              \
        const int64_t i = (first) + done_;                                                         \
        total += TERM;                                                                             \
    }

#define T float
#define TYPE f32
#include "kernels/softmax_template.h"
#undef TYPE
#undef T

#define T double
#define TYPE f64
#include "kernels/softmax_template.h"
#undef TYPE
#undef T

#endif
