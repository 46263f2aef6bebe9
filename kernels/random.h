/* Kernels that fill arrays with random numbers. An element depends on its own words of the stream
 * (philox.h) alone: an element of 32 bits of randomness takes one of the four words of a block, an
 * element of 64 bits takes two, the lower half first. include/kael/random.h has the definitions.
 */
#ifndef KAEL_KERNELS_RANDOM_H
#define KAEL_KERNELS_RANDOM_H

#include <stdint.h>

#include "kernels/dtypes.h"
#include "kernels/philox.h"

/* Fills out[0 .. count) from the first block of the stream on. The parameters are one of the
 * structs below. */
typedef void kael_random_fill(const kael_philox_stream *stream, int64_t count,
                              const void *parameters, void *out);

/* low + u * span, at most `largest`; all are numbers of the dtype, in double. */
typedef struct kael_random_uniform_parameters {
    double low;
    double span;
    double largest;
} kael_random_uniform_parameters;

typedef struct kael_random_normal_parameters {
    double mean;
    double std;
} kael_random_normal_parameters;

/* low + [0, range): integers modulo 2^64, cut to the element. */
typedef struct kael_random_integers_parameters {
    uint64_t low;
    uint64_t range; /* not 0 */
} kael_random_integers_parameters;

/* The largest range of integers that take one word. */
#define KAEL_RANDOM_SHORT_RANGE (UINT64_C(1) << 16)

/* `one` with probability threshold / 2^64, else zero bits. */
typedef struct kael_random_bernoulli_parameters {
    uint64_t threshold_high; /* threshold >> 32, at most 2^32 - 1 */
    uint64_t threshold_low;  /* the rest, at most 2^32 */
    uint64_t one;            /* the element 1, in the lower bits */
} kael_random_bernoulli_parameters;

/* One instruction set's kernels. */
typedef struct kael_random_kernels {
    /* The words themselves; parameters point to any byte. */
    kael_random_fill *words;
    /* By dtype; NULL for those that are not floating point. f64 takes two words an element, the
     * others one. */
    kael_random_fill *uniform[KAEL_DTYPE_COUNT];
    kael_random_fill *normal[KAEL_DTYPE_COUNT];
    /* By the binary logarithm of the element size. */
    kael_random_fill *short_integers[4]; /* one word */
    kael_random_fill *integers[4];       /* two words */
    kael_random_fill *bernoulli[4];      /* one word */
} kael_random_kernels;

#endif
