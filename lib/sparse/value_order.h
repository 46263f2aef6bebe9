/* The order of values in a slice: IEEE's total order of floats, the usual one of integers. */
#ifndef KAEL_SPARSE_VALUE_ORDER_H
#define KAEL_SPARSE_VALUE_ORDER_H

#include <stdint.h>

#include "kael/dtype.h"
#include "tensor/dtype.h"

/* What turns the bits of an element into an unsigned integer that orders like the element. */
typedef struct kael_value_order {
    uint64_t sign;
    uint64_t flip_positive;
    uint64_t flip_negative;
} kael_value_order;

static inline kael_value_order kael_value_order_of(kael_dtype dtype) {
    const int64_t bits = 8 * kael_dtype_size(dtype);
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    switch (kael_kind_of_dtype(dtype)) {
    case KAEL_KIND_SIGNED:
        return (kael_value_order){sign, sign, sign};
    case KAEL_KIND_HALF:
    case KAEL_KIND_FLOAT:
        return (kael_value_order){sign, sign, sign | (sign - 1)};
    default:
        return (kael_value_order){0, 0, 0};
    }
}

static inline uint64_t kael_value_key(const kael_value_order *order, uint64_t bits) {
    return bits ^ ((bits & order->sign) != 0 ? order->flip_negative : order->flip_positive);
}

#endif
