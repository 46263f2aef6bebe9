/* The reductions that there are. */
#ifndef KAEL_OPS_REDUCE_OPERATIONS_H
#define KAEL_OPS_REDUCE_OPERATIONS_H

#include <stdint.h>

#include "kael/dtype.h"
#include "ops/reduction.h"

/* A reduction's passes over elements of a dtype, everything but `correction` set. `count` is the
 * number of elements of each output. */
typedef void kael_reduction_define(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                                   kael_dtype dtype, int64_t count);

typedef struct kael_reduce_operation {
    const char *name;
    kael_reduction_define *define;
    double of_nothing;     /* what no elements give */
    bool needs_an_element; /* it is an error instead */
} kael_reduce_operation;

extern const kael_reduce_operation kael_reduce_sum;
extern const kael_reduce_operation kael_reduce_prod;
extern const kael_reduce_operation kael_reduce_mean;
extern const kael_reduce_operation kael_reduce_var;
extern const kael_reduce_operation kael_reduce_std;
extern const kael_reduce_operation kael_reduce_norm;
extern const kael_reduce_operation kael_reduce_logsumexp;
extern const kael_reduce_operation kael_reduce_max;
extern const kael_reduce_operation kael_reduce_min;
extern const kael_reduce_operation kael_reduce_argmax;
extern const kael_reduce_operation kael_reduce_argmin;
extern const kael_reduce_operation kael_reduce_any;
extern const kael_reduce_operation kael_reduce_all;
extern const kael_reduce_operation kael_reduce_count_nonzero;

#endif
