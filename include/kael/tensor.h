/* Tensors: counted storage of elements seen through a shape, strides and an offset. */
#ifndef KAEL_TENSOR_H
#define KAEL_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kael/macros.h"
#include "kael/status.h"

KAEL_BEGIN_DECLS

/* The largest number of dimensions. */
#define KAEL_MAX_DIMS 16

/* An opaque tensor with an atomic reference count. Its shape, strides and dtype never change; its
 * elements may. Different threads may use one tensor as long as none writes its elements. */
typedef struct kael_tensor kael_tensor;

/* New row-major tensors with a reference count of one, owned by the caller.
 *
 * shape holds ndim sizes >= 0 and may be NULL when ndim is 0 (a tensor of one element). A size of
 * zero makes a tensor without elements, whatever the other sizes are. Elements of `empty` have no
 * particular value. `full` converts the value: to a floating point dtype it is rounded once, beyond
 * the largest finite number to infinity; to an integer dtype its fraction is cut off; bool tells
 * whether it is not zero. `from_data` copies row-major elements from `data`, which may be NULL when
 * there are none; bytes of bool that are not 0 become 1.
 *
 * Errors: VALUE for a NULL argument, and for a NaN or a value outside the range of an integer
 * dtype; DTYPE for an unknown dtype; SHAPE for ndim outside 0..KAEL_MAX_DIMS, a negative size or a
 * byte count that overflows; MEMORY. On an error *out is NULL. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_empty(kael_tensor **out, kael_dtype dtype,
                                                      int64_t ndim, const int64_t *shape);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_zeros(kael_tensor **out, kael_dtype dtype,
                                                      int64_t ndim, const int64_t *shape);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_ones(kael_tensor **out, kael_dtype dtype,
                                                     int64_t ndim, const int64_t *shape);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_full(kael_tensor **out, kael_dtype dtype,
                                                     int64_t ndim, const int64_t *shape,
                                                     double value);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_from_data(kael_tensor **out, kael_dtype dtype,
                                                          int64_t ndim, const int64_t *shape,
                                                          const void *data);

/* Adds an owner; returns the tensor. NULL is fine. */
KAEL_API kael_tensor *kael_tensor_retain(kael_tensor *tensor);

/* Gives up one owner's hold; the last one frees the tensor. NULL is fine. */
KAEL_API void kael_tensor_release(kael_tensor *tensor);

/* What a tensor is; the argument must not be NULL. */
KAEL_API kael_dtype kael_tensor_dtype(const kael_tensor *tensor);
KAEL_API int64_t kael_tensor_ndim(const kael_tensor *tensor);
KAEL_API int64_t kael_tensor_numel(const kael_tensor *tensor);

/* Elements from the start of the storage to the first element. */
KAEL_API int64_t kael_tensor_offset(const kael_tensor *tensor);

/* ndim sizes, and ndim strides in elements; valid as long as the tensor. */
KAEL_API const int64_t *kael_tensor_shape(const kael_tensor *tensor);
KAEL_API const int64_t *kael_tensor_strides(const kael_tensor *tensor);

/* True when the elements lie in row-major order without gaps: the strides of dimensions of size 1
 * do not matter, and a tensor without elements is contiguous. */
KAEL_API bool kael_tensor_is_contiguous(const kael_tensor *tensor);
KAEL_API bool kael_tensor_shares_storage(const kael_tensor *a, const kael_tensor *b);

/* The bytes of the whole storage, also when the tensor sees a part of it. */
KAEL_API int64_t kael_tensor_storage_bytes(const kael_tensor *tensor);

/* The first element; NULL when the tensor has none. */
KAEL_API void *kael_tensor_data(const kael_tensor *tensor);

KAEL_END_DECLS

#endif
