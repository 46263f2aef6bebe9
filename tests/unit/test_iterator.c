/* Walks over tensors of all layouts, and copies through them. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kael/parallel.h"
#include "kael/tensor.h"
#include "tensor/copy.h"
#include "tensor/iterator.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

/* A layout: the shape, and for each dimension how the elements lie in memory. */
typedef struct layout {
    int ndim;
    int64_t shape[KAEL_MAX_DIMS];
    int64_t strides[KAEL_MAX_DIMS];
    int64_t offset;
    int64_t room; /* elements of the storage */
} layout;

static uint64_t random_state = 1;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}

static int64_t random_below(int64_t end) {
    return (int64_t)(next_random() % (uint64_t)end);
}

/* How the dimensions of a random layout are laid out. */
typedef enum layout_freedom {
    DISTINCT, /* permuted, with gaps and backwards */
    REPEATED  /* dimensions may also be broadcast */
} layout_freedom;

static layout random_layout(int ndim, const int64_t *shape, layout_freedom freedom) {
    layout l = {.ndim = ndim, .room = 1};
    int order[KAEL_MAX_DIMS] = {0};
    for (int i = 0; i < ndim; ++i) {
        const int j = (int)random_below(i + 1);
        order[i] = order[j];
        order[j] = i;
        l.shape[i] = shape[i];
    }
    for (int i = 0; i < ndim; ++i) {
        const int dim = order[i];
        const int64_t step = random_below(4) == 0 ? 1 + random_below(3) : 1;
        if (freedom == REPEATED && random_below(5) == 0) {
            l.strides[dim] = 0;
            continue;
        }
        const int64_t stride = l.room * step;
        const int64_t reach = (shape[dim] - 1) * stride;
        l.strides[dim] = stride;
        if (random_below(4) == 0) {
            l.strides[dim] = -stride;
            l.offset += reach;
        }
        l.room = reach + stride + (random_below(4) == 0 ? random_below(5) : 0);
    }
    l.offset += random_below(3);
    l.room += 3;
    return l;
}

/* A tensor on storage of its own, every byte of which is set from `seed`. */
static kael_tensor *make_tensor(const layout *l, kael_dtype dtype, uint64_t seed) {
    kael_storage *storage;
    const int64_t bytes = l->room * kael_dtype_size(dtype);
    ASSERT_OK(kael_storage_create(&storage, 0, bytes, false));
    for (int64_t i = 0; i < bytes; ++i) {
        ((uint8_t *)storage->data)[i] = (uint8_t)((uint64_t)i * 167 + (uint64_t)(i >> 8) + seed);
    }
    kael_tensor *tensor;
    ASSERT_OK(
        kael_tensor_create_view(&tensor, storage, dtype, l->ndim, l->shape, l->strides, l->offset));
    kael_storage_release(storage);
    return tensor;
}

/* The address of the element with these indices, which count from the last dimension of `shape`, to
 * which the tensor broadcasts. */
static char *element(const kael_tensor *t, int ndim, const int64_t *indices) {
    int64_t position = 0;
    for (int i = 0; i < t->ndim; ++i) {
        const int64_t index = indices[ndim - t->ndim + i];
        position += (t->sizes[i] == 1 ? 0 : index) * t->sizes[t->ndim + i];
    }
    return (char *)t->data + position * kael_dtype_size(t->dtype);
}

/* Steps through all indices in row-major order; false after the last. */
static bool next_indices(int ndim, const int64_t *shape, int64_t *indices) {
    for (int i = ndim - 1; i >= 0; --i) {
        if (++indices[i] < shape[i]) {
            return true;
        }
        indices[i] = 0;
    }
    return false;
}

/* What the storage of `out` holds after the copy of `in`, by a loop over all indices. */
static unsigned char *expected_copy(const kael_tensor *out, const kael_tensor *in) {
    const size_t bytes = (size_t)out->storage->bytes;
    unsigned char *expected = malloc(bytes);
    memcpy(expected, out->storage->data, bytes);
    int64_t indices[KAEL_MAX_DIMS] = {0};
    const size_t size = (size_t)kael_dtype_size(out->dtype);
    do {
        const char *to = element(out, out->ndim, indices);
        const ptrdiff_t place = to - (const char *)out->storage->data;
        memcpy(expected + place, element(in, out->ndim, indices), size);
    } while (next_indices(out->ndim, out->sizes, indices));
    return expected;
}

static const kael_dtype dtypes_by_size[] = {KAEL_U8, KAEL_I16, KAEL_F32, KAEL_I64};

static void check_copy(const layout *out_layout, const layout *in_layout, kael_dtype dtype) {
    kael_tensor *out = make_tensor(out_layout, dtype, 1);
    kael_tensor *in = make_tensor(in_layout, dtype, 99);
    unsigned char *expected = expected_copy(out, in);
    ASSERT_OK(kael_copy_elements(out, in));
    if (memcmp(out->storage->data, expected, (size_t)out->storage->bytes) != 0) {
        char shape[KAEL_SHAPE_TEXT_SIZE];
        char strides[KAEL_SHAPE_TEXT_SIZE];
        char in_strides[KAEL_SHAPE_TEXT_SIZE];
        cr_expect(false, "%s %s to strides %s from %s", kael_dtype_name(dtype),
                  kael_shape_text(shape, out->ndim, out->sizes),
                  kael_shape_text(strides, out->ndim, out->sizes + out->ndim),
                  kael_shape_text(in_strides, in->ndim, in->sizes + in->ndim));
    }
    free(expected);
    kael_tensor_release(out);
    kael_tensor_release(in);
}

static void random_shape(int ndim, int64_t *shape, int64_t numel) {
    for (int i = 0; i < ndim; ++i) {
        shape[i] = 1 + random_below(ndim < 3 ? 150 : 24);
        shape[i] = shape[i] > numel ? numel : shape[i];
        numel /= shape[i];
    }
}

/* Drops leading dimensions, and makes dimensions of size 1, which broadcast. */
static void make_broadcast(layout *l) {
    const int drop = random_below(4) == 0 ? (int)random_below(l->ndim + 1) : 0;
    for (int i = drop; i < l->ndim; ++i) {
        l->shape[i - drop] = random_below(5) == 0 ? 1 : l->shape[i];
        l->strides[i - drop] = l->strides[i];
    }
    l->ndim -= drop;
}

Test(Iterator, CopiesAllLayouts) {
    for (int round = 0; round < 6000; ++round) {
        const int ndim = (int)random_below(6);
        int64_t shape[KAEL_MAX_DIMS];
        random_shape(ndim, shape, 3000 << random_below(4));
        const layout out = random_layout(ndim, shape, DISTINCT);
        layout in = random_layout(ndim, shape, REPEATED);
        if (round % 3 == 0) {
            make_broadcast(&in);
        }
        check_copy(&out, &in, dtypes_by_size[round % 4]);
    }
}
