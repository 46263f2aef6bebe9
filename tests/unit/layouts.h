/* The same elements in several layouts, and element-by-element access, for tests that compare with
 * slow loops. */
#ifndef KAEL_TESTS_UNIT_LAYOUTS_H
#define KAEL_TESTS_UNIT_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/tensor.h"

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

#endif
