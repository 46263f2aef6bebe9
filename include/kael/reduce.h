/* Reductions over one, several or all dimensions.
 *
 * dims names ndims dimensions, from 0 on or from the end by -1, -2 ...; NULL with ndims 0 stands
 * for all of them, and no dims at all (not NULL, ndims 0) leave each element by itself. The result
 * has the other dimensions and, with keepdim, size 1 in place of those reduced.
 *
 * Results depend on the elements and their logical order alone: row-major over the reduced
 * dimensions as they lie in the tensor, whatever the order of dims, strides and threads. The exact
 * operations are those of kernels/reduce.h. f16, bf16 and f32 are accumulated in double and rounded
 * once; integers in 64 bits, wrapping.
 *
 * `_into` writes an existing tensor of the result's dtype and shape, in any layout whose elements
 * are distinct; it may share memory with the input.
 *
 * Errors of all: VALUE if a pointer is NULL (dims only if ndims > 0), ndims < 0, a dim is named
 * twice, or KAEL_ISA or KAEL_NUM_THREADS is malformed; INDEX for a dim out of range; MEMORY. Of
 * `_into`: DTYPE and SHAPE if `out` is not like the result, VALUE if its elements are not distinct.
 * On an error *out is NULL, and an existing `out` unchanged. */
#ifndef KAEL_REDUCE_H
#define KAEL_REDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* The dim of kael_argmax and kael_argmin that stands for all. */
#define KAEL_ALL_DIMS INT64_MIN

/* The sum and the product: of floats in their dtype, of bool and signed integers i64, of unsigned
 * ones u64. Of no elements 0 and 1. */
KAEL_API KAEL_NODISCARD kael_status kael_sum(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_sum_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_prod(kael_tensor **out, const kael_tensor *tensor,
                                              int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_prod_into(kael_tensor *out, const kael_tensor *tensor,
                                                   int64_t ndims, const int64_t *dims,
                                                   bool keepdim);

/* The mean: the sum in double over the count. f64 of bool and integers, else the tensor's dtype.
 * NaN of no elements. */
KAEL_API KAEL_NODISCARD kael_status kael_mean(kael_tensor **out, const kael_tensor *tensor,
                                              int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_mean_into(kael_tensor *out, const kael_tensor *tensor,
                                                   int64_t ndims, const int64_t *dims,
                                                   bool keepdim);

/* The variance, and its root: the sum in double of d * d for d = x - mean, each added with one
 * rounding (fma), over max(count - correction, 0); the mean in double. Dtypes as of the mean. NaN
 * of no elements. Errors also: VALUE if the correction is not finite. */
KAEL_API KAEL_NODISCARD kael_status kael_var(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim,
                                             double correction);
KAEL_API KAEL_NODISCARD kael_status kael_var_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim,
                                                  double correction);
KAEL_API KAEL_NODISCARD kael_status kael_std(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim,
                                             double correction);
KAEL_API KAEL_NODISCARD kael_status kael_std_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim,
                                                  double correction);

/* The Euclidean norm, the root of the sum of squares; that of f64 as if all elements were first
 * divided by the power of two below the largest magnitude, so that no square overflows. Dtypes as
 * of the mean. 0 of no elements. */
KAEL_API KAEL_NODISCARD kael_status kael_norm(kael_tensor **out, const kael_tensor *tensor,
                                              int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_norm_into(kael_tensor *out, const kael_tensor *tensor,
                                                   int64_t ndims, const int64_t *dims,
                                                   bool keepdim);

/* log(sum(exp(x))) as m + log(sum(exp(x - m))) for the largest element m, in double; m itself when
 * it is NaN or infinite. Dtypes as of the mean. -inf of no elements. */
KAEL_API KAEL_NODISCARD kael_status kael_logsumexp(kael_tensor **out, const kael_tensor *tensor,
                                                   int64_t ndims, const int64_t *dims,
                                                   bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_logsumexp_into(kael_tensor *out, const kael_tensor *tensor,
                                                        int64_t ndims, const int64_t *dims,
                                                        bool keepdim);

/* The largest and the smallest element, in the tensor's dtype. NaN if there is one; -0 is less than
 * +0. Errors also: VALUE when there is nothing to choose from, unless the result is empty too. */
KAEL_API KAEL_NODISCARD kael_status kael_max(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_max_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_min(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_min_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim);

/* The position of the largest and of the smallest element along `dim`, or, with KAEL_ALL_DIMS, in
 * the row-major order of the whole tensor; i64. The first of equals, among which are -0 and +0; the
 * first NaN if there is one. Errors also: VALUE as of max. */
KAEL_API KAEL_NODISCARD kael_status kael_argmax(kael_tensor **out, const kael_tensor *tensor,
                                                int64_t dim, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_argmax_into(kael_tensor *out, const kael_tensor *tensor,
                                                     int64_t dim, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_argmin(kael_tensor **out, const kael_tensor *tensor,
                                                int64_t dim, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_argmin_into(kael_tensor *out, const kael_tensor *tensor,
                                                     int64_t dim, bool keepdim);

/* Whether any element, or every one, is not zero (NaN is not): bool. false and true of no elements.
 */
KAEL_API KAEL_NODISCARD kael_status kael_any(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_any_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_all(kael_tensor **out, const kael_tensor *tensor,
                                             int64_t ndims, const int64_t *dims, bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_all_into(kael_tensor *out, const kael_tensor *tensor,
                                                  int64_t ndims, const int64_t *dims, bool keepdim);

/* How many elements are not zero (NaN is not): i64. */
KAEL_API KAEL_NODISCARD kael_status kael_count_nonzero(kael_tensor **out, const kael_tensor *tensor,
                                                       int64_t ndims, const int64_t *dims,
                                                       bool keepdim);
KAEL_API KAEL_NODISCARD kael_status kael_count_nonzero_into(kael_tensor *out,
                                                            const kael_tensor *tensor,
                                                            int64_t ndims, const int64_t *dims,
                                                            bool keepdim);

KAEL_END_DECLS

#endif
