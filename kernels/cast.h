/* Conversions of single elements: kael_cast_<from>_<to>(element) by the rules of copy.h. Free of
 * branches and calls, so that compilers turn loops over them into vector code; an instruction set
 * without the conversion falls back to scalars. Integers convert to integers of their own or the
 * other signedness alike, so only unsigned results have a name. */
#ifndef KAEL_KERNELS_CAST_H
#define KAEL_KERNELS_CAST_H

#include <stdint.h>

#include "kernels/dtypes.h"
#include "kernels/half.h"

/* `end` is 2^bits of the magnitude: below it a number fits, and so does `lowest` in the way that
 * others do not. NaN fits nowhere and has no sign. */
#define KAEL_DEFINE_SIGNED_SATURATE(from, from_type, to, to_type, end, lowest, highest)            \
    static inline to_type kael_cast_##from##_##to(from_type x) {                                   \
        const int fits = x < end && x > -end;                                                      \
        const to_type limit = (to_type)((x > 0 ? highest : 0) | (x < 0 ? lowest : 0));             \
        const to_type cut = (to_type)(fits ? x : 0);                                               \
        return fits ? cut : limit;                                                                 \
    }

#define KAEL_DEFINE_UNSIGNED_SATURATE(from, from_type, to, to_type, end, highest)                  \
    static inline to_type kael_cast_##from##_##to(from_type x) {                                   \
        const from_type positive = x > 0 ? x : 0; /* not NaN */                                    \
        const to_type cut = (to_type)(positive < end ? positive : 0);                              \
        return positive < end ? cut : highest;                                                     \
    }

KAEL_DEFINE_SIGNED_SATURATE(f32, float, i32, int32_t, 0x1p31f, INT32_MIN, INT32_MAX)
KAEL_DEFINE_SIGNED_SATURATE(f64, double, i64, int64_t, 0x1p63, INT64_MIN, INT64_MAX)
KAEL_DEFINE_UNSIGNED_SATURATE(f32, float, u32, uint32_t, 0x1p32f, UINT32_MAX)
KAEL_DEFINE_UNSIGNED_SATURATE(f64, double, u64, uint64_t, 0x1p64, UINT64_MAX)
#undef KAEL_DEFINE_SIGNED_SATURATE
#undef KAEL_DEFINE_UNSIGNED_SATURATE

/* f64 has all values of these types, so the limits need no conversion of their own. */
static inline int32_t kael_cast_f64_i32(double x) {
    const int fits = x < 0x1p31 && x > -0x1p31;
    const double limit = (x > 0 ? (double)INT32_MAX : 0) + (x < 0 ? (double)INT32_MIN : 0);
    return (int32_t)(fits ? x : limit);
}

static inline uint32_t kael_cast_f64_u32(double x) {
    const double positive = x > 0 ? x : 0; /* not NaN */
    return (uint32_t)(positive < 0x1p32 ? positive : (double)UINT32_MAX);
}

static inline int64_t kael_cast_f32_i64(float x) {
    return kael_cast_f64_i64((double)x);
}

static inline uint64_t kael_cast_f32_u64(float x) {
    return kael_cast_f64_u64((double)x);
}

#define KAEL_DEFINE_SATURATE_SMALL(from, from_type, to, to_type, lowest, highest)                  \
    static inline to_type kael_cast_##from##_##to(from_type x) {                                   \
        int32_t cut = kael_cast_##from##_i32(x);                                                   \
        cut = cut > lowest ? cut : lowest;                                                         \
        cut = cut < highest ? cut : highest;                                                       \
        return (to_type)cut;                                                                       \
    }
KAEL_DEFINE_SATURATE_SMALL(f32, float, i8, int8_t, INT8_MIN, INT8_MAX)
KAEL_DEFINE_SATURATE_SMALL(f32, float, i16, int16_t, INT16_MIN, INT16_MAX)
KAEL_DEFINE_SATURATE_SMALL(f32, float, u8, uint8_t, 0, UINT8_MAX)
KAEL_DEFINE_SATURATE_SMALL(f32, float, u16, uint16_t, 0, UINT16_MAX)
KAEL_DEFINE_SATURATE_SMALL(f64, double, i8, int8_t, INT8_MIN, INT8_MAX)
KAEL_DEFINE_SATURATE_SMALL(f64, double, i16, int16_t, INT16_MIN, INT16_MAX)
KAEL_DEFINE_SATURATE_SMALL(f64, double, u8, uint8_t, 0, UINT8_MAX)
KAEL_DEFINE_SATURATE_SMALL(f64, double, u16, uint16_t, 0, UINT16_MAX)
#undef KAEL_DEFINE_SATURATE_SMALL

#define KAEL_DEFINE_FLOAT_TO_BOOL(NAME, name, text, storage, kind, compute)                        \
    static inline uint8_t kael_cast_##name##_b8(storage x) {                                       \
        return x != 0;                                                                             \
    }
KAEL_FLOAT_DTYPES(KAEL_DEFINE_FLOAT_TO_BOOL)
#undef KAEL_DEFINE_FLOAT_TO_BOOL

