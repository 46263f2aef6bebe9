/* A reduction as passes over the elements, and running it. */
#ifndef KAEL_OPS_REDUCTION_H
#define KAEL_OPS_REDUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kael/status.h"
#include "kael/tensor.h"
#include "kernels/reduce.h"
#include "ops/reduce_plan.h"

typedef struct kael_reduction kael_reduction;

/* One pass. The totals that it leaves, if doubles, are the parameters of the next. */
typedef struct kael_reduce_pass {
    const kael_reducer *reducer;
    kael_panel_map *map; /* replaces the elements, doubles, by others; or NULL */
    /* Turns the reducer's totals into the pass's; or NULL. */
    void (*finish)(const kael_reduction *reduction, int64_t width, const double *parameters,
                   double *totals);
    /* Whether the totals, before `finish`, are good enough to be the last; or NULL. */
    bool (*suffices)(int64_t width, const double *totals);
} kael_reduce_pass;

enum { KAEL_REDUCE_MOST_PASSES = 3 };

struct kael_reduction {
    kael_dtype panel_dtype; /* elements are converted to it */
    kael_dtype total_dtype; /* of the last pass's totals, the index where they are kael_arg_total */
    kael_dtype out_dtype;   /* of the result */
    double count;           /* of an output's elements */
    double correction;      /* of the variance */
    int pass_count;
    kael_reduce_pass passes[KAEL_REDUCE_MOST_PASSES];
};

/* Reduces `tensor` into `out`, which shares no memory with it; both have elements. Errors: MEMORY,
 * before anything is written, and those of kael_parallel_for. */
KAEL_NODISCARD kael_status kael_reduction_run(const kael_reduction *reduction,
                                              const kael_reduce_plan *plan, kael_tensor *out,
                                              const kael_tensor *tensor);

#endif
