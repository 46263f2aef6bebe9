/* Kernels of layer and RMS normalisation.
 *
 * Operands are arrays of the kernel's element type T; counts and strides are in elements. Of a
 * row of n elements x, in double, with sums as reduce.h defines them:
 *   center     = (sum of x) / n, in RMS normalisation 0
 *   reciprocal = 1 / sqrt((sum of (x - center)^2) / n + eps)
 *   h          = (x - center) * reciprocal
 * One source, normalize_template.h, gives all kernels of all instruction sets.
 */
#ifndef KAEL_KERNELS_NORMALIZE_H
#define KAEL_KERNELS_NORMALIZE_H

#include <stdint.h>

/* Rows of `count` elements. Results may be written over any of the inputs, row for row. */
typedef struct kael_normalize_rows {
    int64_t rows;
    int64_t count;
    double eps;
    const void *in;
    int64_t in_stride;
    const void *gradient; /* of the result, where a kernel reads one */
    int64_t gradient_stride;
    const void *weight; /* `count` elements, or NULL: ones */
    const void *bias;   /* `count` elements, or NULL: nothing is added */
    void *out;
    int64_t out_stride;
} kael_normalize_rows;

typedef void kael_normalize_function(const kael_normalize_rows *rows);

/* One element type's kernels on one instruction set. */
typedef struct kael_normalize_kernels {
    /* out = h * weight + bias, where h and each operation are rounded to T */
    kael_normalize_function *layer_norm;
    kael_normalize_function *rms_norm;
    /* With g = gradient * weight, a = (sum of g) / n, in RMS normalisation 0, and
     * b = (sum of g * h) / n: out = ((g - a) - h * b) * reciprocal,
     * in double until it is rounded to T. */
    kael_normalize_function *layer_norm_backward;
    kael_normalize_function *rms_norm_backward;
} kael_normalize_kernels;

#endif
