/* Selecting elements by index, and assembling tensors.
 *
 * Tensors may have any layout and any dtype; results are new row-major tensors (of
 * kael_masked_fill, laid out as those of ops.h). A dim may be
 * negative and then counts from the end. Indices are tensors of dtype i32 or i64; a negative index
 * counts from the end of its dimension, as in NumPy: -1 is the last position. All indices are
 * checked first.
 *
 * `_into` forms write `out`, which has the shape and the dtype of the result. It may be an operand
 * or share memory with operands in any way: the result is as if the operands had been copied first.
 * It must not have two elements at one place.
 *
 * Errors of all: VALUE for NULL and for an `out` that repeats elements; INDEX for a dim or an index
 * out of range; DTYPE; SHAPE where sizes do not fit together, or a result has more than
 * KAEL_MAX_DIMS dimensions or more bytes than 63 bits count; MEMORY. On an error *out is NULL, and
 * an existing `out` has not changed. */
#ifndef KAEL_INDEXING_H
#define KAEL_INDEXING_H

#include <stdint.h>

#include "kael/dtype.h"
#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* The slices of `tensor` across dim that `indices`, of one dimension, name, in their order:
 *   out[.., j, ..] = tensor[.., indices[j], ..] */
KAEL_API KAEL_NODISCARD kael_status kael_index_select(kael_tensor **out, const kael_tensor *tensor,
                                                      int64_t dim, const kael_tensor *indices);
KAEL_API KAEL_NODISCARD kael_status kael_index_select_into(kael_tensor *out,
                                                           const kael_tensor *tensor, int64_t dim,
                                                           const kael_tensor *indices);

/* One element for each index, in the shape of `indices`:
 *   out[i, .., j, .., k] = tensor[i, .., indices[i, .., j, .., k], .., k]
 * `indices` has as many dimensions as `tensor`, and no dimension but dim is longer than the
 * tensor's (PyTorch's gather; with equal sizes NumPy's take_along_axis). */
KAEL_API KAEL_NODISCARD kael_status kael_gather(kael_tensor **out, const kael_tensor *tensor,
                                                int64_t dim, const kael_tensor *indices);
KAEL_API KAEL_NODISCARD kael_status kael_gather_into(kael_tensor *out, const kael_tensor *tensor,
                                                     int64_t dim, const kael_tensor *indices);

/* A copy of `tensor` to whose elements those of `source`, of the same dtype, are added:
 *   out[i, .., indices[i, .., j, .., k], .., k] += source[i, .., j, .., k]
 * `indices` and `tensor` are as in kael_gather; `source` has as many dimensions, none of them
 * shorter than that of `indices`.
 *
 * An element of the result is that of `tensor` plus its elements of `source` one after another in
 * the order of j, whatever the number of threads. Each sum is rounded to the dtype; in f16 and bf16
 * to f32, and the last one to the dtype. Integers wrap, bool is "or". */
KAEL_API KAEL_NODISCARD kael_status kael_scatter_add(kael_tensor **out, const kael_tensor *tensor,
                                                     int64_t dim, const kael_tensor *indices,
                                                     const kael_tensor *source);
KAEL_API KAEL_NODISCARD kael_status kael_scatter_add_into(kael_tensor *out,
                                                          const kael_tensor *tensor, int64_t dim,
                                                          const kael_tensor *indices,
                                                          const kael_tensor *source);

/* `value` where `mask`, a bool tensor that broadcasts to the shape of `tensor`, is true, else the
 * element of `tensor`. `value` is converted as kael_tensor_full does; VALUE if it is out of range.
 */
KAEL_API KAEL_NODISCARD kael_status kael_masked_fill(kael_tensor **out, const kael_tensor *tensor,
                                                     const kael_tensor *mask, double value);
KAEL_API KAEL_NODISCARD kael_status kael_masked_fill_into(kael_tensor *out,
                                                          const kael_tensor *tensor,
                                                          const kael_tensor *mask, double value);

/* `count` >= 1 tensors one after another along dim, in the dtype that theirs promote to. All have
 * the same number of dimensions, at least one, and the same sizes but in dim. */
KAEL_API KAEL_NODISCARD kael_status kael_cat(kael_tensor **out, int64_t count,
                                             const kael_tensor *const *tensors, int64_t dim);
KAEL_API KAEL_NODISCARD kael_status kael_cat_into(kael_tensor *out, int64_t count,
                                                  const kael_tensor *const *tensors, int64_t dim);

/* `count` >= 1 tensors of one shape along a new dimension, dim of the result. */
KAEL_API KAEL_NODISCARD kael_status kael_stack(kael_tensor **out, int64_t count,
                                               const kael_tensor *const *tensors, int64_t dim);
KAEL_API KAEL_NODISCARD kael_status kael_stack_into(kael_tensor *out, int64_t count,
                                                    const kael_tensor *const *tensors, int64_t dim);

/* The lower or upper triangle of the matrices in the last two dimensions, with zero elsewhere:
 * tril keeps elements with column - row <= k, triu those with column - row >= k.
 * SHAPE for a tensor of less than two dimensions. */
KAEL_API KAEL_NODISCARD kael_status kael_tril(kael_tensor **out, const kael_tensor *tensor,
                                              int64_t k);
KAEL_API KAEL_NODISCARD kael_status kael_tril_into(kael_tensor *out, const kael_tensor *tensor,
                                                   int64_t k);
KAEL_API KAEL_NODISCARD kael_status kael_triu(kael_tensor **out, const kael_tensor *tensor,
                                              int64_t k);
KAEL_API KAEL_NODISCARD kael_status kael_triu_into(kael_tensor *out, const kael_tensor *tensor,
                                                   int64_t k);

/* A matrix with ones where column - row = k, zeros elsewhere. */
KAEL_API KAEL_NODISCARD kael_status kael_eye(kael_tensor **out, kael_dtype dtype, int64_t rows,
                                             int64_t columns, int64_t k);

/* The indices as classes: a new last dimension of `classes` elements of any dtype holds one at the
 * index and zeros elsewhere. Here indices are 0 .. classes - 1, others an INDEX error. */
KAEL_API KAEL_NODISCARD kael_status kael_one_hot(kael_tensor **out, const kael_tensor *indices,
                                                 int64_t classes, kael_dtype dtype);

KAEL_END_DECLS

#endif
