/* The one table of elementwise operations, from which their declarations, kernels, tests and
 * benchmarks are made. Adding an operation is adding a row.
 *
 * X(name, rule, on_bool, on_floats, on_integers)
 *
 * name: the operation is kael_<name>.
 *
 * rule: which dtypes it takes and gives, for `common` the promotion of its operands' dtypes:
 *   NUMERIC     common
 *   FLOATING    common; where that is bool or an integer, f64
 *   MAPPED      as FLOATING; the functions of kernels/elementary_maps.h
 *   ROUNDING    common; integers and bool stay as they are
 *   DIVISION    common; an integer divisor of zero is an ARITHMETIC error
 *   POWER       common; a negative exponent of an integer is a VALUE error
 *   BITWISE     common, which must be bool or an integer
 *   COMPARISON  bool; exact also where u64 meets a signed dtype, whose common dtype is f64
 *   TEST        bool
 *   LOGICAL     bool; operands are converted to bool
 *   SELECT      the promotion of the last two operands; the first is bool
 *
 * on_bool: what it does where the common dtype is bool:
 *   REJECT      a DTYPE error
 *   SAME        the result is the operand
 *   WIDEN       the operands are converted to i8
 *   BYTES       on_integers, on zeros and ones
 *   CONVERT     the operands are converted to the dtype that the rule gives
 *   AND OR XOR NOT  bitwise_and, bitwise_or or bitwise_xor on zeros and ones, or logical_not
 *
 * on_floats, on_integers: one element of the result in C, from the operands x, or a and b, or a, b
 * and c. FUNCTION(f) is f for the element type, WRAPPING(a) is `a` as an unsigned number, so that
 * integers wrap around. f16 and bf16 are computed as f32 and rounded once. NONE: there is none. */
#ifndef KAEL_ELEMENTWISE_OPERATIONS_H
#define KAEL_ELEMENTWISE_OPERATIONS_H

/* clang-format off */
#define KAEL_UNARY_OPERATIONS(X)                                                                   \
    X(neg,         NUMERIC,  REJECT,  -x,                    0 - WRAPPING(x))                      \
    X(abs,         NUMERIC,  SAME,    FUNCTION(abs)(x),      FUNCTION(abs)(x))                     \
    X(sign,        NUMERIC,  REJECT,  FUNCTION(sign)(x),     FUNCTION(sign)(x))                    \
    X(sqr,         NUMERIC,  WIDEN,   x * x,                 WRAPPING(x) * WRAPPING(x))            \
    X(relu,        NUMERIC,  REJECT,  x <= 0 ? 0 : x,        x <= 0 ? 0 : x)                       \
    X(floor,       ROUNDING, SAME,    FUNCTION(floor)(x),    NONE)                                 \
    X(ceil,        ROUNDING, SAME,    FUNCTION(ceil)(x),     NONE)                                 \
    X(round,       ROUNDING, SAME,    FUNCTION(rint)(x),     NONE)                                 \
    X(trunc,       ROUNDING, SAME,    FUNCTION(trunc)(x),    NONE)                                 \
    X(recip,       FLOATING, CONVERT, 1 / x,                 NONE)                                 \
    X(sqrt,        FLOATING, CONVERT, FUNCTION(sqrt)(x),     NONE)                                 \
    X(rsqrt,       FLOATING, CONVERT, 1 / FUNCTION(sqrt)(x), NONE)                                 \
    X(exp,         MAPPED,   CONVERT, FUNCTION(exp)(x),      NONE)                                 \
    X(expm1,       MAPPED,   CONVERT, FUNCTION(expm1)(x),    NONE)                                 \
    X(log,         MAPPED,   CONVERT, FUNCTION(log)(x),      NONE)                                 \
    X(log1p,       MAPPED,   CONVERT, FUNCTION(log1p)(x),    NONE)                                 \
    X(sin,         MAPPED,   CONVERT, FUNCTION(sin)(x),      NONE)                                 \
    X(cos,         MAPPED,   CONVERT, FUNCTION(cos)(x),      NONE)                                 \
    X(tanh,        MAPPED,   CONVERT, FUNCTION(tanh)(x),     NONE)                                 \
    X(erf,         MAPPED,   CONVERT, FUNCTION(erf)(x),      NONE)                                 \
    X(sigmoid,     MAPPED,   CONVERT, FUNCTION(sigmoid)(x),  NONE)                                 \
    X(silu,        MAPPED,   CONVERT, FUNCTION(silu)(x),     NONE)                                 \
    X(gelu,        MAPPED,   CONVERT, FUNCTION(gelu)(x),     NONE)                                 \
    X(gelu_tanh,   MAPPED,   CONVERT, FUNCTION(gelu_tanh)(x), NONE)                                \
    X(isnan,       TEST,     BYTES,   x != x,                0)                                    \
    X(isinf,       TEST,     BYTES,   FUNCTION(abs)(x) == INFINITY, 0)                             \
    X(isfinite,    TEST,     BYTES,   FUNCTION(abs)(x) < INFINITY,  1)                             \
    X(logical_not, TEST,     BYTES,   x == 0,                x == 0)                               \
    X(bitwise_not, BITWISE,  NOT,     NONE,                  ~WRAPPING(x))

