/* Gradients of elementwise operations. */
#ifndef KAEL_OPS_ELEMENTWISE_GRADIENT_H
#define KAEL_OPS_ELEMENTWISE_GRADIENT_H

#include "ops/operation.h"
#include "tensor/graph.h"

/* Records that `out` is the result of an operation, unless none of its gradients exist. Errors:
 * MEMORY. */
KAEL_NODISCARD kael_status kael_elementwise_record(kael_tensor *out,
                                                   const kael_operation *operation,
                                                   const kael_tensor *const *inputs);

#endif
