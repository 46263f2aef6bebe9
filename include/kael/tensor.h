/* Tensors: counted storage of elements seen through a shape, strides and an offset. */
#ifndef KAEL_TENSOR_H
#define KAEL_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
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

/* A new one-dimensional tensor of start, start + step, start + 2 step ..., up to but not including
 * stop; there are ceil((stop - start) / step) of them, computed in f64, and none when that is not
 * positive. Element i is start + i * step without accumulation: exact in integer dtypes, else two
 * f64 operations and one rounding to the dtype.
 *
 * Errors: VALUE for out NULL, for a number that is not finite, a step of zero, and in integer
 * dtypes for a start or step with a fraction and for elements out of range; DTYPE for an unknown
 * dtype and for bool; SHAPE for more elements than 63 bits of bytes; MEMORY. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_arange(kael_tensor **out, kael_dtype dtype,
                                                       double start, double stop, double step);

/* Gives back memory that was wrapped; `data` and `context` are those that kael_tensor_wrap got. */
typedef void kael_tensor_free_function(void *data, void *context);

/* A tensor on existing memory, without a copy.
 *
 * `data` points to the first element, the one whose indices are all 0; along a negative stride the
 * others lie before it. Strides are in elements and may be zero or negative; NULL stands for
 * row-major ones. Elements of bool must be bytes of 0 or 1. The storage is what lies between the
 * ends of the lowest and the highest element: kael_tensor_storage_bytes counts these bytes, and
 * kael_tensor_offset the elements from its start to the first element. A tensor without elements
 * has an empty storage, and its data may be NULL.
 *
 * free_function(data, context) is called exactly once, when the last tensor that shares the memory
 * goes, by the thread that releases it. NULL calls nothing: the memory must then outlive those
 * tensors. After an error it is never called, and the memory is still the caller's.
 *
 * Errors: VALUE for out NULL, for data NULL although there are elements, and for an address that is
 * no multiple of the element's size; DTYPE and SHAPE as above; SHAPE also for strides whose bytes
 * do not fit in 63 bits or lead out of the address space; MEMORY. On an error *out is NULL. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_wrap(kael_tensor **out, kael_dtype dtype,
                                                     int64_t ndim, const int64_t *shape,
                                                     const int64_t *strides, void *data,
                                                     kael_tensor_free_function *free_function,
                                                     void *context);

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

/* Views: new tensors that share the storage of `tensor` and keep it alive. What is written through
 * one is seen through all. They copy no elements and cost the same for any size.
 *
 * A dim names a dimension from 0 on, or from the end by -1, -2 .... A view without elements keeps
 * the offset of `tensor`.
 *
 * Errors of all: VALUE if out or tensor is NULL; INDEX for a dim or index out of range; MEMORY.
 * On an error *out is NULL. */

/* The same elements in row-major order under another shape of as many elements. One size may be -1
 * and is then computed from the others. Where the strides allow it (always when the tensor is
 * contiguous) this is a view, else a view of a contiguous copy.
 * Errors also: VALUE if shape is NULL although ndim > 0; SHAPE if the numbers of elements differ,
 * if two sizes are -1, if a size of -1 has no unique value, and for sizes and ndim out of range. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_reshape(kael_tensor **out,
                                                        const kael_tensor *tensor, int64_t ndim,
                                                        const int64_t *shape);

/* kael_tensor_reshape to one dimension. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_flatten(kael_tensor **out,
                                                        const kael_tensor *tensor);

/* Repeats the tensor along new leading dimensions and along dimensions of size 1, with stride 0.
 * Writing through repeated elements writes all of them.
 * Errors also: VALUE if shape is NULL although ndim > 0; SHAPE if the shape of `tensor`, aligned at
 * the last dimension, has another size than `shape` where it is not 1, and for sizes and ndim out
 * of range. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_broadcast_to(kael_tensor **out,
                                                             const kael_tensor *tensor,
                                                             int64_t ndim, const int64_t *shape);

/* Dimension i of the view is dimension dims[i] of the tensor; dims names each of its dimensions
 * once. Errors also: VALUE if dims is NULL although the tensor has dimensions, or names one twice.
 */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_permute(kael_tensor **out,
                                                        const kael_tensor *tensor,
                                                        const int64_t *dims);

