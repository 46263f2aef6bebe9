/* Gradients of reductions. */
#ifndef KAEL_OPS_REDUCE_GRADIENT_H
#define KAEL_OPS_REDUCE_GRADIENT_H

#include "ops/reduce_operations.h"
#include "ops/reduce_plan.h"
#include "tensor/graph.h"

/* Records that `out`, which keeps the reduced dimensions, is the reduction of `tensor`; nothing for
 * reductions without a gradient. Errors: MEMORY. */
KAEL_NODISCARD kael_status kael_reduce_record(kael_tensor *out,
                                              const kael_reduce_operation *operation,
                                              const kael_tensor *tensor,
                                              const kael_reduced_dims *reduced, double correction);

#endif
