#include "tensor/tensor.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/error.h"
#include "core/reference.h"
#include "memory/block.h"
#include "tensor/graph.h"
#include "tensor/shape.h"

static int64_t struct_bytes(int64_t ndim) {
    return (int64_t)sizeof(kael_tensor) + 2 * ndim * (int64_t)sizeof(int64_t);
}

static void initialise(kael_tensor *tensor, kael_storage *storage, kael_dtype dtype, int64_t ndim,
                       int64_t capacity) {
    atomic_init(&tensor->references, 1);
    tensor->storage = storage;
    tensor->capacity = (int32_t)capacity;
    tensor->node = NULL;
    tensor->dtype = dtype;
    tensor->ndim = (int)ndim;
}

kael_status kael_tensor_create(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                               const int64_t *shape, int64_t numel, int64_t bytes, bool zeroed) {
    *out = NULL;
    kael_storage *storage;
    KAEL_TRY(kael_storage_create(&storage, struct_bytes(ndim), bytes, zeroed));
    kael_tensor *tensor = kael_storage_room(storage);
    initialise(tensor, storage, dtype, ndim, 0);
    tensor->data = storage->data;
    tensor->numel = numel;
    tensor->offset = 0;
    tensor->is_contiguous = true;
    for (int64_t i = 0; i < ndim; ++i) {
        tensor->sizes[i] = shape[i];
    }
    kael_shape_row_major_strides(tensor->sizes + ndim, ndim, shape);
    *out = tensor;
    return KAEL_OK;
}

static void set_layout(kael_tensor *tensor, const int64_t *shape, const int64_t *strides,
                       int64_t offset) {
    const int64_t ndim = tensor->ndim;
    for (int64_t i = 0; i < ndim; ++i) {
        tensor->sizes[i] = shape[i];
        tensor->sizes[ndim + i] = strides[i];
    }
    tensor->is_contiguous = kael_shape_is_row_major(&tensor->numel, ndim, shape, strides);
    tensor->offset = offset;
    tensor->data = tensor->numel == 0
                       ? NULL
                       : (char *)tensor->storage->data + offset * kael_dtype_size(tensor->dtype);
}

kael_status kael_tensor_create_foreign(kael_tensor **out, kael_dtype dtype,
                                       const kael_layout *layout, void *start, int64_t bytes,
                                       const kael_foreign_memory *foreign) {
    *out = NULL;
    kael_storage *storage;
    KAEL_TRY(kael_storage_wrap(&storage, struct_bytes(layout->ndim), bytes, start, foreign));
    kael_tensor *tensor = kael_storage_room(storage);
    initialise(tensor, storage, dtype, layout->ndim, 0);
    set_layout(tensor, layout->shape, layout->strides, layout->offset);
    *out = tensor;
    return KAEL_OK;
}

kael_status kael_tensor_create_view(kael_tensor **out, kael_storage *storage, kael_dtype dtype,
                                    int64_t ndim, const int64_t *shape, const int64_t *strides,
                                    int64_t offset) {
    *out = NULL;
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, struct_bytes(ndim)));
    kael_tensor *tensor = block.data;
    kael_storage_retain(storage);
    initialise(tensor, storage, dtype, ndim, block.capacity);
    set_layout(tensor, shape, strides, offset);
    *out = tensor;
    return KAEL_OK;
}

kael_tensor *kael_tensor_retain(kael_tensor *tensor) {
    if (tensor != NULL) {
        kael_reference_add(&tensor->references);
    }
    return tensor;
}

void kael_tensor_release(kael_tensor *tensor) {
    if (tensor == NULL || !kael_reference_drop(&tensor->references)) {
        return;
    }
    kael_storage *storage = tensor->storage;
    if (tensor->node != NULL) {
        kael_graph_release(tensor->node);
    }
    if (tensor->capacity > 0) {
        kael_block block = {tensor, tensor->capacity};
        kael_block_release(&block);
    }
    kael_storage_release(storage);
}

kael_dtype kael_tensor_dtype(const kael_tensor *tensor) {
    return tensor->dtype;
}

int64_t kael_tensor_ndim(const kael_tensor *tensor) {
    return tensor->ndim;
}

int64_t kael_tensor_numel(const kael_tensor *tensor) {
    return tensor->numel;
}

int64_t kael_tensor_offset(const kael_tensor *tensor) {
    return tensor->offset;
}

const int64_t *kael_tensor_shape(const kael_tensor *tensor) {
    return tensor->sizes;
}

const int64_t *kael_tensor_strides(const kael_tensor *tensor) {
    return tensor->sizes + tensor->ndim;
}

bool kael_tensor_is_contiguous(const kael_tensor *tensor) {
    return tensor->is_contiguous;
}

bool kael_tensor_shares_storage(const kael_tensor *a, const kael_tensor *b) {
    return a->storage == b->storage;
}

int64_t kael_tensor_storage_bytes(const kael_tensor *tensor) {
    return tensor->storage->bytes;
}

void *kael_tensor_data(const kael_tensor *tensor) {
    return tensor->data;
}
