#include "layouts.h"

<<<<<<< HEAD
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
=======
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/shape.h"
#include "tensor/tensor.h"
#include "tensor_checks.h"

int64_t layout_random(int64_t end) {
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)((state * UINT64_C(0x2545F4914F6CDD1D) >> 16) % (uint64_t)end);
}

void layout_random_shape(int ndim, int64_t *shape, int64_t numel) {
    for (int i = 0; i < ndim; ++i) {
        shape[i] = 1 + layout_random(ndim < 3 ? 150 : 24);
        shape[i] = shape[i] > numel ? numel : shape[i];
        numel /= shape[i];
    }
}

layout layout_make(int ndim, const int64_t *shape, layout_freedom freedom) {
    layout l = {.ndim = ndim, .room = 1};
    int order[KAEL_MAX_DIMS] = {0};
    for (int i = 0; i < ndim; ++i) {
        const int j = (int)layout_random(i + 1);
        order[i] = order[j];
        order[j] = i;
        l.shape[i] = shape[i];
    }
    for (int i = 0; i < ndim; ++i) {
        const int dim = order[i];
        const int64_t step = layout_random(4) == 0 ? 1 + layout_random(3) : 1;
        if (freedom == LAYOUT_REPEATED && layout_random(5) == 0) {
            l.strides[dim] = 0;
            continue;
        }
        const int64_t stride = l.room * step;
        const int64_t reach = (shape[dim] - 1) * stride;
        l.strides[dim] = stride;
        if (layout_random(4) == 0) {
            l.strides[dim] = -stride;
            l.offset += reach;
        }
        l.room = reach + stride + (layout_random(4) == 0 ? layout_random(5) : 0);
    }
    l.offset += layout_random(3);
    l.room += 3;
    return l;
}

void layout_shrink(layout *l) {
    const int drop = layout_random(4) == 0 ? (int)layout_random(l->ndim + 1) : 0;
    for (int i = drop; i < l->ndim; ++i) {
        l->shape[i - drop] = layout_random(5) == 0 ? 1 : l->shape[i];
        l->strides[i - drop] = l->strides[i];
    }
    l->ndim -= drop;
}

kael_tensor *layout_tensor(const layout *l, kael_dtype dtype, uint64_t seed) {
    kael_storage *storage;
    const int64_t bytes = l->room * kael_dtype_size(dtype);
    ASSERT_OK(kael_storage_create(&storage, 0, bytes, false));
    uint8_t *data = storage->data;
    for (int64_t i = 0; i < bytes; ++i) {
        const uint64_t mixed = ((uint64_t)i + seed * 1000003) * UINT64_C(0x9E3779B97F4A7C15);
        data[i] = (uint8_t)(dtype == KAEL_BOOL ? mixed >> 63 : mixed >> 56);
    }
    kael_tensor *tensor;
    ASSERT_OK(
        kael_tensor_create_view(&tensor, storage, dtype, l->ndim, l->shape, l->strides, l->offset));
    kael_storage_release(storage);
    return tensor;
}

char *layout_element(const kael_tensor *t, int ndim, const int64_t *indices) {
    int64_t position = 0;
    for (int i = 0; i < t->ndim; ++i) {
        const int64_t index = t->sizes[i] == 1 ? 0 : indices[ndim - t->ndim + i];
        position += index * t->sizes[t->ndim + i];
    }
    return (char *)t->data + position * kael_dtype_size(t->dtype);
}

bool layout_next(int ndim, const int64_t *shape, int64_t *indices) {
    for (int i = ndim - 1; i >= 0; --i) {
>>>>>>> 9a12b30 (Tests of the iterator and of copies against scalar loops, on every instruction set)
        if (++indices[i] < shape[i]) {
            return true;
        }
        indices[i] = 0;
    }
    return false;
}

<<<<<<< HEAD
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
=======
unsigned char *layout_storage_copy(const kael_tensor *t) {
    const size_t bytes = (size_t)t->storage->bytes;
    unsigned char *copy = malloc(bytes);
    cr_assert_not_null(copy);
    return memcpy(copy, t->storage->data, bytes);
}

unsigned char *layout_in_copy(unsigned char *copy, const kael_tensor *t, const char *element) {
    return copy + (element - (const char *)t->storage->data);
}

const char *layout_text(const kael_tensor *t) {
    static char texts[4][2 * KAEL_SHAPE_TEXT_SIZE + 40];
    static int next;
    char shape[KAEL_SHAPE_TEXT_SIZE];
    char strides[KAEL_SHAPE_TEXT_SIZE];
    char *text = texts[next++ % 4];
    snprintf(text, sizeof texts[0], "%s %s strides %s", kael_dtype_name(t->dtype),
             kael_shape_text(shape, t->ndim, t->sizes),
             kael_shape_text(strides, t->ndim, t->sizes + t->ndim));
    return text;
>>>>>>> 9a12b30 (Tests of the iterator and of copies against scalar loops, on every instruction set)
}
