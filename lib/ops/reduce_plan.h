/* How a reduction walks a tensor. */
#ifndef KAEL_OPS_REDUCE_PLAN_H
#define KAEL_OPS_REDUCE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"
#include "kernels/reduce.h"

/* Which dimensions of a tensor are reduced, and the result's shape. */
typedef struct kael_reduced_dims {
    bool is_reduced[KAEL_MAX_DIMS];
    bool keepdim;
    int64_t ndim;
    int64_t shape[KAEL_MAX_DIMS];
} kael_reduced_dims;

/* Resolves the arguments of reduce.h. Errors: VALUE, INDEX. */
KAEL_NODISCARD kael_status kael_reduced_dims_init(kael_reduced_dims *reduced,
                                                  const kael_tensor *tensor, int64_t ndims,
                                                  const int64_t *dims, bool keepdim);

/* A dimension of the input, and of the output if it is kept; strides in elements. */
typedef struct kael_reduce_dim {
    int64_t size;
    int64_t in_stride;
    int64_t out_stride;
} kael_reduce_dim;

/* Dimensions of size 1 are left out, and neighbours merged where one stride walks both.
 *
 * Outputs are numbered row-major over the kept dimensions, of which there is at least one. The last
 * of them is that of a panel's outputs; the others go by memory, the closest elements last. */
typedef struct kael_reduce_plan {
    kael_panel_layout layout;
    int64_t outputs;
    int64_t count; /* elements of each output */
    int kept_ndim;
    kael_reduce_dim kept[KAEL_MAX_DIMS];
    int reduced_ndim;
    kael_reduce_dim reduced[KAEL_MAX_DIMS]; /* in logical order; in_stride alone counts */
    int64_t in_offset; /* of the first output's first element, in elements from the tensor's */
    int64_t out_offset;
} kael_reduce_plan;

/* Plans the reduction of `tensor` to `out`, which has the shape of `reduced`. */
void kael_reduce_plan_init(kael_reduce_plan *plan, const kael_tensor *out,
                           const kael_tensor *tensor, const kael_reduced_dims *reduced);

#endif
