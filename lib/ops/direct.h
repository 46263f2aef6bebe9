/* The short way of small operations, which spares them most of what general ones prepare. */
#ifndef KAEL_OPS_DIRECT_H
#define KAEL_OPS_DIRECT_H

#include "kael/status.h"
#include "kael/tensor.h"
#include "ops/operation.h"

/* A kernel that runs on the tensors as they are. */
typedef struct kael_direct {
    kael_loop_kernel *kernel;
    kael_dtype result;
} kael_direct;

/* Whether the inputs are few contiguous elements of one shape and one dtype that a kernel takes
 * without conversion and without looking at the values first. Any input may be NULL. */
bool kael_direct_find(kael_direct *direct, const kael_operation *operation,
                      const kael_tensor *const *inputs);

/* Runs the kernel; `out` is contiguous and has the inputs' shape and the result's dtype, and is one
 * of the inputs or shares nothing with them. */
void kael_direct_run(const kael_direct *direct, int inputs, kael_tensor *out,
                     const kael_tensor *const *tensors);

#endif
