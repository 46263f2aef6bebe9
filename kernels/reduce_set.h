/* Defines the table kael_reduce_<set> of one instruction set, whose reduce.c includes its vectors
 * of doubles, defines SET and includes this. */
#ifndef KAEL_KERNELS_REDUCE_SET_H
#define KAEL_KERNELS_REDUCE_SET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/bits.h"
#include "kernels/elementary.h"
#include "kernels/octets.h"
#include "kernels/reduce.h"
#include "kernels/vectorize.h"

#define KAEL_REDUCE_JOIN_(a, b) a##_##b
#define KAEL_REDUCE_JOIN(a, b) KAEL_REDUCE_JOIN_(a, b)

enum {
    KAEL_REDUCE_GROUPS = 4,  /* octets whose steps overlap */
    KAEL_REDUCE_ROWS = 64,   /* rows of columns between which the lanes stay in registers */
    KAEL_REDUCE_AHEAD = 512, /* bytes of a row that are fetched in advance */
    KAEL_REDUCE_NARROW = 32  /* columns that are too few for vectors along them */
};

/* The least of each group of `width` places, a power of two; both buffers are overwritten. */
static KAEL_ALWAYS_INLINE const int32_t *kael_least_places(int64_t groups, int64_t width,
                                                           int32_t *places, int32_t *buffer) {
    for (int64_t size = groups * width; size > groups; size /= 2) {
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t k = 0; k < size / 2; ++k) {
            const int32_t a = places[2 * k];
            const int32_t b = places[2 * k + 1];
            buffer[k] = a < b ? a : b;
        }
        int32_t *const done = buffer;
        buffer = places;
        places = done;
    }
    return places;
}

/* a * b + c with one rounding, of vectors or of doubles. */
#define KAEL_FUSED(a, b, c) _Generic((c), double : fma, kael_doubles : kael_doubles_fma)(a, b, c)

#define T float
#define TYPE f32
#define SIGNED_T int32_t
#define BITS_T uint32_t
#define LOAD(p) kael_doubles_of_f32(p)
#include "kernels/reduce_float_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef BITS_T
#undef LOAD

#define T double
#define TYPE f64
#define SIGNED_T int64_t
#define BITS_T uint64_t
#define LOAD(p) kael_doubles_of_f64(p)
#include "kernels/reduce_float_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef BITS_T
#undef LOAD

#define T int8_t
#define TYPE i8
#define SIGNED_T int8_t
#define LEAST INT8_MIN
#define GREATEST INT8_MAX
#define SUM_T int32_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T int16_t
#define TYPE i16
#define SIGNED_T int16_t
#define LEAST INT16_MIN
#define GREATEST INT16_MAX
#define SUM_T int32_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T int32_t
#define TYPE i32
#define SIGNED_T int32_t
#define LEAST INT32_MIN
#define GREATEST INT32_MAX
#define SUM_T uint64_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T int64_t
#define TYPE i64
#define SIGNED_T int64_t
#define LEAST INT64_MIN
#define GREATEST INT64_MAX
#define SUM_T uint64_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T uint8_t
#define TYPE u8
#define SIGNED_T int8_t
#define LEAST 0
#define GREATEST UINT8_MAX
#define SUM_T int32_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T uint16_t
#define TYPE u16
#define SIGNED_T int16_t
#define LEAST 0
#define GREATEST UINT16_MAX
#define SUM_T int32_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T uint32_t
#define TYPE u32
#define SIGNED_T int32_t
#define LEAST 0
#define GREATEST UINT32_MAX
#define SUM_T uint64_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

#define T uint64_t
#define TYPE u64
#define SIGNED_T int64_t
#define LEAST 0
#define GREATEST UINT64_MAX
#define SUM_T uint64_t
#include "kernels/reduce_integer_template.h"
#undef T
#undef TYPE
#undef SIGNED_T
#undef LEAST
#undef GREATEST
#undef SUM_T

/* Elements of any type as bits. */
typedef uint8_t __attribute__((may_alias)) kael_bits_8;
typedef uint16_t __attribute__((may_alias)) kael_bits_16;
typedef uint32_t __attribute__((may_alias)) kael_bits_32;
typedef uint64_t __attribute__((may_alias)) kael_bits_64;

#define T kael_bits_8
#define TYPE bits8
#define MASK UINT8_MAX
#include "kernels/reduce_truths.h"

#define T kael_bits_16
#define TYPE bits16
#define MASK UINT16_MAX
#include "kernels/reduce_truths.h"

#define T kael_bits_32
#define TYPE bits32
#define MASK UINT32_MAX
#include "kernels/reduce_truths.h"

#define T kael_bits_64
#define TYPE bits64
#define MASK UINT64_MAX
#include "kernels/reduce_truths.h"

#define T kael_bits_16
#define TYPE half
#define MASK INT16_MAX
#include "kernels/reduce_truths.h"

#define T kael_bits_32
#define TYPE float
#define MASK (uint32_t) INT32_MAX
#include "kernels/reduce_truths.h"

#define T kael_bits_64
#define TYPE double
#define MASK (uint64_t) INT64_MAX
#include "kernels/reduce_truths.h"

