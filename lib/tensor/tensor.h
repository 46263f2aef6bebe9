/* The tensor as the other folders of the library see it. */
#ifndef KAEL_TENSOR_TENSOR_H
#define KAEL_TENSOR_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/tensor.h"
#include "tensor/storage.h"

/* The bytes of the shape and of each stride fit in 63 bits, and so does the offset of every element
 * from the first, whoever made the tensor. */
struct kael_tensor {
    _Atomic int64_t references;
    kael_storage *storage;
    struct kael_graph_node *node; /* NULL: takes no part in a graph of gradients */
    void *data;                   /* the first element; NULL when there is none */
    int64_t numel;
    int64_t offset;   /* of the first element in the storage, in elements */
    int32_t capacity; /* of the struct's own block; 0 when it lies in the storage's room */
    kael_dtype dtype;
    int ndim;
    bool is_contiguous;
    int64_t sizes[]; /* the shape, then the strides */
};

/* Makes a row-major tensor on storage of its own, from what kael_shape_measure has found; its
 * elements are zero if `zeroed`. Errors: MEMORY; *out is then NULL. */
KAEL_NODISCARD kael_status kael_tensor_create(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                                              const int64_t *shape, int64_t numel, int64_t bytes,
                                              bool zeroed);

/* How a tensor sees a storage. */
typedef struct kael_layout {
    int64_t ndim;
    int64_t offset;
    int64_t shape[KAEL_MAX_DIMS];
    int64_t strides[KAEL_MAX_DIMS];
} kael_layout;

/* Makes a tensor on `bytes` bytes of foreign memory from `start` on. Errors: MEMORY; *out is then
 * NULL, and nothing is given back. */
KAEL_NODISCARD kael_status kael_tensor_create_foreign(kael_tensor **out, kael_dtype dtype,
                                                      const kael_layout *layout, void *start,
                                                      int64_t bytes,
                                                      const kael_foreign_memory *foreign);

/* Makes a tensor that sees `storage` through a shape, strides and an offset in elements, all of
 * whose elements lie inside. It holds a reference of its own to the storage.
 * Errors: MEMORY; *out is then NULL. */
KAEL_NODISCARD kael_status kael_tensor_create_view(kael_tensor **out, kael_storage *storage,
                                                   kael_dtype dtype, int64_t ndim,
                                                   const int64_t *shape, const int64_t *strides,
                                                   int64_t offset);

#endif
