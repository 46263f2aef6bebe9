/* What tests of tensors share. */
#ifndef KAEL_TESTS_TENSOR_CHECKS_H
#define KAEL_TESTS_TENSOR_CHECKS_H

#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "kael/allocator.h"
#include "kael/tensor.h"
#include "tensor/shape.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A shape as the two arguments ndim and shape. */
#define SHAPE(...)                                                                                 \
    (int64_t) COUNT_OF(((const int64_t[]){__VA_ARGS__})), (const int64_t[]) {                      \
        __VA_ARGS__                                                                                \
    }

#define DIMS(...)                                                                                  \
    (const int64_t[]) {                                                                            \
        __VA_ARGS__                                                                                \
    }

#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

/* Something for *out that is not NULL. */
static inline kael_tensor *poison(void) {
    static int64_t target;
    return (kael_tensor *)(void *)&target;
}

/* A call whose first argument is the result fails with this status and message, and leaves NULL. */
#define EXPECT_FAILURE(expected, message, function, ...)                                           \
    do {                                                                                           \
        kael_tensor *failed_ = poison();                                                           \
        const kael_status status_ = function(&failed_, __VA_ARGS__);                               \
        cr_expect_eq(status_, expected, #function ": %s", kael_status_string(status_));            \
        cr_expect_null(failed_, #function);                                                        \
        cr_expect_str_eq(kael_last_error_message(), message);                                      \
    } while (0)

static inline int64_t bytes_in_use(void) {
    kael_allocator_statistics statistics;
    ASSERT_OK(kael_allocator_stats(&statistics));
    return statistics.in_use_bytes;
}

static inline kael_tensor *arange(kael_dtype dtype, double stop) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_arange(&t, dtype, 0, stop, 1));
    return t;
}

/* The numbers 0, 1, 2 ... in a shape. */
static inline kael_tensor *counting(kael_dtype dtype, int64_t ndim, const int64_t *shape) {
    kael_tensor *flat = arange(dtype, (double)kael_shape_numel(ndim, shape));
    kael_tensor *t;
    ASSERT_OK(kael_tensor_reshape(&t, flat, ndim, shape));
    kael_tensor_release(flat);
    return t;
}

static inline void expect_numbers(const int64_t *actual, int64_t count, const int64_t *expected,
                                  const char *name) {
    for (int64_t i = 0; i < count; ++i) {
        cr_expect_eq(actual[i], expected[i], "%s[%" PRId64 "]: %" PRId64 ", not %" PRId64, name, i,
                     actual[i], expected[i]);
    }
}

/* Elements in row-major order. */
static inline void expect_values(const kael_tensor *t, int64_t count, const double *expected) {
    kael_tensor *copy;
    kael_tensor *values;
    cr_assert_eq(kael_tensor_numel(t), count, "%" PRId64 " elements", kael_tensor_numel(t));
    ASSERT_OK(kael_tensor_contiguous(&copy, t));
    ASSERT_OK(kael_tensor_to_dtype(&values, copy, KAEL_F64));
    const double *elements = kael_tensor_data(values);
    for (int64_t i = 0; i < count; ++i) {
        cr_expect_eq(elements[i], expected[i], "element %" PRId64 ": %g, not %g", i, elements[i],
                     expected[i]);
    }
    kael_tensor_release(values);
    kael_tensor_release(copy);
}

#define EXPECT_VALUES(t, ...)                                                                      \
    expect_values(t, (int64_t)COUNT_OF(((const double[]){__VA_ARGS__})),                           \
                  (const double[]){__VA_ARGS__})

#endif
