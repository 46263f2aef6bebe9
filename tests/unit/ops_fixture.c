#include "ops_fixture.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tensor/element.h"

#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

static kael_tensor *new_matrix(kael_dtype dtype, int64_t ndim, int64_t rows, int64_t columns,
                               uint64_t *seed) {
    kael_tensor *tensor;
    ASSERT_OK(kael_tensor_empty(&tensor, dtype, ndim, (const int64_t[]){rows, columns}));
    char *data = kael_tensor_data(tensor);
    for (int64_t i = 0; i < kael_tensor_numel(tensor); ++i) {
        elementwise_random_element(dtype, seed, data + i * kael_dtype_size(dtype));
    }
    return tensor;
}

/* Replaces a tensor by a view of it. */
#define VIEW(tensor, call)                                                                         \
    do {                                                                                           \
        kael_tensor *view_;                                                                        \
        kael_tensor **out = &view_;                                                                \
        ASSERT_OK(call);                                                                           \
        kael_tensor_release(tensor);                                                               \
        (tensor) = view_;                                                                          \
    } while (0)

kael_tensor *ops_tensor(kael_dtype dtype, ops_layout layout, int64_t rows, int64_t columns,
                        uint64_t *seed) {
    kael_tensor *t = NULL;
    switch (layout) {
    case LAYOUT_ROW_MAJOR:
        return new_matrix(dtype, 2, rows, columns, seed);
    case LAYOUT_TRANSPOSED:
        t = new_matrix(dtype, 2, columns, rows, seed);
        VIEW(t, kael_tensor_transpose(out, t, 0, 1));
        return t;
    case LAYOUT_WINDOW:
        t = new_matrix(dtype, 2, rows + 2, columns + 3, seed);
        VIEW(t, kael_tensor_narrow(out, t, 0, 1, rows));
        VIEW(t, kael_tensor_narrow(out, t, 1, 2, columns));
        return t;
    case LAYOUT_STEPS:
        t = new_matrix(dtype, 2, 3 * rows, 2 * columns, seed);
        VIEW(t, kael_tensor_slice(out, t, 0, 0, 3 * rows, 3));
        VIEW(t, kael_tensor_slice(out, t, 1, 0, 2 * columns, 2));
        return t;
    case LAYOUT_REVERSED:
        t = new_matrix(dtype, 2, rows, columns, seed);
        VIEW(t, kael_tensor_slice(out, t, 0, rows - 1, -1, -1));
        VIEW(t, kael_tensor_slice(out, t, 1, columns - 1, -1, -1));
        return t;
    case LAYOUT_ROW:
        return new_matrix(dtype, 1, columns, 0, seed);
    case LAYOUT_COLUMN:
        return new_matrix(dtype, 2, rows, 1, seed);
    case LAYOUT_EXPANDED:
        t = new_matrix(dtype, 1, columns, 0, seed);
        VIEW(t, kael_tensor_broadcast_to(out, t, 2, ((const int64_t[]){rows, columns})));
        return t;
    default:
        return new_matrix(dtype, 0, 0, 0, seed);
    }
}

void *ops_element_at(const kael_tensor *tensor, int64_t row, int64_t column) {
    const int64_t ndim = kael_tensor_ndim(tensor);
    const int64_t *shape = kael_tensor_shape(tensor);
    const int64_t *strides = kael_tensor_strides(tensor);
    int64_t offset = 0;
    if (ndim >= 1 && shape[ndim - 1] != 1) {
        offset += column * strides[ndim - 1];
    }
    if (ndim >= 2 && shape[ndim - 2] != 1) {
        offset += row * strides[ndim - 2];
    }
    return (char *)kael_tensor_data(tensor) + offset * kael_dtype_size(kael_tensor_dtype(tensor));
}

void ops_make_positive(kael_tensor *tensor, bool negative_too) {
    const kael_dtype dtype = kael_tensor_dtype(tensor);
    const int64_t ndim = kael_tensor_ndim(tensor);
    const int64_t *shape = kael_tensor_shape(tensor);
    const int64_t rows = ndim >= 2 ? shape[ndim - 2] : 1;
    const int64_t columns = ndim >= 1 ? shape[ndim - 1] : 1;
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            void *element = ops_element_at(tensor, i, j);
            const kael_integer value = kael_element_to_integer(element, dtype);
            if (value.magnitude == 0 || (negative_too && value.is_negative)) {
                elementwise_write_integer(dtype, 1, element);
            }
        }
    }
}

static bool is_nan(kael_dtype dtype, const void *element) {
    return dtype >= KAEL_F16 && isnan(kael_element_to_double(element, dtype));
}

void ops_expect_definition(const elementwise_call *call, const kael_tensor *const *inputs,
                           const kael_tensor *out, const char *form) {
    const int64_t rows = kael_tensor_shape(out)[0];
    const int64_t columns = kael_tensor_shape(out)[1];
    kael_dtype dtype;
    cr_assert(elementwise_result(call, &dtype));
    cr_assert_eq(kael_tensor_dtype(out), dtype, "%s: %s, not %s", elementwise_name(call),
                 kael_dtype_name(kael_tensor_dtype(out)), kael_dtype_name(dtype));
    const size_t size = (size_t)kael_dtype_size(dtype);
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            const void *elements[ELEMENTWISE_INPUTS];
            uint64_t expected = 0;
            for (int k = 0; k < call->inputs; ++k) {
                elements[k] = ops_element_at(inputs[k], i, j);
            }
            elementwise_element(call, elements, &expected);
            const void *actual = ops_element_at(out, i, j);
            if (memcmp(actual, &expected, size) == 0 ||
                (is_nan(dtype, actual) && is_nan(dtype, &expected))) {
                continue;
            }
            uint64_t bits = 0;
            memcpy(&bits, actual, size);
            cr_assert(false,
                      "%s %s (%s %s %s) at (%" PRId64 ", %" PRId64 ") of %" PRId64 " x %" PRId64
                      ": %#" PRIx64 " (%g), not %#" PRIx64 " (%g), from %g, %g",
                      form, elementwise_name(call), kael_dtype_name(call->dtypes[0]),
                      call->inputs > 1 ? kael_dtype_name(call->dtypes[1]) : "",
                      call->inputs > 2 ? kael_dtype_name(call->dtypes[2]) : "", i, j, rows, columns,
                      bits, kael_element_to_double(actual, dtype), expected,
                      kael_element_to_double(&expected, dtype),
                      kael_element_to_double(elements[0], call->dtypes[0]),
                      call->inputs > 1 ? kael_element_to_double(elements[1], call->dtypes[1])
                                       : 0.0);
        }
    }
}
