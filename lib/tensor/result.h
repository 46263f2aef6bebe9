/* Results of elementwise operations: their shape and their layout. */
#ifndef KAEL_TENSOR_RESULT_H
#define KAEL_TENSOR_RESULT_H

#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"

typedef struct kael_result_shape {
    int64_t ndim;
    int64_t sizes[KAEL_MAX_DIMS];
} kael_result_shape;

/* The shape that `count` >= 1 tensors broadcast to. Errors: SHAPE. */
KAEL_NODISCARD kael_status kael_broadcast_shapes(kael_result_shape *shape, int count,
                                                 const kael_tensor *const *tensors);

/* Makes a tensor of this shape for a result of these inputs, dense in the order of dimensions that
 * they have in common. Errors: SHAPE if its bytes cannot be counted, MEMORY. */
KAEL_NODISCARD kael_status kael_result_create(kael_tensor **out, kael_dtype dtype,
                                              const kael_result_shape *shape, int count,
                                              const kael_tensor *const *inputs);

#endif
