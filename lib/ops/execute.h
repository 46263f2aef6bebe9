/* Carrying out a planned operation. */
#ifndef KAEL_OPS_EXECUTE_H
#define KAEL_OPS_EXECUTE_H

#include "kael/status.h"
#include "kael/tensor.h"
#include "ops/operation.h"

/* Computes `out`, of the shape that the inputs broadcast to, in parallel. Its dtype is the plan's
 * result or kernel output; its elements are distinct, and each input is `out` itself or shares
 * nothing with it. Errors: those of kael_parallel_for. */
KAEL_NODISCARD kael_status kael_execute(const kael_plan *plan, int inputs, kael_tensor *out,
                                        const kael_tensor *const *tensors);

#endif
