/* A matrix product with known bits, to be repeated under difficult circumstances. */
#ifndef KAEL_TESTS_PRODUCT_H
#define KAEL_TESTS_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kael/matmul_versions.h"

typedef struct product {
    int64_t size;
    double *a;
    double *b;
    double *expected;
} product;

/* out = a * b of two size x size matrices; false on an error. */
static inline bool product_compute(const product *p, double *out) {
    const kael_matmul_sizes sizes = {p->size, p->size, p->size};
    memset(out, 0, (size_t)(p->size * p->size) * sizeof *out);
    return kael_matmul_v6_threaded_f64(p->a, p->b, out, &sizes) == KAEL_OK;
}

/* Fills the operands and computes the expected bits with the present number of threads. */
static inline bool product_prepare(product *p, int64_t size) {
    const size_t count = (size_t)(size * size);
    p->size = size;
    p->a = malloc(count * sizeof *p->a);
    p->b = malloc(count * sizeof *p->b);
    p->expected = malloc(count * sizeof *p->expected);
    if (p->a == NULL || p->b == NULL || p->expected == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        p->a[i] = (double)(i * 7919 % 1009) / 1009.0 - 0.5;
        p->b[i] = (double)(i * 104729 % 2003) / 2003.0 - 0.5;
    }
    return product_compute(p, p->expected);
}

/* Whether a new computation gives the expected bits. */
static inline bool product_repeats(const product *p) {
    const size_t bytes = (size_t)(p->size * p->size) * sizeof(double);
    double *const out = malloc(bytes);
    const bool same =
        out != NULL && product_compute(p, out) && memcmp(out, p->expected, bytes) == 0;
    free(out);
    return same;
}

static inline void product_free(product *p) {
    free(p->a);
    free(p->b);
    free(p->expected);
}

#endif
