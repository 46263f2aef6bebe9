/* The kernels of elementwise.h for a floating point type. Included once per type by
 * elementwise_float_set.h, which defines
 *   T      the element type
 *   TYPE   its name, f32 or f64
 *   C(f)   the name of the C library's f for it
 *   SET    the name of the instruction set
 */
#define NAME(base) KAEL_ELEMENTWISE_JOIN(base, TYPE)
#define FUNCTION(name) NAME(kael_##name)

static inline T FUNCTION(abs)(T x) {
    return C(fabs)(x);
}

/* +0 for both zeros, NaN for NaN. */
static inline T FUNCTION(sign)(T x) {
    const T sign = (T)(x > 0) - (T)(x < 0);
    return x != x ? x : sign;
}

static inline T FUNCTION(floor)(T x) {
    return C(floor)(x);
}

static inline T FUNCTION(ceil)(T x) {
    return C(ceil)(x);
}

static inline T FUNCTION(rint)(T x) {
    return C(rint)(x);
}

static inline T FUNCTION(trunc)(T x) {
    return C(trunc)(x);
}

static inline T FUNCTION(sqrt)(T x) {
    return C(sqrt)(x);
}

static inline T FUNCTION(fma)(T a, T b, T c) {
    return C(fma)(a, b, c);
}

/* Of equal numbers only zeros differ in their bits, in the sign. */
static inline T FUNCTION(maximum)(T a, T b) {
    const T equal = NAME(kael_from_bits)(NAME(kael_bits)(a) & NAME(kael_bits)(b));
    const T larger = a > b ? a : b;
    const T chosen = a == b ? equal : larger;
    return a != a ? a : chosen;
}

static inline T FUNCTION(minimum)(T a, T b) {
    const T equal = NAME(kael_from_bits)(NAME(kael_bits)(a) | NAME(kael_bits)(b));
    const T smaller = a < b ? a : b;
    const T chosen = a == b ? equal : smaller;
    return a != a ? a : chosen;
}

static inline T FUNCTION(bound)(T x, T lowest, T highest) {
    return FUNCTION(minimum)(FUNCTION(maximum)(x, lowest), highest);
}

/* The remainder has the sign of the divisor, also when it is zero. fmod is exact. */
static inline T FUNCTION(remainder)(T a, T b) {
    const T cut = C(fmod)(a, b);
    const T moved = (cut < 0) != (b < 0) ? cut + b : cut;
    const T zero_or_nan = b == 0 ? cut : C(copysign)(0, b);
    return cut == 0 || b == 0 ? zero_or_nan : moved;
}

/* The quotient of the exact multiple of b, so that it agrees with the remainder; the division may
 * leave it beside an integer. */
static inline T FUNCTION(floor_divide)(T a, T b) {
    const T cut = C(fmod)(a, b);
    T quotient = (a - cut) / b;
    quotient -= (T)(cut != 0 && (cut < 0) != (b < 0));
    T whole = C(floor)(quotient);
    whole += (T)(quotient - whole > (T)0.5);
    const T zero = C(copysign)(0, a / b);
    const T result = quotient == 0 ? zero : whole;
    return b == 0 ? a / b : result;
}

#define WRAPPING(x) (x)

#define UNARY_NUMERIC(name, element) KAEL_UNARY_LOOP(NAME(name), T, T, element)
#define UNARY_FLOATING(name, element) KAEL_UNARY_LOOP(NAME(name), T, T, element)
#define UNARY_MAPPED(name, element)                                                                \
    static void NAME(name)(const kael_loop *loop, const void *parameters) {                        \
        (void)parameters;                                                                          \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            KAEL_ELEMENTWISE_JOIN(NAME(kael_elementary_maps), SET)                                 \
                .name(loop->inner, KAEL_ROW(1), KAEL_ROW(0));                                      \
        }                                                                                          \
    }
#define UNARY_ROUNDING(name, element) KAEL_UNARY_LOOP(NAME(name), T, T, element)
#define UNARY_TEST(name, element) KAEL_UNARY_LOOP(NAME(name), uint8_t, T, element)
#define UNARY_BITWISE(name, element)
#define BINARY_NUMERIC(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define BINARY_FLOATING(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define BINARY_DIVISION(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define BINARY_POWER(name, element)                                                                \
    static void NAME(name)(const kael_loop *loop, const void *parameters) {                        \
        (void)parameters;                                                                          \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            NAME(map_pairs)                                                                        \
            (loop, row, KAEL_ELEMENTWISE_JOIN(NAME(kael_elementary_maps), SET).name);              \
        }                                                                                          \
    }
