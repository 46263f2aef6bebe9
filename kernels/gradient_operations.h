/* Elementwise operations that compute gradients. They have the columns of the public table and use
 * its kernels, but are no operations for users.
 *
 * For an operation of one operand, a is the gradient of its result, and b what was saved: its
 * operand or its result. */
#ifndef KAEL_KERNELS_GRADIENT_OPERATIONS_H
#define KAEL_KERNELS_GRADIENT_OPERATIONS_H

#include "kael/elementwise_operations.h"

/* clang-format off */
#define KAEL_UNARY_GRADIENTS(X)                                                                    \
    X(sqr_gradient,     FLOATING, CONVERT, a * (b + b),                       NONE)                \
    X(abs_gradient,     FLOATING, CONVERT, a * FUNCTION(sign)(b),             NONE)                \
    X(relu_gradient,    FLOATING, CONVERT, b <= 0 ? 0 : a,                    NONE)                \
    X(recip_gradient,   FLOATING, CONVERT, -a * (b * b),                      NONE)                \
    X(sqrt_gradient,    FLOATING, CONVERT, a / (b + b),                       NONE)                \
    X(rsqrt_gradient,   FLOATING, CONVERT, a * (b * (b * b) / -2),            NONE)                \
    X(exp_gradient,     FLOATING, CONVERT, a * b,                             NONE)                \
    X(expm1_gradient,   FLOATING, CONVERT, a * (b + 1),                       NONE)                \
    X(log_gradient,     FLOATING, CONVERT, a / b,                             NONE)                \
    X(log1p_gradient,   FLOATING, CONVERT, a / (b + 1),                       NONE)                \
    X(tanh_gradient,    FLOATING, CONVERT, a * (1 - b * b),                   NONE)                \
    X(sigmoid_gradient, FLOATING, CONVERT, a * (b * (1 - b)),                 NONE)

/* a is the gradient of the result. maximum, minimum: b the operand, c the other one; they share
 * where they are equal. div_by: b the quotient, c the divisor. silu: b the operand, c its sigmoid.
 * clamp: b the operand, c the result, which differ where a bound was taken. */
#define KAEL_BINARY_GRADIENTS(X)                                                                   \
    X(maximum_gradient, FLOATING, CONVERT, b < c ? 0 : b == c ? a / 2 : a,    NONE)                \
    X(minimum_gradient, FLOATING, CONVERT, b > c ? 0 : b == c ? a / 2 : a,    NONE)                \
    X(div_by_gradient,  FLOATING, CONVERT, -a * b / c,                        NONE)                \
    X(silu_gradient,    FLOATING, CONVERT, a * (c * (1 + b * (1 - c))),       NONE)                \
    X(equal_gradient,   FLOATING, CONVERT, b == c ? a : 0,                    NONE)                \
    X(unequal_gradient, FLOATING, CONVERT, b == c ? 0 : a,                    NONE)
/* clang-format on */

#define KAEL_ALL_BINARY_OPERATIONS(X) KAEL_BINARY_OPERATIONS(X) KAEL_UNARY_GRADIENTS(X)
#define KAEL_ALL_TERNARY_OPERATIONS(X) KAEL_TERNARY_OPERATIONS(X) KAEL_BINARY_GRADIENTS(X)

#endif
