/* Defines the table kael_compare_<set> of one instruction set, whose compare.c defines SET and
 * includes this. */
#ifndef KAEL_KERNELS_COMPARE_SET_H
#define KAEL_KERNELS_COMPARE_SET_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/compare.h"
#include "kernels/vectorize.h"

#define KAEL_COMPARE_JOIN_(a, b) a##_##b
#define KAEL_COMPARE_JOIN(a, b) KAEL_COMPARE_JOIN_(a, b)

/* Elements that are compared before `found` is asked again. */
enum { KAEL_COMPARE_PIECE = 4096 };

static KAEL_ALWAYS_INLINE bool is_found(const kael_compare_parameters *parameters) {
    return __atomic_load_n(parameters->found, __ATOMIC_RELAXED);
}

static void set_found(const kael_compare_parameters *parameters) {
    __atomic_store_n(parameters->found, true, __ATOMIC_RELAXED);
}

typedef bool compare_piece(int64_t count, const char *a, int64_t a_stride, const char *b,
                           int64_t b_stride, const kael_compare_parameters *parameters);

/* Calls `piece` on the rows of a loop, in pieces, until it returns true. */
static void compare_loop(const kael_loop *loop, const kael_compare_parameters *parameters,
                         compare_piece *piece) {
    const int64_t *strides = loop->inner_strides;
    for (int64_t row = 0; row < loop->outer; ++row) {
        const char *a = loop->data[0] + row * loop->outer_strides[0];
        const char *b = loop->data[1] + row * loop->outer_strides[1];
        for (int64_t i = 0; i < loop->inner; i += KAEL_COMPARE_PIECE) {
            const int64_t left = loop->inner - i;
            if (is_found(parameters)) {
                return;
            }
            if (piece(left < KAEL_COMPARE_PIECE ? left : KAEL_COMPARE_PIECE, a + i * strides[0],
                      strides[0], b + i * strides[1], strides[1], parameters)) {
                set_found(parameters);
            }
        }
    }
}

/* Loops over elements of `type` with constant strides where they lie densely. */
#define DEFINE_PIECE(name, type, differs)                                                          \
    static KAEL_ALWAYS_INLINE bool name##_strided(int64_t count, const char *a, int64_t a_stride,  \
                                                  const char *b, int64_t b_stride,                 \
                                                  const kael_compare_parameters *parameters) {     \
        uint32_t found = 0;                                                                        \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            const type x = *(const type *)(const void *)(a + i * a_stride);                        \
            const type y = *(const type *)(const void *)(b + i * b_stride);                        \
            found |= differs(x, y, parameters);                                                    \
        }                                                                                          \
        return found != 0;                                                                         \
    }                                                                                              \
    static bool name##_piece(int64_t count, const char *a, int64_t a_stride, const char *b,        \
                             int64_t b_stride, const kael_compare_parameters *parameters) {        \
        const kael_compare_parameters own = *parameters;                                           \
        if (a_stride == sizeof(type) && b_stride == sizeof(type)) {                                \
            return name##_strided(count, a, sizeof(type), b, sizeof(type), &own);                  \
        }                                                                                          \
        return name##_strided(count, a, a_stride, b, b_stride, &own);                              \
    }                                                                                              \
    static void name(const kael_loop *loop, const void *parameters) {                              \
        compare_loop(loop, parameters, name##_piece);                                              \
    }

#define BITS_DIFFER(x, y, parameters) ((void)(parameters), (uint32_t)((x) != (y)))
DEFINE_PIECE(differ_8, uint8_t, BITS_DIFFER)
DEFINE_PIECE(differ_16, uint16_t, BITS_DIFFER)
DEFINE_PIECE(differ_32, uint32_t, BITS_DIFFER)
DEFINE_PIECE(differ_64, uint64_t, BITS_DIFFER)

/* A magnitude above that of infinity is a NaN. */
#define DEFINE_FLOAT_DIFFER(name, type, sign, infinity)                                            \
    static KAEL_ALWAYS_INLINE uint32_t name##_bits(type x, type y) {                               \
        const type magnitude = (type) ~(sign);                                                     \
        const uint32_t numbers =                                                                   \
            (uint32_t)((x & magnitude) <= (infinity)) | (uint32_t)((y & magnitude) <= (infinity)); \
        return (uint32_t)(x != y) & numbers;                                                       \
    }
DEFINE_FLOAT_DIFFER(f16, uint16_t, 0x8000, 0x7c00)
DEFINE_FLOAT_DIFFER(bf16, uint16_t, 0x8000, 0x7f80)
DEFINE_FLOAT_DIFFER(f32, uint32_t, UINT32_C(1) << 31, UINT32_C(0x7f800000))
DEFINE_FLOAT_DIFFER(f64, uint64_t, UINT64_C(1) << 63, UINT64_C(0x7ff0000000000000))
#define F16_DIFFER(x, y, parameters) ((void)(parameters), f16_bits(x, y))
#define BF16_DIFFER(x, y, parameters) ((void)(parameters), bf16_bits(x, y))
#define F32_DIFFER(x, y, parameters) ((void)(parameters), f32_bits(x, y))
#define F64_DIFFER(x, y, parameters) ((void)(parameters), f64_bits(x, y))
DEFINE_PIECE(differ_f16, uint16_t, F16_DIFFER)
DEFINE_PIECE(differ_bf16, uint16_t, BF16_DIFFER)
DEFINE_PIECE(differ_f32, uint32_t, F32_DIFFER)
DEFINE_PIECE(differ_f64, uint64_t, F64_DIFFER)

static KAEL_ALWAYS_INLINE uint32_t is_far(double a, double b,
                                          const kael_compare_parameters *parameters) {
    const double limit = parameters->absolute_tolerance + parameters->relative_tolerance * fabs(b);
    const uint32_t near = (uint32_t)(fabs(a - b) <= limit) & (uint32_t)(fabs(b) < INFINITY);
    const uint32_t both_nan = (uint32_t)(a != a) & (uint32_t)(b != b);
    return ~(near | (uint32_t)(a == b) | (both_nan & parameters->nan_equals_nan)) & 1;
}
DEFINE_PIECE(far_f32, float, is_far)
DEFINE_PIECE(far_f64, double, is_far)

extern const kael_compare_kernels KAEL_COMPARE_JOIN(kael_compare, SET);
const kael_compare_kernels KAEL_COMPARE_JOIN(kael_compare, SET) = {
    .differ =
        {
            [KAEL_DTYPE_BOOL] = differ_8,
            [KAEL_DTYPE_I8] = differ_8,
            [KAEL_DTYPE_I16] = differ_16,
            [KAEL_DTYPE_I32] = differ_32,
            [KAEL_DTYPE_I64] = differ_64,
            [KAEL_DTYPE_U8] = differ_8,
            [KAEL_DTYPE_U16] = differ_16,
            [KAEL_DTYPE_U32] = differ_32,
            [KAEL_DTYPE_U64] = differ_64,
            [KAEL_DTYPE_F16] = differ_f16,
            [KAEL_DTYPE_BF16] = differ_bf16,
            [KAEL_DTYPE_F32] = differ_f32,
            [KAEL_DTYPE_F64] = differ_f64,
        },
    .far_f32 = far_f32,
    .far_f64 = far_f64,
};

#endif
