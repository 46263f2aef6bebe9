/* Kernels that look for elements that differ. */
#ifndef KAEL_KERNELS_COMPARE_H
#define KAEL_KERNELS_COMPARE_H

#include <stdbool.h>

#include "kernels/dtypes.h"
#include "kernels/loop.h"

/* Operands 0 and 1 are compared and not written; strides may be anything. `found`, which several
 * threads share, becomes true if elements differ; once it is, kernels do no work. */
typedef struct kael_compare_parameters {
    bool *found;
    /* Of `far`: */
    double relative_tolerance;
    double absolute_tolerance;
    bool nan_equals_nan;
} kael_compare_parameters;

typedef struct kael_compare_kernels {
    /* Elements of one dtype whose bytes differ, unless both are NaN. */
    kael_loop_kernel *differ[KAEL_DTYPE_COUNT];
    /* Elements a and b with neither a == b nor |a - b| <= absolute + relative |b| for a finite b,
     * in f64. */
    kael_loop_kernel *far_f32;
    kael_loop_kernel *far_f64;
} kael_compare_kernels;

#endif
