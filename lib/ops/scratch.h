/* Sequences of operations whose intermediate tensors are released together. The first error is
 * kept, and what follows it does nothing. */
#ifndef KAEL_OPS_SCRATCH_H
#define KAEL_OPS_SCRATCH_H

#include "kael/scalar.h"
#include "kael/status.h"
#include "kael/tensor.h"

enum { KAEL_MAX_SCRATCH = 16 };

/* All zero is an empty one. */
typedef struct kael_scratch {
    kael_status status;
    int count;
    kael_tensor *tensors[KAEL_MAX_SCRATCH];
} kael_scratch;

typedef kael_status kael_unary_function(kael_tensor **out, const kael_tensor *x);
typedef kael_status kael_binary_function(kael_tensor **out, const kael_tensor *a,
                                         const kael_tensor *b);
typedef kael_status kael_scalar_function(kael_tensor **out, const kael_tensor *a, kael_scalar b);

typedef kael_status kael_reduction_function(kael_tensor **out, const kael_tensor *x, int64_t ndims,
                                            const int64_t *dims, bool keepdim);

/* The result of a function, which lives as long as the scratch; NULL after an error. */
const kael_tensor *kael_scratch_unary(kael_scratch *scratch, kael_unary_function *function,
                                      const kael_tensor *x);
const kael_tensor *kael_scratch_binary(kael_scratch *scratch, kael_binary_function *function,
                                       const kael_tensor *a, const kael_tensor *b);
const kael_tensor *kael_scratch_scalar(kael_scratch *scratch, kael_scalar_function *function,
                                       const kael_tensor *a, double b);

/* Holds *made, which a call among the arguments has just made with this status. */
const kael_tensor *kael_scratch_keep(kael_scratch *scratch, kael_status status,
                                     kael_tensor *const *made);

/* Releases all but `result`, which is given to *out unless there was an error; returns the first
 * error. NULL for `result` gives nothing. */
KAEL_NODISCARD kael_status kael_scratch_finish(kael_scratch *scratch, kael_tensor **out,
                                               const kael_tensor *result);

#endif