#define KAEL_BINARY_OPERATIONS(X)                                                                  \
    X(add,          NUMERIC,    OR,      a + b,                  WRAPPING(a) + WRAPPING(b))        \
    X(sub,          NUMERIC,    REJECT,  a - b,                  WRAPPING(a) - WRAPPING(b))        \
    X(mul,          NUMERIC,    AND,     a * b,                  WRAPPING(a) * WRAPPING(b))        \
    X(div,          FLOATING,   CONVERT, a / b,                  NONE)                             \
    X(floor_divide, DIVISION,   WIDEN,   FUNCTION(floor_divide)(a, b), FUNCTION(floor_divide)(a, b)) \
    X(remainder,    DIVISION,   WIDEN,   FUNCTION(remainder)(a, b), FUNCTION(remainder)(a, b))     \
    X(pow,          POWER,      WIDEN,   FUNCTION(pow)(a, b),    FUNCTION(pow)(a, b))              \
    X(maximum,      NUMERIC,    OR,      FUNCTION(maximum)(a, b), FUNCTION(maximum)(a, b))         \
    X(minimum,      NUMERIC,    AND,     FUNCTION(minimum)(a, b), FUNCTION(minimum)(a, b))         \
    X(eq,           COMPARISON, BYTES,   a == b,                 FUNCTION(equal)(a, b))            \
    X(ne,           COMPARISON, BYTES,   a != b,                 !FUNCTION(equal)(a, b))           \
    X(lt,           COMPARISON, BYTES,   a < b,                  FUNCTION(less)(a, b))             \
    X(le,           COMPARISON, BYTES,   a <= b,                 FUNCTION(less_equal)(a, b))       \
    X(gt,           COMPARISON, BYTES,   a > b,                  !FUNCTION(less_equal)(a, b))      \
    X(ge,           COMPARISON, BYTES,   a >= b,                 !FUNCTION(less)(a, b))            \
    X(logical_and,  LOGICAL,    AND,     NONE,                   NONE)                             \
    X(logical_or,   LOGICAL,    OR,      NONE,                   NONE)                             \
    X(logical_xor,  LOGICAL,    XOR,     NONE,                   NONE)                             \
    X(bitwise_and,  BITWISE,    BYTES,   NONE,                   WRAPPING(a) & WRAPPING(b))        \
    X(bitwise_or,   BITWISE,    BYTES,   NONE,                   WRAPPING(a) | WRAPPING(b))        \
    X(bitwise_xor,  BITWISE,    BYTES,   NONE,                   WRAPPING(a) ^ WRAPPING(b))

#define KAEL_TERNARY_OPERATIONS(X)                                                                 \
    X(where,        SELECT,     BYTES,   NONE,                   a != 0 ? b : c)                   \
    X(clamp,        NUMERIC,    REJECT,  FUNCTION(bound)(a, b, c), FUNCTION(bound)(a, b, c))       \
    X(fma,          NUMERIC,    REJECT,  FUNCTION(fma)(a, b, c), WRAPPING(a) * WRAPPING(b) + WRAPPING(c))
/* clang-format on */

#endif
