/* Kinds of dtypes. */
#ifndef KAEL_TENSOR_DTYPE_H
#define KAEL_TENSOR_DTYPE_H

#include <stdbool.h>

#include "kael/dtype.h"

typedef enum kael_dtype_kind {
    KAEL_KIND_BOOL,
    KAEL_KIND_SIGNED,
    KAEL_KIND_UNSIGNED,
    KAEL_KIND_HALF, /* floating point of 16 bits */
    KAEL_KIND_FLOAT /* f32 and f64 */
} kael_dtype_kind;

/* The kind of a valid dtype. */
kael_dtype_kind kael_kind_of_dtype(kael_dtype dtype);

static inline bool kael_dtype_is_integer(kael_dtype dtype) {
    const kael_dtype_kind kind = kael_kind_of_dtype(dtype);
    return kind == KAEL_KIND_SIGNED || kind == KAEL_KIND_UNSIGNED;
}

static inline bool kael_dtype_is_floating(kael_dtype dtype) {
    return kael_kind_of_dtype(dtype) >= KAEL_KIND_HALF;
}

#endif
