/* Vectors of doubles, for arithmetic with operators: GCC and Clang have them on every machine. */
#ifndef KAEL_KERNELS_GENERIC_DOUBLES_H
#define KAEL_KERNELS_GENERIC_DOUBLES_H

typedef double kael_doubles __attribute__((vector_size(16)));

static inline kael_doubles kael_doubles_of_f32(const float *p) {
    return (kael_doubles){(double)p[0], (double)p[1]};
}

#endif
