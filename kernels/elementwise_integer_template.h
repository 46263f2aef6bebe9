/* The kernels of elementwise.h for an integer type. Included once per type by
 * elementwise_integer_set.h, which defines
 *   T          the element type
 *   TYPE       its name, i8 to u64
 *   WIDE       uint32_t or uint64_t, whichever T fits in
 *   IS_SIGNED  1 or 0
 *   SET        the name of the instruction set
 */
#define NAME(base) KAEL_ELEMENTWISE_JOIN(base, TYPE)
#define FUNCTION(name) NAME(kael_##name)
#define WRAPPING(x) ((WIDE)(x))

static inline T FUNCTION(maximum)(T a, T b) {
    return (T)(a > b ? a : b);
}

static inline T FUNCTION(minimum)(T a, T b) {
    return (T)(a < b ? a : b);
}

static inline T FUNCTION(bound)(T x, T lowest, T highest) {
    return FUNCTION(minimum)(FUNCTION(maximum)(x, lowest), highest);
}

static inline int FUNCTION(equal)(T a, T b) {
    return a == b;
}

static inline int FUNCTION(less)(T a, T b) {
    return a < b;
}

static inline int FUNCTION(less_equal)(T a, T b) {
    return a <= b;
}

#if IS_SIGNED

static inline T FUNCTION(abs)(T x) {
    return (T)(x < 0 ? 0 - WRAPPING(x) : WRAPPING(x));
}

static inline T FUNCTION(sign)(T x) {
    return (T)((x > 0) - (x < 0));
}

/* The lowest number divided by -1 traps. */
static inline T FUNCTION(floor_divide)(T a, T b) {
    if (b == -1) {
        return (T)(0 - WRAPPING(a));
    }
    return (T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

static inline T FUNCTION(remainder)(T a, T b) {
    if (b == -1) {
        return 0;
    }
    const T cut = (T)(a % b);
    return (T)(cut != 0 && (cut < 0) != (b < 0) ? cut + b : cut);
}

#else

static inline T FUNCTION(abs)(T x) {
    return x;
}

static inline T FUNCTION(sign)(T x) {
    return x > 0;
}

static inline T FUNCTION(floor_divide)(T a, T b) {
    return (T)(a / b);
}

static inline T FUNCTION(remainder)(T a, T b) {
    return (T)(a % b);
}

#endif

/* Of the exponent's bits, each squares the base once more; the exponent is not negative. */
static inline T FUNCTION(pow)(T base, T exponent) {
    WIDE power = 1;
    WIDE square = WRAPPING(base);
    for (WIDE left = WRAPPING(exponent); left != 0; left >>= 1) {
        power *= (left & 1) != 0 ? square : 1;
        square *= square;
    }
    return (T)power;
}

#define UNARY_NUMERIC(name, element) KAEL_UNARY_LOOP(NAME(name), T, T, element)
#define UNARY_FLOATING(name, element)
#define UNARY_MAPPED(name, element)
#define UNARY_ROUNDING(name, element)
#define UNARY_TEST(name, element) KAEL_UNARY_LOOP(NAME(name), uint8_t, T, element)
#define UNARY_BITWISE(name, element) KAEL_UNARY_LOOP(NAME(name), T, T, element)
#define BINARY_NUMERIC(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define BINARY_FLOATING(name, element)
#define BINARY_DIVISION(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define BINARY_POWER(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define BINARY_COMPARISON(name, element) KAEL_BINARY_LOOP(NAME(name), uint8_t, T, T, element)
#define BINARY_LOGICAL(name, element)
#define BINARY_BITWISE(name, element) KAEL_BINARY_LOOP(NAME(name), T, T, T, element)
#define TERNARY_NUMERIC(name, element) KAEL_TERNARY_LOOP(NAME(name), T, T, T, T, element)
#define TERNARY_FLOATING(name, element)
#if IS_SIGNED
#define TERNARY_SELECT(name, element)
#define ENTRY_SELECT(name) NULL
#else
#define TERNARY_SELECT(name, element) KAEL_TERNARY_LOOP(NAME(name), T, uint8_t, T, T, element)
#define ENTRY_SELECT(name) NAME(name)
#endif

#define DEFINE_UNARY(name, rule, on_bool, on_floats, on_integers) UNARY_##rule(name, on_integers)
#define DEFINE_BINARY(name, rule, on_bool, on_floats, on_integers) BINARY_##rule(name, on_integers)
#define DEFINE_TERNARY(name, rule, on_bool, on_floats, on_integers)                                \
    TERNARY_##rule(name, on_integers)
KAEL_UNARY_OPERATIONS(DEFINE_UNARY)
KAEL_ALL_BINARY_OPERATIONS(DEFINE_BINARY)
KAEL_ALL_TERNARY_OPERATIONS(DEFINE_TERNARY)

#define ENTRY_NUMERIC(name) NAME(name)
#define ENTRY_FLOATING(name) NULL
#define ENTRY_MAPPED(name) NULL
#define ENTRY_ROUNDING(name) NULL
#define ENTRY_DIVISION(name) NAME(name)
#define ENTRY_POWER(name) NAME(name)
#define ENTRY_COMPARISON(name) NAME(name)
#define ENTRY_TEST(name) NAME(name)
#define ENTRY_LOGICAL(name) NULL
#define ENTRY_BITWISE(name) NAME(name)
#define FMA_TO_ODD NULL
#include "kernels/elementwise_record.h"

#undef FMA_TO_ODD
#undef WRAPPING
#undef FUNCTION
#undef NAME
