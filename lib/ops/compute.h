/* Results that operations compute into new tensors or into existing ones. */
#ifndef KAEL_OPS_COMPUTE_H
#define KAEL_OPS_COMPUTE_H

#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"

/* Computes a result from a job that has been validated. The elements of `out` are distinct and
 * share nothing with the operands. It may fail only before it changes `out`. */
typedef kael_status kael_compute(kael_tensor *out, const void *job);

typedef struct kael_result {
    kael_dtype dtype;
    int64_t ndim;
    int64_t shape[KAEL_MAX_DIMS];
} kael_result;

/* The dtype and shape of a tensor. */
kael_result kael_result_like(const kael_tensor *tensor);

/* Makes a row-major tensor. Errors: SHAPE, MEMORY and those of `compute`; *out is then NULL. */
KAEL_NODISCARD kael_status kael_compute_new(kael_tensor **out, const kael_result *result,
                                            kael_compute *compute, const void *job);

/* Writes an existing tensor; where it may share memory with an operand, by way of a new one. An
 * operand may be NULL. Errors: VALUE if `out` is NULL or repeats elements, DTYPE and SHAPE unless
 * it is as `result` says, MEMORY and those of `compute`. */
KAEL_NODISCARD kael_status kael_compute_into(kael_tensor *out, const kael_result *result,
                                             kael_compute *compute, const void *job, int64_t count,
                                             const kael_tensor *const *operands);

#endif
