/* The definitions of layer and RMS normalisation as slow scalar programs, a row at a time. Numbers
 * are those of the element type, f32 or f64, held in double. */
#ifndef KAEL_TESTS_NORMALIZE_ORACLE_H
#define KAEL_TESTS_NORMALIZE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct normalize_row {
    bool is_f32;
    bool is_centered; /* layer normalisation */
    double eps;
    int64_t count;
    const double *x;
    const double *weight; /* or NULL */
    const double *bias;   /* or NULL */
} normalize_row;

void oracle_normalize(const normalize_row *row, double *out);

/* From the gradient of the result. */
void oracle_normalize_backward(const normalize_row *row, const double *gradient, double *out);

#endif
