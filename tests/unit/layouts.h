<<<<<<< HEAD
/* The same elements in several layouts, and element-by-element access, for tests that compare with
 * slow loops. */
#ifndef KAEL_TESTS_UNIT_LAYOUTS_H
#define KAEL_TESTS_UNIT_LAYOUTS_H
=======
/* Random layouts, and tensors that have them. */
#ifndef KAEL_TESTS_LAYOUTS_H
#define KAEL_TESTS_LAYOUTS_H
>>>>>>> 9a12b30 (Tests of the iterator and of copies against scalar loops, on every instruction set)

#include <stdbool.h>
#include <stdint.h>

#include "kael/tensor.h"

<<<<<<< HEAD
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SHAPE(...)                                                                                 \
    (int64_t) COUNT_OF(((const int64_t[]){__VA_ARGS__})), (const int64_t[]) {                      \
        __VA_ARGS__                                                                                \
    }
#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

typedef enum test_layout {
    ROW_MAJOR,
    REVERSED_DIMS, /* column-major */
    SPREAD,        /* every second element, backwards along every second dimension */
    TEST_LAYOUTS
} test_layout;

#define KAEL_EACH_DTYPE(dtype)                                                                     \
    for (kael_dtype dtype = KAEL_BOOL; dtype <= KAEL_F64; dtype = (kael_dtype)(dtype + 1))

/* A pseudo-random number that depends on the arguments alone. */
uint64_t test_random(uint64_t seed, uint64_t index);

/* A tensor whose element i, counted in row-major order, depends on the seed and i: small values, of
 * which NaN and zeros of both signs are some. */
kael_tensor *test_values(kael_dtype dtype, int64_t ndim, const int64_t *shape, uint64_t seed,
                         test_layout layout);

/* i32 or i64 indices in -size .. size - 1. */
kael_tensor *test_indices(kael_dtype dtype, int64_t ndim, const int64_t *shape, int64_t size,
                          uint64_t seed, test_layout layout);

/* A tensor of this layout with the elements of `tensor`, whose release is the caller's. */
kael_tensor *test_relayout(const kael_tensor *tensor, test_layout layout);

/* The address of the element at these indices. */
char *test_element(const kael_tensor *tensor, const int64_t *indices);

/* The next indices in row-major order; false after the last. Zeros are the first. */
bool test_next(int64_t ndim, const int64_t *shape, int64_t *indices);

/* Fails the test unless the call failed like this, with this text in the message. */
void test_error(kael_status status, kael_status expected, const char *text);

/* Fails the test unless both have the same dtype, shape and elements; NaN equals NaN. */
void test_same(const kael_tensor *actual, const kael_tensor *expected, const char *what);
=======
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
>>>>>>> 9a12b30 (Tests of the iterator and of copies against scalar loops, on every instruction set)

#endif