#define BINARY_COMPARISON(name, element) KAEL_BINARY_LOOP(NAME(name), uint8_t, T, T, element)
#define BINARY_LOGICAL(name, element)
#define BINARY_BITWISE(name, element)
#define TERNARY_NUMERIC(name, element) KAEL_TERNARY_LOOP(NAME(name), T, T, T, T, element)
#define TERNARY_FLOATING(name, element) KAEL_TERNARY_LOOP(NAME(name), T, T, T, T, element)
#define TERNARY_SELECT(name, element)

#define DEFINE_UNARY(name, rule, on_bool, on_floats, on_integers) UNARY_##rule(name, on_floats)
#define DEFINE_BINARY(name, rule, on_bool, on_floats, on_integers) BINARY_##rule(name, on_floats)
#define DEFINE_TERNARY(name, rule, on_bool, on_floats, on_integers) TERNARY_##rule(name, on_floats)
extern const kael_elementary_maps KAEL_ELEMENTWISE_JOIN(NAME(kael_elementary_maps), SET);

/* A number that is repeated is spread over an array, since maps take arrays. */
static void NAME(map_pairs)(const kael_loop *loop, int64_t row, kael_map_pairs_function *map) {
    const T *a = KAEL_ROW(1);
    const T *b = KAEL_ROW(2);
    T *out = KAEL_ROW(0);
    const bool repeats_a = loop->inner_strides[1] == 0;
    if (!repeats_a && loop->inner_strides[2] != 0) {
        map(loop->inner, a, b, out);
        return;
    }
    T repeated[KAEL_ELEMENTWISE_SPREAD];
    for (int64_t i = 0; i < KAEL_ELEMENTWISE_SPREAD; ++i) {
        repeated[i] = repeats_a ? *a : *b;
    }
    for (int64_t i = 0; i < loop->inner; i += KAEL_ELEMENTWISE_SPREAD) {
        const int64_t left = loop->inner - i;
        map(left < KAEL_ELEMENTWISE_SPREAD ? left : KAEL_ELEMENTWISE_SPREAD,
            repeats_a ? repeated : a + i, repeats_a ? b + i : repeated, out + i);
    }
}

KAEL_UNARY_OPERATIONS(DEFINE_UNARY)
KAEL_ALL_BINARY_OPERATIONS(DEFINE_BINARY)
KAEL_ALL_TERNARY_OPERATIONS(DEFINE_TERNARY)

#if HAS_FMA_TO_ODD
/* The sum of two products' rounding error is exact, by Knuth's two-sum. */
static inline double sum_to_odd(double product, double c) {
    const double sum = product + c;
    const double rounded_c = sum - product;
    const double error = (product - (sum - rounded_c)) + (c - rounded_c);
    const uint64_t bits = kael_bits_f64(sum);
    const uint64_t beside = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    const double odd = (bits & 1) == 0 ? kael_from_bits_f64(beside) : sum;
    return error > 0 || error < 0 ? odd : sum;
}

KAEL_TERNARY_LOOP(fma_to_odd, double, double, double, double, sum_to_odd(a *b, c))
#define FMA_TO_ODD fma_to_odd
#else
#define FMA_TO_ODD NULL
#endif

#define ENTRY_NUMERIC(name) NAME(name)
#define ENTRY_FLOATING(name) NAME(name)
#define ENTRY_MAPPED(name) NAME(name)
#define ENTRY_ROUNDING(name) NAME(name)
#define ENTRY_DIVISION(name) NAME(name)
#define ENTRY_POWER(name) NAME(name)
#define ENTRY_COMPARISON(name) NAME(name)
#define ENTRY_TEST(name) NAME(name)
#define ENTRY_LOGICAL(name) NULL
#define ENTRY_BITWISE(name) NULL
#define ENTRY_SELECT(name) NULL
#include "kernels/elementwise_record.h"

#undef FMA_TO_ODD
#undef WRAPPING
#undef FUNCTION
#undef NAME