/* Calls MAP(x, parameter) for every element. */
#define KAEL_DEFINE_PANEL_MAP(name, MAP)                                                           \
    static void name(const kael_panel *panel, kael_panel_layout layout, double *elements) {        \
        const double *p = panel->parameters;                                                       \
        const bool rows = layout == KAEL_PANEL_ROWS;                                               \
        const int64_t lines = rows ? panel->width : panel->count;                                  \
        const int64_t length = rows ? panel->count : panel->width;                                 \
        for (int64_t i = 0; i < lines; ++i) {                                                      \
            double *line = elements + i * length;                                                  \
            if (rows) {                                                                            \
                const double parameter = p[i];                                                     \
                KAEL_INDEPENDENT_ITERATIONS                                                        \
                for (int64_t j = 0; j < length; ++j) {                                             \
                    line[j] = MAP(line[j], parameter);                                             \
                }                                                                                  \
            } else {                                                                               \
                KAEL_INDEPENDENT_ITERATIONS                                                        \
                for (int64_t j = 0; j < length; ++j) {                                             \
                    line[j] = MAP(line[j], p[j]);                                                  \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#define KAEL_SCALED_SQUARE(x, p) (((x) * (p)) * ((x) * (p)))
#define KAEL_SHIFTED_EXP(x, p) kael_exp_f64((x) - (p))

KAEL_DEFINE_PANEL_MAP(map_scaled_square, KAEL_SCALED_SQUARE)
KAEL_DEFINE_PANEL_MAP(map_shifted_exp, KAEL_SHIFTED_EXP)

static void map_magnitude(const kael_panel *panel, kael_panel_layout layout, double *elements) {
    (void)layout;
    for (int64_t i = 0; i < panel->width * panel->count; ++i) {
        elements[i] = fabs(elements[i]);
    }
}

#define KAEL_REDUCER_ROW(FOLD, NAME, name) [KAEL_DTYPE_##NAME] = &reducer_##FOLD##_##name,
#define KAEL_SUM_ROW(NAME, name, ...) KAEL_REDUCER_ROW(sum, NAME, name)
#define KAEL_PRODUCT_ROW(NAME, name, ...) KAEL_REDUCER_ROW(product, NAME, name)
#define KAEL_SQUARES_ROW(NAME, name, ...) KAEL_REDUCER_ROW(squares, NAME, name)
#define KAEL_DEVIATIONS_ROW(NAME, name, ...) KAEL_REDUCER_ROW(deviations, NAME, name)
#define KAEL_LARGEST_ROW(NAME, name, ...) KAEL_REDUCER_ROW(largest, NAME, name)
#define KAEL_SMALLEST_ROW(NAME, name, ...) KAEL_REDUCER_ROW(smallest, NAME, name)
#define KAEL_ARGMAX_ROW(NAME, name, ...) [KAEL_DTYPE_##NAME] = &arg_reducer_largest_##name,
#define KAEL_ARGMIN_ROW(NAME, name, ...) [KAEL_DTYPE_##NAME] = &arg_reducer_smallest_##name,

/* The reducers of all types; bool's are those of u8. */
#define KAEL_REDUCER_TABLE(ROW)                                                                    \
    { ROW(BOOL, u8, "u8") KAEL_INTEGER_DTYPES(ROW) KAEL_FLOAT_DTYPES(ROW) }

/* The reducers of a question about which elements are not zero. */
#define KAEL_TRUTH_TABLE(question)                                                                 \
    {                                                                                              \
        [KAEL_DTYPE_BOOL] = &reducer_##question##_bits8,                                           \
        [KAEL_DTYPE_I8] = &reducer_##question##_bits8,                                             \
        [KAEL_DTYPE_I16] = &reducer_##question##_bits16,                                           \
        [KAEL_DTYPE_I32] = &reducer_##question##_bits32,                                           \
        [KAEL_DTYPE_I64] = &reducer_##question##_bits64,                                           \
        [KAEL_DTYPE_U8] = &reducer_##question##_bits8,                                             \
        [KAEL_DTYPE_U16] = &reducer_##question##_bits16,                                           \
        [KAEL_DTYPE_U32] = &reducer_##question##_bits32,                                           \
        [KAEL_DTYPE_U64] = &reducer_##question##_bits64,                                           \
        [KAEL_DTYPE_F16] = &reducer_##question##_half,                                             \
        [KAEL_DTYPE_BF16] = &reducer_##question##_half,                                            \
        [KAEL_DTYPE_F32] = &reducer_##question##_float,                                            \
        [KAEL_DTYPE_F64] = &reducer_##question##_double,                                           \
    }

extern const kael_reduce_kernels KAEL_REDUCE_JOIN(kael_reduce, SET);
const kael_reduce_kernels KAEL_REDUCE_JOIN(kael_reduce, SET) = {
    .sum = KAEL_REDUCER_TABLE(KAEL_SUM_ROW),
    .product = KAEL_REDUCER_TABLE(KAEL_PRODUCT_ROW),
    .squares = {KAEL_FLOAT_DTYPES(KAEL_SQUARES_ROW)},
    .deviations = {KAEL_FLOAT_DTYPES(KAEL_DEVIATIONS_ROW)},
    .largest = KAEL_REDUCER_TABLE(KAEL_LARGEST_ROW),
    .smallest = KAEL_REDUCER_TABLE(KAEL_SMALLEST_ROW),
    .argmax = KAEL_REDUCER_TABLE(KAEL_ARGMAX_ROW),
    .argmin = KAEL_REDUCER_TABLE(KAEL_ARGMIN_ROW),
    .any = KAEL_TRUTH_TABLE(any),
    .all = KAEL_TRUTH_TABLE(all),
    .nonzero = KAEL_TRUTH_TABLE(nonzero),
    .magnitude = map_magnitude,
    .scaled_square = map_scaled_square,
    .shifted_exp = map_shifted_exp,
};

#endif
