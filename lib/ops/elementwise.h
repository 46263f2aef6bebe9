/* Elementwise operations on tensors. */
#ifndef KAEL_OPS_ELEMENTWISE_H
#define KAEL_OPS_ELEMENTWISE_H

#include "kael/status.h"
#include "kael/tensor.h"
#include "ops/operation.h"

/* Both take as many inputs as the operation has, any of which may be NULL. Errors: those of
 * kael/ops.h. */
KAEL_NODISCARD kael_status kael_elementwise(kael_tensor **out, const kael_operation *operation,
                                            const kael_tensor *const *inputs);
KAEL_NODISCARD kael_status kael_elementwise_into(kael_tensor *out, const kael_operation *operation,
                                                 const kael_tensor *const *inputs);

#endif
