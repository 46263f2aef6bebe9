/* Defines the tables kael_normalize_f32_<set> and kael_normalize_f64_<set> of one instruction set,
 * whose normalize.c includes its vectors of doubles, defines SET and includes this. */
#ifndef KAEL_KERNELS_NORMALIZE_SET_H
#define KAEL_KERNELS_NORMALIZE_SET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/block_sums.h"
#include "kernels/normalize.h"
#include "kernels/reduce.h"
#include "kernels/vectorize.h"

#define KAEL_NORMALIZE_JOIN_(a, b) a##_##b
#define KAEL_NORMALIZE_JOIN(a, b) KAEL_NORMALIZE_JOIN_(a, b)

enum {
    KAEL_NORMALIZE_ROWS =
        4, /* rows whose sums overlap, since the steps of one wait for each other */
    KAEL_NORMALIZE_DOUBLES = sizeof(kael_doubles) / sizeof(double),
    KAEL_NORMALIZE_VECTORS = KAEL_REDUCE_LANES / KAEL_NORMALIZE_DOUBLES
};

/* The eight lanes of a sum. */
typedef struct kael_normalize_lanes {
    kael_doubles v[KAEL_NORMALIZE_VECTORS];
} kael_normalize_lanes;

static KAEL_ALWAYS_INLINE double kael_normalize_fold(const kael_normalize_lanes *lanes) {
    double sums[KAEL_REDUCE_LANES];
    memcpy(sums, lanes, sizeof sums);
    double total = 0;
    for (int lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
        total += sums[lane];
    }
    return total;
}

static KAEL_ALWAYS_INLINE kael_doubles kael_normalize_load_f32(const float *p) {
    return kael_doubles_of_f32(p);
}

static KAEL_ALWAYS_INLINE kael_doubles kael_normalize_load_f64(const double *p) {
    kael_doubles result;
    memcpy(&result, p, sizeof result);
    return result;
}

/* Brings what lies so many bytes behind an address nearer, if it is there. */
static KAEL_ALWAYS_INLINE void kael_normalize_fetch(const void *address, int64_t bytes) {
    __builtin_prefetch((const void *)((uintptr_t)address + (uintptr_t)bytes), 0, 2);
}

#define T float
#define TYPE f32
#include "kernels/normalize_template.h"
#undef TYPE
#undef T

#define T double
#define TYPE f64
#include "kernels/normalize_template.h"
#undef TYPE
#undef T

#endif
