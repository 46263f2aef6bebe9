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
    KAEL_SOFTMAX_CHUNK = 64,  /* elements that are computed together */
    KAEL_SOFTMAX_SHORT = 128, /* rows of at most so many elements go through a buffer, together */
    KAEL_SOFTMAX_BUFFER = 2048,
    KAEL_SOFTMAX_MOST_DIVISOR = 1 << 20,
    KAEL_SOFTMAX_BATCH = 64 /* rows in the buffer at most */
};

/* The set's own vectors, in which the order of elements does not matter: compilers take larger ones
 * apart, element by element, where they compare them. */
#if defined(__AVX512F__)
#define KAEL_SOFTMAX_VECTOR_BYTES 64
#elif defined(__AVX__)
#define KAEL_SOFTMAX_VECTOR_BYTES 32
#else
#define KAEL_SOFTMAX_VECTOR_BYTES 16
#endif
typedef float kael_vector_f32 __attribute__((vector_size(KAEL_SOFTMAX_VECTOR_BYTES)));
typedef double kael_vector_f64 __attribute__((vector_size(KAEL_SOFTMAX_VECTOR_BYTES)));
typedef int32_t kael_vector_mask_f32 __attribute__((vector_size(KAEL_SOFTMAX_VECTOR_BYTES)));
typedef int64_t kael_vector_mask_f64 __attribute__((vector_size(KAEL_SOFTMAX_VECTOR_BYTES)));

/* The lanes of a sum over one block, in vectors of the set's own, and what is added to one. */
enum { KAEL_SOFTMAX_PARTS = KAEL_REDUCE_LANES * sizeof(double) / KAEL_SOFTMAX_VECTOR_BYTES };

typedef float kael_part_f32 __attribute__((vector_size(KAEL_SOFTMAX_VECTOR_BYTES / 2)));
typedef double kael_part_f64 __attribute__((vector_size(KAEL_SOFTMAX_VECTOR_BYTES)));

typedef struct kael_lanes {
    kael_part_f64 parts[KAEL_SOFTMAX_PARTS];
} kael_lanes;

#define KAEL_DEFINE_ADD_EIGHT(T, type)                                                             \
    static KAEL_ALWAYS_INLINE void kael_add_eight_##type(const T *terms, kael_lanes *lanes) {      \
        for (int p = 0; p < KAEL_SOFTMAX_PARTS; ++p) {                                             \
            kael_part_##type part;                                                                 \
            memcpy(&part, terms + p * (KAEL_REDUCE_LANES / KAEL_SOFTMAX_PARTS), sizeof part);      \
            lanes->parts[p] += __builtin_convertvector(part, kael_part_f64);                       \
        }                                                                                          \
    }
KAEL_DEFINE_ADD_EIGHT(float, f32)
KAEL_DEFINE_ADD_EIGHT(double, f64)
#undef KAEL_DEFINE_ADD_EIGHT

/* Before a loop of one vector, which clang would unroll and then not put together again. */
#ifdef __clang__
#define KAEL_SHORT_LOOP _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define KAEL_SHORT_LOOP _Pragma("GCC ivdep")
#endif

/* Runs a statement that writes what it does not read for i from 0 to count - 1, in vectors of which
 * the last repeats elements of the one before. */
#define KAEL_IN_VECTORS(width, count, STATEMENT)                                                   \
    for (int64_t base_ = 0; base_ < (count); base_ += (width)) {                                   \
        const int64_t last_ = (count) - (width);                                                   \
        const int64_t begin_ = base_ < last_ ? base_ : last_;                                      \
        KAEL_SHORT_LOOP                                                                            \
        for (int64_t lane_ = 0; lane_ < (width); ++lane_) {                                        \
            const int64_t i = begin_ + lane_;                                                      \
            STATEMENT;                                                                             \
        }                                                                                          \
    }
#define KAEL_MAP_SHORT(count, STATEMENT)                                                           \
    if ((count) >= 16) {                                                                           \
        KAEL_IN_VECTORS(16, count, STATEMENT)                                                      \
    } else if ((count) >= 8) {                                                                     \
        KAEL_IN_VECTORS(8, count, STATEMENT)                                                       \
    } else if ((count) >= 4) {                                                                     \
        KAEL_IN_VECTORS(4, count, STATEMENT)                                                       \
    } else {                                                                                       \
        KAEL_IN_VECTORS(1, count, STATEMENT)                                                       \
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
    kael_lanes lanes_ = {{{0}}};                                                                   \
    double terms_[KAEL_REDUCE_LANES];                                                              \
    int64_t done_ = 0;                                                                             \
    for (; done_ + KAEL_REDUCE_LANES <= (size); done_ += KAEL_REDUCE_LANES) {                      \
        for (int64_t lane_ = 0; lane_ < KAEL_REDUCE_LANES; ++lane_) {                              \
            const int64_t i = (first) + done_ + lane_;                                             \
            terms_[lane_] = TERM;                                                                  \
        }                                                                                          \
        kael_add_eight_f64(terms_, &lanes_);                                                       \
    }                                                                                              \
    double total = kael_fold_lanes(&lanes_);                                                       \
    for (; done_ < (size); ++done_) {                                                              \
        const int64_t i = (first) + done_;                                                         \
        total += TERM;                                                                             \
    }

/* Whether five fused multiply-adds are faster than a division. */
#if defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA)
#define KAEL_SOFTMAX_HAS_FMA 1
#else
#define KAEL_SOFTMAX_HAS_FMA 0
#endif

#define T float
#define TYPE f32
#define FMA fmaf
#define LEAST_DIVIDEND 0x1p-50f
#include "kernels/softmax_template.h"
#undef LEAST_DIVIDEND
#undef FMA
#undef TYPE
#undef T

#define T double
#define TYPE f64
#define FMA fma
#define LEAST_DIVIDEND 0x1p-400
#include "kernels/softmax_template.h"
#undef LEAST_DIVIDEND
#undef FMA
#undef TYPE
#undef T

#endif
