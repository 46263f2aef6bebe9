#include "layouts.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernels/half.h"
#include "tensor/copy.h"
#include "tensor/tensor.h"

uint64_t test_random(uint64_t seed, uint64_t index) {
    uint64_t x = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15) + index;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static kael_tensor *empty(kael_dtype dtype, int64_t ndim, const int64_t *shape,
                          test_layout layout) {
    int64_t strides[KAEL_MAX_DIMS];
    int64_t room = layout == SPREAD ? 2 : 1;
    int64_t offset = 0;
    for (int64_t i = 0; i < ndim; ++i) {
        const int64_t dim = layout == REVERSED_DIMS ? i : ndim - 1 - i;
        const bool backwards = layout == SPREAD && dim % 2 == 1 && shape[dim] > 0;
        strides[dim] = backwards ? -room : room;
        offset += backwards ? (shape[dim] - 1) * room : 0;
        room *= shape[dim] > 0 ? shape[dim] : 1;
    }
    kael_tensor *base;
    kael_tensor *view;
    ASSERT_OK(kael_tensor_empty(&base, dtype, 1, &room));
    memset(base->data, 0x5a, (size_t)(room * kael_dtype_size(dtype)));
    ASSERT_OK(kael_tensor_create_view(&view, base->storage, dtype, ndim, shape, strides, offset));
    kael_tensor_release(base);
    return view;
}

kael_tensor *test_relayout(const kael_tensor *tensor, test_layout layout) {
    kael_tensor *copy = empty(tensor->dtype, tensor->ndim, tensor->sizes, layout);
    ASSERT_OK(kael_copy_elements(copy, tensor));
    return copy;
}

static double value_at(uint64_t seed, uint64_t index) {
    static const double special[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1.0, 0.5, 3.0};
    const uint64_t random = test_random(seed, index);
    return random % 8 == 0 ? special[random / 8 % 8]
                           : (double)((int64_t)(random >> 20 & 0xff) - 128) / 4;
}

/* Integers have all bits, floats small values that sums can round. */
static void set_value(kael_dtype dtype, char *element, uint64_t seed, uint64_t index) {
    const double value = value_at(seed, index);
    const float single = (float)value * 1.1f;
    const double exact = value * 1.1;
    const uint16_t f16 = kael_f32_to_f16(single);
    const uint16_t bf16 = kael_f32_to_bf16(single);
    const uint64_t integer = test_random(seed, index);
    switch (dtype) {
    case KAEL_BOOL:
        *element = integer & 1;
        break;
    case KAEL_F16:
        memcpy(element, &f16, 2);
        break;
    case KAEL_BF16:
        memcpy(element, &bf16, 2);
        break;
    case KAEL_F32:
        memcpy(element, &single, 4);
        break;
    case KAEL_F64:
        memcpy(element, &exact, 8);
        break;
    default:
        memcpy(element, &integer, (size_t)kael_dtype_size(dtype));
    }
}

kael_tensor *test_values(kael_dtype dtype, int64_t ndim, const int64_t *shape, uint64_t seed,
                         test_layout layout) {
    kael_tensor *tensor = empty(dtype, ndim, shape, layout);
    int64_t indices[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < tensor->numel; ++i) {
        set_value(dtype, test_element(tensor, indices), seed, (uint64_t)i);
        test_next(ndim, shape, indices);
    }
    return tensor;
}

kael_tensor *test_indices(kael_dtype dtype, int64_t ndim, const int64_t *shape, int64_t size,
                          uint64_t seed, test_layout layout) {
    kael_tensor *tensor = empty(dtype, ndim, shape, layout);
    int64_t position[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < tensor->numel; ++i) {
        const int64_t index = (int64_t)(test_random(seed, (uint64_t)i) >> 8) % (2 * size) - size;
        const int32_t narrow = (int32_t)index;
        char *element = test_element(tensor, position);
        if (dtype == KAEL_I32) {
            memcpy(element, &narrow, sizeof narrow);
        } else {
            memcpy(element, &index, sizeof index);
        }
        test_next(ndim, shape, position);
    }
    return tensor;
}

char *test_element(const kael_tensor *tensor, const int64_t *indices) {
    int64_t offset = 0;
    for (int i = 0; i < tensor->ndim; ++i) {
        offset += indices[i] * kael_tensor_strides(tensor)[i];
    }
    return (char *)tensor->data + offset * kael_dtype_size(tensor->dtype);
}

bool test_next(int64_t ndim, const int64_t *shape, int64_t *indices) {
    for (int64_t i = ndim - 1; i >= 0; --i) {
        if (++indices[i] < shape[i]) {
            return true;
        }
        indices[i] = 0;
    }
    return false;
}

void test_error(kael_status status, kael_status expected, const char *text) {
    cr_expect_eq(status, expected, "%s: %s", text, kael_last_error_message());
    cr_expect_not_null(strstr(kael_last_error_message(), text), "'%s' in: %s", text,
                       kael_last_error_message());
}

static bool is_nan(kael_dtype dtype, const char *element) {
    uint64_t bits = 0;
    memcpy(&bits, element, (size_t)kael_dtype_size(dtype));
    switch (dtype) {
    case KAEL_F16:
        return (bits & 0x7fff) > 0x7c00;
    case KAEL_BF16:
        return (bits & 0x7fff) > 0x7f80;
    case KAEL_F32:
        return (bits & 0x7fffffff) > 0x7f800000;
    case KAEL_F64:
        return (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
    default:
        return false;
    }
}

void test_same(const kael_tensor *actual, const kael_tensor *expected, const char *what) {
    cr_assert_eq(actual->dtype, expected->dtype, "%s: %s, not %s", what,
                 kael_dtype_name(actual->dtype), kael_dtype_name(expected->dtype));
    cr_assert_eq(actual->ndim, expected->ndim, "%s", what);
    for (int i = 0; i < actual->ndim; ++i) {
        cr_assert_eq(actual->sizes[i], expected->sizes[i], "%s: dimension %d is %" PRId64, what, i,
                     actual->sizes[i]);
    }
    int64_t indices[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < actual->numel; ++i) {
        const char *a = test_element(actual, indices);
        const char *e = test_element(expected, indices);
        if (memcmp(a, e, (size_t)kael_dtype_size(actual->dtype)) != 0 &&
            !(is_nan(actual->dtype, a) && is_nan(actual->dtype, e))) {
            cr_expect(false, "%s: %s element %" PRId64 " of %" PRId64, what,
                      kael_dtype_name(actual->dtype), i, actual->numel);
            return;
        }
        test_next(actual->ndim, actual->sizes, indices);
    }
}