static inline float kael_cast_f32_f32(float x) {
    return x;
}

static inline double kael_cast_f32_f64(float x) {
    return (double)x;
}

static inline uint16_t kael_cast_f32_f16(float x) {
    return kael_f32_to_f16(x);
}

static inline uint16_t kael_cast_f32_bf16(float x) {
    return kael_f32_to_bf16(x);
}

static inline double kael_cast_f64_f64(double x) {
    return x;
}

static inline float kael_cast_f64_f32(double x) {
    return (float)x;
}

static inline uint16_t kael_cast_f64_f16(double x) {
    return kael_f64_to_f16(x);
}

static inline uint16_t kael_cast_f64_bf16(double x) {
    return kael_f64_to_bf16(x);
}

/* Every 16-bit number is one of f32. */
#define KAEL_DEFINE_FROM_F16(NAME, name, text, storage, kind, compute)                             \
    static inline storage kael_cast_f16_##name(uint16_t x) {                                       \
        return kael_cast_f32_##name(kael_f16_to_f32(x));                                           \
    }
#define KAEL_DEFINE_FROM_BF16(NAME, name, text, storage, kind, compute)                            \
    static inline storage kael_cast_bf16_##name(uint16_t x) {                                      \
        return kael_cast_f32_##name(kael_bf16_to_f32(x));                                          \
    }
KAEL_DTYPES(KAEL_DEFINE_FROM_F16)
KAEL_DTYPES(KAEL_DEFINE_FROM_BF16)
#undef KAEL_DEFINE_FROM_F16
#undef KAEL_DEFINE_FROM_BF16

/* An integer as a double: exact up to 2^53; beyond, cut, with the last bit that is kept set if
 * anything was cut off. Rounded again, to far fewer bits, this gives what rounding x itself gives.
 */
static inline double kael_i64_to_f64_odd(int64_t x) {
    const uint64_t low_bits = 0x7ff;
    const uint64_t bits = (uint64_t)x;
    const uint64_t cut = (bits & ~low_bits) | ((bits & low_bits) != 0 ? low_bits + 1 : 0);
    const int is_exact = bits + (UINT64_C(1) << 53) <= UINT64_C(1) << 54;
    return (double)(is_exact ? x : (int64_t)cut);
}

static inline double kael_u64_to_f64_odd(uint64_t x) {
    const uint64_t low_bits = 0x7ff;
    const uint64_t cut = (x & ~low_bits) | ((x & low_bits) != 0 ? low_bits + 1 : 0);
    return (double)(x <= UINT64_C(1) << 53 ? x : cut);
}

/* `exact` turns the type's values into numbers whose single rounding to 16 bits is right. */
#define KAEL_DEFINE_FROM_INTEGER(name, type, exact, exact_type)                                    \
    static inline uint8_t kael_cast_##name##_b8(type x) {                                          \
        return x != 0;                                                                             \
    }                                                                                              \
    static inline uint8_t kael_cast_##name##_u8(type x) {                                          \
        return (uint8_t)x;                                                                         \
    }                                                                                              \
    static inline uint16_t kael_cast_##name##_u16(type x) {                                        \
        return (uint16_t)x;                                                                        \
    }                                                                                              \
    static inline uint32_t kael_cast_##name##_u32(type x) {                                        \
        return (uint32_t)x;                                                                        \
    }                                                                                              \
    static inline uint64_t kael_cast_##name##_u64(type x) {                                        \
        return (uint64_t)x;                                                                        \
    }                                                                                              \
    static inline uint16_t kael_cast_##name##_f16(type x) {                                        \
        return kael_##exact_type##_to_f16(exact(x));                                               \
    }                                                                                              \
    static inline uint16_t kael_cast_##name##_bf16(type x) {                                       \
        return kael_##exact_type##_to_bf16(exact(x));                                              \
    }                                                                                              \
    static inline float kael_cast_##name##_f32(type x) {                                           \
        return (float)x;                                                                           \
    }                                                                                              \
    static inline double kael_cast_##name##_f64(type x) {                                          \
        return (double)x;                                                                          \
    }
KAEL_DEFINE_FROM_INTEGER(i8, int8_t, (float), f32)
KAEL_DEFINE_FROM_INTEGER(i16, int16_t, (float), f32)
KAEL_DEFINE_FROM_INTEGER(i32, int32_t, (double), f64)
KAEL_DEFINE_FROM_INTEGER(i64, int64_t, kael_i64_to_f64_odd, f64)
KAEL_DEFINE_FROM_INTEGER(u8, uint8_t, (float), f32)
KAEL_DEFINE_FROM_INTEGER(u16, uint16_t, (float), f32)
KAEL_DEFINE_FROM_INTEGER(u32, uint32_t, (double), f64)
KAEL_DEFINE_FROM_INTEGER(u64, uint64_t, kael_u64_to_f64_odd, f64)
#undef KAEL_DEFINE_FROM_INTEGER

#endif
