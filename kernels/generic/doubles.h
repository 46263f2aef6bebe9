/* Vectors of doubles, for arithmetic with operators: GCC and Clang have them on every machine. */
#ifndef KAEL_KERNELS_GENERIC_DOUBLES_H
#define KAEL_KERNELS_GENERIC_DOUBLES_H

#include <math.h>

typedef double kael_doubles __attribute__((vector_size(16)));

static inline kael_doubles kael_doubles_of_f32(const float *p) {
    return (kael_doubles){(double)p[0], (double)p[1]};
}

/* a * b + c with one rounding. */
static inline kael_doubles kael_doubles_fma(kael_doubles a, kael_doubles b, kael_doubles c) {
    return (kael_doubles){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};
}

#endif
