/* Elements as values that kernels compute with: kael_decode_<name>(storage) gives the exact value
 * in the compute type of dtypes.h, kael_encode_<name>(value) rounds it to an element. Templates
 * join the names. */
#ifndef KAEL_KERNELS_ELEMENT_H
#define KAEL_KERNELS_ELEMENT_H

#include <stdint.h>

#include "kernels/dtypes.h"
#include "kernels/half.h"

#define KAEL_DEFINE_IDENTITY(NAME, name, text, storage, kind, compute)                             \
    static inline compute kael_decode_##name(storage element) {                                    \
        return element;                                                                            \
    }                                                                                              \
    static inline storage kael_encode_##name(compute value) {                                      \
        return value;                                                                              \
    }
KAEL_BOOL_DTYPE(KAEL_DEFINE_IDENTITY)
KAEL_INTEGER_DTYPES(KAEL_DEFINE_IDENTITY)
KAEL_FLOAT_DTYPES(KAEL_DEFINE_IDENTITY)
#undef KAEL_DEFINE_IDENTITY

#define KAEL_DEFINE_HALF(NAME, name, text, storage, kind, compute)                                 \
    static inline compute kael_decode_##name(storage element) {                                    \
        return kael_##name##_to_f32(element);                                                      \
    }                                                                                              \
    static inline storage kael_encode_##name(compute value) {                                      \
        return kael_f32_to_##name(value);                                                          \
    }
KAEL_HALF_DTYPES(KAEL_DEFINE_HALF)
#undef KAEL_DEFINE_HALF

#endif
