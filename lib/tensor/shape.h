/* Shapes and strides. */
#ifndef KAEL_TENSOR_SHAPE_H
#define KAEL_TENSOR_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kael/status.h"
#include "kael/tensor.h"

/* A size that a required shape leaves open. */
#define KAEL_ANY_SIZE INT64_MIN

/* Room for "(…, …)" with KAEL_MAX_DIMS sizes of 20 characters. */
#define KAEL_SHAPE_TEXT_SIZE (KAEL_MAX_DIMS * 22 + 3)

/* Writes a shape as "(60000, 784)", with * for KAEL_ANY_SIZE, and returns `text`. */
const char *kael_shape_text(char text[KAEL_SHAPE_TEXT_SIZE], int64_t ndim, const int64_t *shape);

/* SHAPE for ndim outside 0..KAEL_MAX_DIMS, VALUE for shape NULL when ndim is not 0. */
KAEL_NODISCARD kael_status kael_shape_check_ndim(int64_t ndim, const int64_t *shape);

/* Counts the elements of a shape and their bytes. A size of zero makes a shape empty, whatever the
 * others are. Errors as those of kael_tensor_empty: VALUE, DTYPE, SHAPE. */
KAEL_NODISCARD kael_status kael_shape_measure(int64_t *numel, int64_t *bytes, kael_dtype dtype,
                                              int64_t ndim, const int64_t *shape);

/* The number of elements of a shape that was measured before. */
int64_t kael_shape_numel(int64_t ndim, const int64_t *shape);

/* The row-major strides of a measured shape. In an empty shape, a stride whose bytes do not fit is
 * 0. */
void kael_shape_row_major_strides(int64_t *strides, int64_t ndim, const int64_t *shape);

/* The bytes from the first element down to the lowest one, <= 0, and up to the end of the highest
 * one, of a measured shape; without elements, both are 0. False if their difference, or the bytes
 * of any stride, do not fit in 63 bits. */
bool kael_shape_extent(int64_t *lowest, int64_t *end, int64_t element_size, int64_t ndim,
                       const int64_t *shape, const int64_t *strides);

/* Counts the elements of a measured shape, and tells whether these strides visit them in row-major
 * order without gaps: true of empty shapes, and whatever the stride of a dimension of size 1 is. */
static inline bool kael_shape_is_row_major(int64_t *numel, int64_t ndim, const int64_t *shape,
                                           const int64_t *strides) {
    uint64_t count = 1; /* what overflows before a size of zero does not matter */
    bool is_row_major = true;
    for (int64_t i = ndim - 1; i >= 0; --i) {
        is_row_major &= shape[i] == 1 || (uint64_t)strides[i] == count;
        count *= (uint64_t)shape[i];
    }
    *numel = (int64_t)count;
    return is_row_major || count == 0;
}

#endif
