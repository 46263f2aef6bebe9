/* Layer and RMS normalisation.
 *
 * Rows are all elements along the last `normalized_dims` dimensions of a tensor with a floating
 * point dtype and any layout. A row of n elements x is standardized in double, with sums as
 * kael_sum adds them, and rounded once; f16 and bf16 are converted to f32, computed like f32 and
 * rounded at the end. Rows that hold NaN or infinities give what the expressions below give. weight
 * and bias may be NULL; else they have the shape of a row and the dtype of the tensor. The result
 * has the shape and dtype of the tensor. `_into` forms write an existing tensor, which may overlap
 * the operands.
 *
 * Errors: VALUE for NULL, for normalized_dims that are not between 1 and the number of dimensions,
 * for an eps that is not positive and finite, and for a malformed KAEL_ISA or KAEL_NUM_THREADS;
 * DTYPE; SHAPE; MEMORY. On an error a result pointer is NULL and no tensor has changed, but that
 * after a MEMORY error the elements of a result written by an `_into` form are unspecified. */
#ifndef KAEL_NORMALIZE_H
#define KAEL_NORMALIZE_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* h = (x - mean) * reciprocal, with mean = (sum of x) / n and
 * reciprocal = 1 / sqrt((sum of (x - mean)^2) / n + eps). */
KAEL_API KAEL_NODISCARD kael_status kael_standardize(kael_tensor **out, const kael_tensor *tensor,
                                                     int64_t normalized_dims, double eps);
KAEL_API KAEL_NODISCARD kael_status kael_standardize_into(kael_tensor *out,
                                                          const kael_tensor *tensor,
                                                          int64_t normalized_dims, double eps);

/* kael_standardize's result * weight + bias, with the bits of the three operations one after the
 * other (of f32, for f16 and bf16). */
KAEL_API KAEL_NODISCARD kael_status kael_layer_norm(kael_tensor **out, const kael_tensor *tensor,
                                                    int64_t normalized_dims,
                                                    const kael_tensor *weight,
                                                    const kael_tensor *bias, double eps);
KAEL_API KAEL_NODISCARD kael_status kael_layer_norm_into(kael_tensor *out,
                                                         const kael_tensor *tensor,
                                                         int64_t normalized_dims,
                                                         const kael_tensor *weight,
                                                         const kael_tensor *bias, double eps);

/* x * reciprocal * weight, with reciprocal = 1 / sqrt((sum of x^2) / n + eps)
 * (Zhang and Sennrich, Root Mean Square Layer Normalization, 2019). */
KAEL_API KAEL_NODISCARD kael_status kael_rms_norm(kael_tensor **out, const kael_tensor *tensor,
                                                  int64_t normalized_dims,
                                                  const kael_tensor *weight, double eps);
KAEL_API KAEL_NODISCARD kael_status kael_rms_norm_into(kael_tensor *out, const kael_tensor *tensor,
                                                       int64_t normalized_dims,
                                                       const kael_tensor *weight, double eps);

KAEL_END_DECLS

#endif
