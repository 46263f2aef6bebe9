/* Single numbers as operands. */
#ifndef KAEL_SCALAR_H
#define KAEL_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/macros.h"

KAEL_BEGIN_DECLS

typedef enum kael_scalar_kind {
    KAEL_SCALAR_BOOL = 0,
    KAEL_SCALAR_INT = 1,
    KAEL_SCALAR_UINT = 2,
    KAEL_SCALAR_FLOAT = 3
} kael_scalar_kind;

/* A number that takes the dtype of the tensor it meets, as Python's numbers do in NumPy:
 *   bool is promoted like a bool tensor;
 *   an integer takes the tensor's dtype (i64, or u64 if it needs it, beside bool); to a floating
 *   point dtype it is rounded once, outside the range of an integer dtype it is a VALUE error, but
 *   comparisons with integer and bool tensors take every integer and are exact;
 *   a floating point number takes the tensor's floating point dtype, rounded once, or is f64 beside
 *   an integer or bool tensor. */
typedef struct kael_scalar {
    kael_scalar_kind kind;
    union {
        bool boolean;
        int64_t integer;
        uint64_t unsigned_integer;
        double number;
    } value;
} kael_scalar;

static inline kael_scalar kael_scalar_bool(bool value) {
    kael_scalar scalar;
    scalar.kind = KAEL_SCALAR_BOOL;
    scalar.value.boolean = value;
    return scalar;
}

static inline kael_scalar kael_scalar_int(int64_t value) {
    kael_scalar scalar;
    scalar.kind = KAEL_SCALAR_INT;
    scalar.value.integer = value;
    return scalar;
}

static inline kael_scalar kael_scalar_uint(uint64_t value) {
    kael_scalar scalar;
    scalar.kind = KAEL_SCALAR_UINT;
    scalar.value.unsigned_integer = value;
    return scalar;
}

static inline kael_scalar kael_scalar_float(double value) {
    kael_scalar scalar;
    scalar.kind = KAEL_SCALAR_FLOAT;
    scalar.value.number = value;
    return scalar;
}

KAEL_END_DECLS

#endif
