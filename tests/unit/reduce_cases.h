/* What the tests of reductions share: operations by number, tensors of any layout and values, and
 * the comparison with the definition. */
#ifndef KAEL_TESTS_REDUCE_CASES_H
#define KAEL_TESTS_REDUCE_CASES_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/reduce.h"
#include "oracle/reduce_oracle.h"
#include "tensor_checks.h"

/* Replaces a tensor by a view of it. */
#define VIEW(t, function, ...)                                                                     \
    do {                                                                                           \
        kael_tensor *view_;                                                                        \
        ASSERT_OK(function(&view_, t, __VA_ARGS__));                                               \
        kael_tensor_release(t);                                                                    \
        t = view_;                                                                                 \
    } while (0)

typedef enum reduce_layout {
    LAYOUT_CONTIGUOUS,
    LAYOUT_TRANSPOSED, /* dimensions in reverse order */
    LAYOUT_REVERSED,   /* every stride negative */
    LAYOUT_GAPS,       /* every second element of every dimension */
    LAYOUT_ROTATED,    /* the last dimension has the largest stride, the first runs backwards */
    LAYOUT_REPEATED,   /* the first dimension has stride 0 */
    LAYOUT_COUNT
} reduce_layout;

typedef enum reduce_values {
    VALUES_ORDINARY,
    VALUES_BITS,  /* any bits that the dtype allows, with infinities and NaN */
    VALUES_TIES,  /* a few small numbers */
    VALUES_ZEROS, /* of both signs */
    VALUES_COUNT
} reduce_values;

typedef struct reduce_shape {
    int64_t ndim;
    int64_t sizes[4];
} reduce_shape;

/* The caller releases it. */
kael_tensor *new_reduce_input(kael_dtype dtype, const reduce_shape *shape, reduce_layout layout,
                              reduce_values values, uint64_t seed);

/* Calls an operation; the arg ones take all dimensions or one. */
kael_status call_reduction(reduce_operation operation, kael_tensor **out, const kael_tensor *tensor,
                           int64_t ndims, const int64_t *dims, bool keepdim, double correction);
kael_status call_reduction_into(reduce_operation operation, kael_tensor *out,
                                const kael_tensor *tensor, int64_t ndims, const int64_t *dims,
                                bool keepdim, double correction);

/* The definition's result: contiguous, of the right dtype and shape. Dimension d is reduced if bit
 * d of `mask` is set. */
kael_tensor *new_expected(reduce_operation operation, const kael_tensor *tensor, unsigned mask,
                          bool keepdim, double correction);

/* The same dtype, shape and bytes, where any NaN is like another. */
__attribute__((format(printf, 3, 4))) void
expect_same_tensor(const kael_tensor *actual, const kael_tensor *expected, const char *format, ...);

void use_threads(int64_t count);

#endif
