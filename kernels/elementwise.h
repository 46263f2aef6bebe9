/* Kernels of elementwise operations, made from the table of them for every element type that is
 * computed with: the integers, f32 and f64. Other operands are converted in blocks before. */
#ifndef KAEL_KERNELS_ELEMENTWISE_H
#define KAEL_KERNELS_ELEMENTWISE_H

#include "kael/elementwise_operations.h"
#include "kernels/dtypes.h"
#include "kernels/gradient_operations.h"
#include "kernels/loop.h"

/* KAEL_UNARY_neg is 0 and so on. */
#define KAEL_NUMBER_UNARY_(name, rule, on_bool, on_floats, on_integers) KAEL_UNARY_##name,
#define KAEL_NUMBER_BINARY_(name, rule, on_bool, on_floats, on_integers) KAEL_BINARY_##name,
#define KAEL_NUMBER_TERNARY_(name, rule, on_bool, on_floats, on_integers) KAEL_TERNARY_##name,
enum { KAEL_UNARY_OPERATIONS(KAEL_NUMBER_UNARY_) KAEL_UNARY_COUNT };
enum { KAEL_ALL_BINARY_OPERATIONS(KAEL_NUMBER_BINARY_) KAEL_BINARY_COUNT };
enum { KAEL_ALL_TERNARY_OPERATIONS(KAEL_NUMBER_TERNARY_) KAEL_TERNARY_COUNT };
#undef KAEL_NUMBER_UNARY_
#undef KAEL_NUMBER_BINARY_
#undef KAEL_NUMBER_TERNARY_

/* One element type's kernels; NULL where the table has none. Where `parameters` is not NULL,
 * outputs of floating point may be written past the caches; kael_copy_kernels' finish_streams must
 * follow.
 *
 * Inputs have the element type, but the first one of `where` is bool; outputs have it too, but
 * those of COMPARISON and TEST are bool. Inner strides are the size of an element; that of one
 * input of a binary operation may be 0, and then there are elements. */
typedef struct kael_elementwise_kernels {
    kael_loop_kernel *unary[KAEL_UNARY_COUNT];
    kael_loop_kernel *binary[KAEL_BINARY_COUNT];
    kael_loop_kernel *ternary[KAEL_TERNARY_COUNT];
    /* f64 only: a * b + c rounded to odd, so that rounding it again to a format of half the digits
     * or fewer rounds correctly. a * b must be exact and neither overflow nor underflow. */
    kael_loop_kernel *fma_to_odd;
} kael_elementwise_kernels;

/* One instruction set's kernels. */
typedef struct kael_elementwise_set {
    const kael_elementwise_kernels *of[KAEL_DTYPE_COUNT]; /* NULL for bool, f16 and bf16 */
    /* COMPARISON with different types of the first and the second operand. */
    const kael_elementwise_kernels *u64_with_i64;
    const kael_elementwise_kernels *i64_with_u64;
} kael_elementwise_set;

#endif
