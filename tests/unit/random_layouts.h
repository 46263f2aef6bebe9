/* Random layouts, and tensors that have them. */
#ifndef KAEL_TESTS_RANDOM_LAYOUTS_H
#define KAEL_TESTS_RANDOM_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/tensor.h"

typedef struct layout {
    int ndim;
    int64_t shape[KAEL_MAX_DIMS];
    int64_t strides[KAEL_MAX_DIMS];
    int64_t offset;
    int64_t room; /* elements of the storage */
} layout;

typedef enum layout_freedom {
    LAYOUT_DISTINCT, /* dimensions permuted, with gaps and backwards */
    LAYOUT_REPEATED  /* and perhaps with stride 0 */
} layout_freedom;

/* The next number of a fixed sequence, from 0 up to below `end`. */
int64_t layout_random(int64_t end);

/* Up to `ndim` sizes whose product is at most `numel`. */
void layout_random_shape(int ndim, int64_t *shape, int64_t numel);

layout layout_make(int ndim, const int64_t *shape, layout_freedom freedom);

/* Drops some leading dimensions and makes others of size 1: what is left broadcasts to the shape.
 */
void layout_shrink(layout *l);

/* A tensor on storage of its own; the bytes of the whole storage follow from `seed`, those of bool
 * are 0 or 1. */
kael_tensor *layout_tensor(const layout *l, kael_dtype dtype, uint64_t seed);

/* The element with these indices, which count from the last dimension; the tensor broadcasts. */
char *layout_element(const kael_tensor *t, int ndim, const int64_t *indices);

/* Steps through all indices in row-major order; false after the last. */
bool layout_next(int ndim, const int64_t *shape, int64_t *indices);

/* A copy of the bytes of a tensor's storage, to be freed, and where an element lies in it. */
unsigned char *layout_storage_copy(const kael_tensor *t);
unsigned char *layout_in_copy(unsigned char *copy, const kael_tensor *t, const char *element);

/* Describes the shape and strides of a tensor, in one of some static texts. */
const char *layout_text(const kael_tensor *t);

#endif
