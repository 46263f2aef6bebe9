/* What the operations of this folder share: their kernels, grains and element addresses. */
#ifndef KAEL_NN_ROWS_H
#define KAEL_NN_ROWS_H

#include <stdint.h>

#include "core/checked.h"
#include "kael/dtype.h"
#include "kael/parallel.h"
#include "kael/status.h"
#include "kernels/nn.h"

/* Costs of an operation on one element, in cheap operations: grains are divided by them. */
enum { KAEL_COST_EXPONENTIAL = 16, KAEL_COST_NORMALIZATION = 16, KAEL_COST_OPTIMIZER = 16 };

/* The kernels in use for f32 or f64. Errors: VALUE if KAEL_ISA is malformed. */
KAEL_NODISCARD kael_status kael_nn_kernels_for(const kael_nn_kernels **kernels, kael_dtype dtype);

/* The grain of a loop whose indices stand for `elements` elements each of this cost. */
static inline int64_t kael_grain_of(int64_t elements, int64_t cost) {
    return kael_max_i64(1, KAEL_ELEMENT_GRAIN / cost / kael_max_i64(1, elements));
}

static inline const void *kael_element_at(const void *data, int64_t index, int64_t element_size) {
    return (const char *)data + index * element_size;
}

static inline void *kael_mutable_element_at(void *data, int64_t index, int64_t element_size) {
    return (char *)data + index * element_size;
}

#endif
