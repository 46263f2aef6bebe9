/* The product of tensors as a slow scalar program, and tensors to multiply. */
#ifndef KAEL_TESTS_TENSOR_MATMUL_H
#define KAEL_TESTS_TENSOR_MATMUL_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kael/tensor.h"

/* Ways in which a tensor lies in its storage. */
typedef enum tensor_layout {
    TENSOR_ROW_MAJOR,
    TENSOR_TRANSPOSED, /* the last two dimensions, or a gap in every row of a vector */
    TENSOR_STEPPED,    /* every third element of the last dimension */
    TENSOR_REVERSED,   /* the last two dimensions backwards */
    TENSOR_NARROWED,   /* the middle of a larger tensor */
    TENSOR_PERMUTED,   /* all dimensions in the opposite order */
    TENSOR_OUTPUT_LAYOUTS,
    TENSOR_REPEATED = TENSOR_OUTPUT_LAYOUTS, /* one row, or one element, over and over */
    TENSOR_INPUT_LAYOUTS
} tensor_layout;

const char *tensor_layout_name(tensor_layout layout);

typedef enum tensor_values {
    TENSOR_CANCELLING, /* a wide range of exponents; integers of all bits */
    TENSOR_ANY_BITS    /* NaN, infinities, subnormals and all else */
} tensor_values;

/* A tensor of this shape, seen through a layout, with its storage filled; NULL when that failed.
 * The caller releases it. */
kael_tensor *tensor_new(kael_dtype dtype, int64_t ndim, const int64_t *shape, tensor_layout layout,
                        tensor_values values, uint64_t seed);

/* The product in row-major elements of `dtype`, the promoted one. The shapes fit. The caller frees
 * it. */
void *oracle_matmul(kael_dtype dtype, const kael_tensor *a, const kael_tensor *b);

/* The first element, in row-major order, in which a tensor differs from elements of its dtype, bit
 * by bit but for the bits of NaN; -1 if there is none. */
int64_t tensor_first_difference(const kael_tensor *tensor, const void *expected);

/* Bits of element `index` of a tensor in row-major order, NaN as one pattern. */
uint64_t tensor_bits(const kael_tensor *tensor, int64_t index);
uint64_t element_bits(kael_dtype dtype, const void *elements, int64_t index);

#endif