/* Exchanges two dimensions, which may be the same one. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_transpose(kael_tensor **out,
                                                          const kael_tensor *tensor, int64_t dim0,
                                                          int64_t dim1);

/* The indices start <= i < start + length of a dimension.
 * Errors also: INDEX unless 0 <= start and 0 <= length and start + length <= size. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_narrow(kael_tensor **out, const kael_tensor *tensor,
                                                       int64_t dim, int64_t start, int64_t length);

/* The indices start, start + step, start + 2 step ... of a dimension before stop is reached.
 * Positions are resolved as Python's slice.indices does it: they do not count from the end, and
 * with a negative step, stop = -1 goes down to index 0.
 * Errors also: VALUE for a step of zero and a stride that overflows; INDEX unless start and stop
 * lie in 0 .. size, or with a negative step in -1 .. size - 1. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_slice(kael_tensor **out, const kael_tensor *tensor,
                                                      int64_t dim, int64_t start, int64_t stop,
                                                      int64_t step);

/* One index of a dimension, which the view does not have; -1 is the last index. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_select(kael_tensor **out, const kael_tensor *tensor,
                                                       int64_t dim, int64_t index);

/* Leaves out a dimension of size 1. Of another size, gives `tensor` itself, retained. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_squeeze(kael_tensor **out,
                                                        const kael_tensor *tensor, int64_t dim);

/* Adds a dimension of size 1 that will be `dim`, which counts among those of the view. Errors also:
 * SHAPE if the tensor has KAEL_MAX_DIMS dimensions. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_unsqueeze(kael_tensor **out,
                                                          const kael_tensor *tensor, int64_t dim);

/* The same elements, without a history of operations. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_detach(kael_tensor **out,
                                                       const kael_tensor *tensor);

/* Copies: new tensors on storage of their own, however the elements of `tensor` lie.
 * Errors: VALUE if out or tensor is NULL; DTYPE for an unknown dtype; SHAPE if the bytes of the
 * copy do not fit in 63 bits; MEMORY. On an error *out is NULL. */

/* Gives `tensor` itself, retained, if it is contiguous; else a row-major copy. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_contiguous(kael_tensor **out,
                                                           const kael_tensor *tensor);

/* Always a row-major copy, which holds no more memory than its own elements need. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_clone(kael_tensor **out, const kael_tensor *tensor);

/* Gives `tensor` itself, retained, if it has the dtype; else a converted copy, dense in the order
 * of the dimensions of `tensor`. Elements become floating point: rounded once to nearest, ties to
 * even, beyond the largest finite value to infinity; NaN stays NaN, zero keeps its sign; integers
 * from floating point: cut towards zero, then the nearest value in range; NaN gives 0; integers
 * from integers and bool: the same value modulo 2^bits; bool: whether the element is not zero (NaN
 * is not). */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_to_dtype(kael_tensor **out,
                                                         const kael_tensor *tensor,
                                                         kael_dtype dtype);

/* One element.
 *
 * indices holds ndim indices, -1 being the last one of its dimension; it may be NULL for a tensor
 * of no dimensions. `item` reads the only element of a tensor of one, whatever its dimensions.
 *
 * As double, an integer beyond 2^53 is rounded. As int64_t, a fraction is cut off. Writing converts
 * as kael_tensor_full does, integers likewise.
 *
 * Errors: VALUE for a NULL argument, and for NaN and values out of range of int64_t or of an
 * integer dtype; INDEX for an index out of range; SHAPE if `item` finds another number of elements.
 * On an error nothing is written. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_item(double *value, const kael_tensor *tensor);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_item_i64(int64_t *value, const kael_tensor *tensor);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_get(double *value, const kael_tensor *tensor,
                                                    const int64_t *indices);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_get_i64(int64_t *value, const kael_tensor *tensor,
                                                        const int64_t *indices);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_set(kael_tensor *tensor, const int64_t *indices,
                                                    double value);
KAEL_API KAEL_NODISCARD kael_status kael_tensor_set_i64(kael_tensor *tensor, const int64_t *indices,
                                                        int64_t value);

/* Writes the elements as text for people, such as
 *
 *   [[0.   1.5 ]
 *    [0.25 -inf]]
 *
 * and returns its length, as snprintf does: up to size - 1 characters and a null byte are written,
 * and buffer may be NULL if size is 0. The layout is NumPy's: every number has the fewest digits
 * that tell it from its neighbours in its dtype; numbers line up; all get exponents where their
 * magnitudes need it; lines are broken at 75 characters. Of more than 1000 elements, three at
 * either end of each dimension longer than six are shown; where even that would be more than 10000,
 * outer dimensions show their first index alone. The locale does not matter. tensor must not be
 * NULL. */
KAEL_API size_t kael_tensor_format(char *buffer, size_t size, const kael_tensor *tensor);

KAEL_END_DECLS

#endif
