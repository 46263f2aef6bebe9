/* Elementwise operations, one element of the result from one of each operand. Their table is in
 * kael/elementwise_operations.h.
 *
 * Operands broadcast: shapes are compared from the last dimension, a missing dimension counts as
 * size 1, and a size of 1 is repeated. Their dtypes are promoted by kael_promote_dtypes. A new
 * result is dense in the common order of the operands' dimensions, so that the sum of two
 * transposed tensors is laid out as they are.
 *
 * Each operation comes in several forms:
 *   kael_add(&out, a, b)                 a new tensor
 *   kael_add_into(out, a, b)             writes `out`, which has the shape of the result
 *   kael_add_in_place(a, b)              kael_add_into(a, a, b)
 * and binary ones with a number instead of either operand:
 *   kael_add_scalar(&out, a, b), kael_add_scalar_into(out, a, b), kael_add_scalar_in_place(a, b)
 *   kael_scalar_add(&out, a, b), kael_scalar_add_into(out, a, b)
 *
 * `_into` forms convert the result to the dtype of `out`, which must be floating point if the
 * result is, not unsigned if it is signed, and not bool if it is not. `out` may share memory with
 * operands in any way: the result is as if they had been copied first. It must not have two
 * elements at one place.
 *
 * Definitions, besides those of IEEE 754:
 *   Integers wrap around. div is true division: integers give f64. floor_divide and remainder round
 *   the quotient down, so that the remainder has the divisor's sign; the lowest integer divided by
 *   -1 wraps to itself, remainder 0. pow of integers multiplies.
 *   Functions of FLOATING compute integers and bool as f64, f16 and bf16 as f32 rounded once. They
 *   are the same bits on every machine; rsqrt is 1 / sqrt(x), each rounded.
 *   maximum, minimum and clamp: NaN wins and -0 is less than +0. clamp is
 *   minimum(maximum(a, b), c): a NaN bound gives NaN, and bounds in the wrong order give c.
 *   sign of NaN is NaN, of both zeros +0. relu of NaN is NaN, of -0 it is +0. round takes halves to
 *   the even number. fma rounds once, in every dtype.
 *   where takes b where a is true, else c.
 *
 * Errors: VALUE for NULL, a scalar out of range, a negative integer exponent of an integer, and an
 * `out` that repeats elements; SHAPE; DTYPE; ARITHMETIC for an integer division by zero; MEMORY;
 * and those of kael_parallel_for. After an error a result pointer is NULL and no element has
 * changed. */
#ifndef KAEL_OPS_H
#define KAEL_OPS_H

#include "kael/elementwise_operations.h"
#include "kael/macros.h"
#include "kael/scalar.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

#define KAEL_DECLARE_UNARY(name, rule, on_bool, on_floats, on_integers)                            \
    KAEL_API KAEL_NODISCARD kael_status kael_##name(kael_tensor **out, const kael_tensor *x);      \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_into(kael_tensor *out,                       \
                                                           const kael_tensor *x);                  \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_in_place(kael_tensor *x);

#define KAEL_DECLARE_BINARY(name, rule, on_bool, on_floats, on_integers)                           \
    KAEL_API KAEL_NODISCARD kael_status kael_##name(kael_tensor **out, const kael_tensor *a,       \
                                                    const kael_tensor *b);                         \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *a, \
                                                           const kael_tensor *b);                  \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_in_place(kael_tensor *a,                     \
                                                               const kael_tensor *b);              \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_scalar(kael_tensor **out,                    \
                                                             const kael_tensor *a, kael_scalar b); \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_scalar_into(                                 \
        kael_tensor *out, const kael_tensor *a, kael_scalar b);                                    \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_scalar_in_place(kael_tensor *a,              \
                                                                      kael_scalar b);              \
    KAEL_API KAEL_NODISCARD kael_status kael_scalar_##name(kael_tensor **out, kael_scalar a,       \
                                                           const kael_tensor *b);                  \
    KAEL_API KAEL_NODISCARD kael_status kael_scalar_##name##_into(kael_tensor *out, kael_scalar a, \
                                                                  const kael_tensor *b);

#define KAEL_DECLARE_TERNARY(name, rule, on_bool, on_floats, on_integers)                          \
    KAEL_API KAEL_NODISCARD kael_status kael_##name(kael_tensor **out, const kael_tensor *a,       \
                                                    const kael_tensor *b, const kael_tensor *c);   \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_into(                                        \
        kael_tensor *out, const kael_tensor *a, const kael_tensor *b, const kael_tensor *c);       \
    KAEL_API KAEL_NODISCARD kael_status kael_##name##_in_place(                                    \
        kael_tensor *a, const kael_tensor *b, const kael_tensor *c);

KAEL_UNARY_OPERATIONS(KAEL_DECLARE_UNARY)
KAEL_BINARY_OPERATIONS(KAEL_DECLARE_BINARY)
KAEL_TERNARY_OPERATIONS(KAEL_DECLARE_TERNARY)

#undef KAEL_DECLARE_UNARY
#undef KAEL_DECLARE_BINARY
#undef KAEL_DECLARE_TERNARY

/* kael_clamp with numbers as bounds. */
KAEL_API KAEL_NODISCARD kael_status kael_clamp_scalar(kael_tensor **out, const kael_tensor *a,
                                                      kael_scalar b, kael_scalar c);
KAEL_API KAEL_NODISCARD kael_status kael_clamp_scalar_into(kael_tensor *out, const kael_tensor *a,
                                                           kael_scalar b, kael_scalar c);
KAEL_API KAEL_NODISCARD kael_status kael_clamp_scalar_in_place(kael_tensor *a, kael_scalar b,
                                                               kael_scalar c);

/* Writes the elements of x, broadcast to the shape of `out` and converted to its dtype by the rules
 * of kael_tensor_to_dtype. Memory may be shared as above. */
KAEL_API KAEL_NODISCARD kael_status kael_copy_into(kael_tensor *out, const kael_tensor *x);

KAEL_END_DECLS

#endif
