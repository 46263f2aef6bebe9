/* Linear algebra. */
#ifndef KAEL_LINALG_H
#define KAEL_LINALG_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* c = beta * c + alpha * a * b for a of m x k, b of k x n and c of m x n elements.
 *
 * Strides are in elements and may be zero (a repeated row or column of a or b) or negative; the
 * pointers name element (0, 0). No operand is copied as a whole. c must not overlap a or b, and no
 * two of its elements may share memory.
 *
 * c is first multiplied by beta (beta 0 writes zeros and does not read c); then each chain of the
 * product (see README.md) adds the rounded alpha * sum. alpha 0 reads neither a nor b. The bits
 * of an element depend on its row of a, its column of b, k, alpha, beta and c alone.
 *
 * Errors: VALUE for a negative size or a NULL pointer where elements would be read or written;
 * SHAPE when the extent of an operand overflows or elements of c share memory; MEMORY when packing
 * buffers cannot be had. On an error c is unchanged. */
KAEL_API KAEL_NODISCARD kael_status kael_gemm_f32(int64_t m, int64_t n, int64_t k, float alpha,
                                                  const float *a, int64_t a_row_stride,
                                                  int64_t a_col_stride, const float *b,
                                                  int64_t b_row_stride, int64_t b_col_stride,
                                                  float beta, float *c, int64_t c_row_stride,
                                                  int64_t c_col_stride);

KAEL_API KAEL_NODISCARD kael_status kael_gemm_f64(int64_t m, int64_t n, int64_t k, double alpha,
                                                  const double *a, int64_t a_row_stride,
                                                  int64_t a_col_stride, const double *b,
                                                  int64_t b_row_stride, int64_t b_col_stride,
                                                  double beta, double *c, int64_t c_row_stride,
                                                  int64_t c_col_stride);

KAEL_END_DECLS

#endif
