/* The eight lanes of a sum, in vectors of the instruction set whose doubles.h is included first. */
#ifndef KAEL_KERNELS_OCTETS_H
#define KAEL_KERNELS_OCTETS_H

#include <stdint.h>
#include <string.h>

#include "kernels/block_sums.h"
#include "kernels/reduce.h"
#include "kernels/vectorize.h"

enum {
    KAEL_DOUBLES = sizeof(kael_doubles) / sizeof(double),
    KAEL_OCTET_VECTORS = KAEL_REDUCE_LANES / KAEL_DOUBLES
};

/* Announces that the memory so many bytes after `p`, which may be none, is about to be read. */
static KAEL_ALWAYS_INLINE void kael_prefetch(const void *p, int64_t bytes) {
    __builtin_prefetch((const void *)((uintptr_t)p + (uintptr_t)bytes), 0, 3);
}

/* Eight lanes. */
typedef struct kael_octet {
    kael_doubles v[KAEL_OCTET_VECTORS];
} kael_octet;

static KAEL_ALWAYS_INLINE kael_doubles kael_doubles_of_f64(const double *p) {
    kael_doubles result;
    memcpy(&result, p, sizeof result);
    return result;
}

static KAEL_ALWAYS_INLINE kael_octet kael_octet_load(const double *p) {
    kael_octet result;
    memcpy(&result, p, sizeof result);
    return result;
}

static KAEL_ALWAYS_INLINE void kael_octet_store(double *p, kael_octet octet) {
    memcpy(p, &octet, sizeof octet);
}

static KAEL_ALWAYS_INLINE kael_octet kael_octet_of(double x) {
    kael_octet result;
    for (int v = 0; v < KAEL_OCTET_VECTORS; ++v) {
        result.v[v] = (kael_doubles){0} + x;
    }
    return result;
}

#endif
