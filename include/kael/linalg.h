/* Linear algebra. */
#ifndef KAEL_LINALG_H
#define KAEL_LINALG_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* The matrix product of two tensors, as NumPy's matmul.
 *
 * The last two dimensions are matrices, [..., m, k] times [..., k, n] gives [..., m, n]; those
 * before them are batches and are broadcast: aligned at the right, equal or 1. A tensor of one
 * dimension is a row as `a`, a column as `b`, and the result lacks that dimension: two vectors give
 * a tensor of no dimensions. k = 0 gives zeros.
 *
 * Any strides will do, none is copied as a whole: not transposed, reversed, repeated or sliced
 * tensors. The result has the promoted dtype (kael_promote_dtypes). f32 and f64 follow the
 * definition of the product in README.md. f16 and bf16 are converted to f32, which is exact, and
 * the f32 result is rounded once. Integers are exact modulo 2^bits. The bits of an element depend
 * on its row of a, its column of b and k alone: not on other rows, columns or batches, nor on
 * threads, layouts or the instruction set.
 *
 * kael_matmul makes a new row-major tensor, owned by the caller; *out is NULL on an error.
 * kael_matmul_into writes an existing tensor of exactly that dtype and shape, in any layout whose
 * elements are distinct. It may be, or overlap, an operand: the result is that of operands which
 * had been copied first. On an error it is unchanged.
 *
 * Floating-point exception flags are no part of the result, and traps must be off: kernels compute
 * in lanes that they throw away, Inf * 0 included.
 *
 * Errors: VALUE for a NULL argument, an `out` with two elements at one place, a malformed KAEL_ISA
 * or KAEL_NUM_THREADS; SHAPE for an operand without dimensions, shapes that do not fit or an `out`
 * of another shape; DTYPE for a bool operand or an `out` of another dtype; MEMORY. */
KAEL_API KAEL_NODISCARD kael_status kael_matmul(kael_tensor **out, const kael_tensor *a,
                                                const kael_tensor *b);
KAEL_API KAEL_NODISCARD kael_status kael_matmul_into(kael_tensor *out, const kael_tensor *a,
                                                     const kael_tensor *b);

/* c = beta * c + alpha * a * b for a of m x k, b of k x n and c of m x n elements.
 *
 * Strides are in elements and may be zero (a repeated row or column of a or b) or negative; that of
 * a dimension of size 1 or 0 has no meaning and may be any number. The pointers name element (0, 0)
 * and are multiples of the element's size. No operand is copied as a whole. c must not overlap a or
 * b, and no two of its elements may share memory.
 *
 * c is first multiplied by beta (beta 0 writes zeros and does not read c); then each chain of the
 * product (see README.md) adds the rounded alpha * sum. alpha 0 reads neither a nor b. The bits
 * of an element depend on its row of a, its column of b, k, alpha, beta and c alone. Where the
 * caller's mode takes denormal numbers for zero, that holds for the operations that are performed:
 * beta 1 performs none. Exception flags and traps are as for kael_matmul.
 *
 * Errors: VALUE for a negative size, for a NULL or misaligned pointer where elements would be read
 * or written, and for a malformed KAEL_ISA or KAEL_NUM_THREADS;
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
