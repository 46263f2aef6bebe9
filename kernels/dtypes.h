/* The one list of element types, from which tables and kernels are made. */
#ifndef KAEL_KERNELS_DTYPES_H
#define KAEL_KERNELS_DTYPES_H

#include <stdint.h>

/* X(NAME, name, text, storage, kind, compute): NAME is that of the enumerator KAEL_<NAME>, `name`
 * ends the names of kernels, `text` is what users read, `storage` is the C type of an element,
 * `kind` one of BOOL SIGNED UNSIGNED HALF FLOAT, and `compute` the C type in which an element's
 * value is held exactly and computed with. */
#define KAEL_BOOL_DTYPE(X) X(BOOL, b8, "bool", uint8_t, BOOL, uint8_t)

#define KAEL_SIGNED_DTYPES(X)                                                                      \
    X(I8, i8, "i8", int8_t, SIGNED, int8_t)                                                        \
    X(I16, i16, "i16", int16_t, SIGNED, int16_t)                                                   \
    X(I32, i32, "i32", int32_t, SIGNED, int32_t)                                                   \
    X(I64, i64, "i64", int64_t, SIGNED, int64_t)

#define KAEL_UNSIGNED_DTYPES(X)                                                                    \
    X(U8, u8, "u8", uint8_t, UNSIGNED, uint8_t)                                                    \
    X(U16, u16, "u16", uint16_t, UNSIGNED, uint16_t)                                               \
    X(U32, u32, "u32", uint32_t, UNSIGNED, uint32_t)                                               \
    X(U64, u64, "u64", uint64_t, UNSIGNED, uint64_t)

#define KAEL_HALF_DTYPES(X)                                                                        \
    X(F16, f16, "f16", uint16_t, HALF, float)                                                      \
    X(BF16, bf16, "bf16", uint16_t, HALF, float)

#define KAEL_FLOAT_DTYPES(X)                                                                       \
    X(F32, f32, "f32", float, FLOAT, float)                                                        \
    X(F64, f64, "f64", double, FLOAT, double)

#define KAEL_INTEGER_DTYPES(X)                                                                     \
    KAEL_SIGNED_DTYPES(X)                                                                          \
    KAEL_UNSIGNED_DTYPES(X)

#define KAEL_FLOATING_DTYPES(X)                                                                    \
    KAEL_HALF_DTYPES(X)                                                                            \
    KAEL_FLOAT_DTYPES(X)

/* In the order of their numbers, which are those of kael_dtype. */
#define KAEL_DTYPES(X)                                                                             \
    KAEL_BOOL_DTYPE(X)                                                                             \
    KAEL_INTEGER_DTYPES(X)                                                                         \
    KAEL_FLOATING_DTYPES(X)

/* The same numbers under names that kernels can use: KAEL_DTYPE_BOOL is 0. */
enum {
#define KAEL_DTYPE_NUMBER(NAME, name, text, storage, kind, compute) KAEL_DTYPE_##NAME,
    KAEL_DTYPES(KAEL_DTYPE_NUMBER)
#undef KAEL_DTYPE_NUMBER
        KAEL_DTYPE_COUNT
};

#endif
