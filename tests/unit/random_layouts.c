#include "random_layouts.h"

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
        if (++indices[i] < shape[i]) {
            return true;
        }
        indices[i] = 0;
    }
    return false;
}

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
}
