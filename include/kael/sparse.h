/* Value-compressed sparse matrices.
 *
 * VCSC cuts a matrix into columns, VCSR into rows: these slices run along the major dimension, the
 * positions in them along the minor one. A slice stores each distinct value once, in ascending
 * order, followed by the ascending positions where it stands, so that count data with many repeats
 * take few bytes. Values are told apart and ordered by IEEE's total order: -0 before +0, NaN at the
 * ends. An entry that is stored takes part in arithmetic even if it is zero; one that is not stored
 * takes none.
 *
 * Four arrays hold a matrix: the groups of slice j are major_ptr[j] .. major_ptr[j + 1] - 1, and
 * values[g] stands at indices[value_ptr[g]] .. indices[value_ptr[g + 1] - 1] of its slice.
 *
 * Checking arrays, regrouping, and writing CSC, CSR or COO take memory of up to 8 bytes for each
 * row or column along the minor dimension.
 *
 * Matrices never change and are counted; different threads may use one. Arrays that come in or go
 * out are one-dimensional tensors.
 *
 * Errors of all: VALUE if a pointer is NULL or KAEL_ISA or KAEL_NUM_THREADS is malformed; MEMORY.
 * On an error every result pointer is NULL, and an existing tensor is unchanged. */
#ifndef KAEL_SPARSE_H
#define KAEL_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

typedef enum kael_vcs_orientation {
    KAEL_VCSC = 0, /* slices are columns */
    KAEL_VCSR = 1  /* slices are rows */
} kael_vcs_orientation;

typedef struct kael_vcs kael_vcs;

/* ---- Construction ---- */

/* A matrix on existing arrays, without a copy: it keeps the tensors, whose elements must not change
 * from then on. major_ptr and value_ptr are i64; indices are i32, or i64, which a minor dimension
 * beyond 2^31 needs; all are contiguous. The whole content is checked.
 *
 * Errors: VALUE for an unknown orientation; SHAPE for negative sizes and for lengths that disagree;
 * DTYPE; UNSUPPORTED for an array that is not contiguous; INDEX for a position out of range; VALUE
 * for pointers that do not start at 0, decrease, leave a group empty or do not end with the array,
 * and for values or positions that do not ascend. The message names the entry. */
KAEL_API KAEL_NODISCARD kael_status
kael_vcs_from_arrays(kael_vcs **out, kael_vcs_orientation orientation, int64_t rows,
                     int64_t columns, const kael_tensor *major_ptr, const kael_tensor *values,
                     const kael_tensor *value_ptr, const kael_tensor *indices);

/* From coordinates in any order; values of the same position are added in the order in which they
 * come, each sum rounded to the dtype (integers wrap, bool is "or"). The indices are i32 or i64.
 * Errors: VALUE for an unknown orientation; SHAPE for negative sizes and lengths that differ;
 * DTYPE; INDEX for an index out of range. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_from_coo(
    kael_vcs **out, kael_vcs_orientation orientation, int64_t rows, int64_t columns,
    const kael_tensor *row_indices, const kael_tensor *column_indices, const kael_tensor *values);

/* From compressed columns or rows, in either orientation. Pointers and indices are i32 or i64; the
 * indices of a column or row ascend, and none repeats.
 * Errors: as of kael_vcs_from_coo; VALUE for pointers that do not start at 0, decrease or do not
 * end with the arrays, and for indices that do not ascend. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_from_csc(
    kael_vcs **out, kael_vcs_orientation orientation, int64_t rows, int64_t columns,
    const kael_tensor *column_ptr, const kael_tensor *row_indices, const kael_tensor *values);
KAEL_API KAEL_NODISCARD kael_status kael_vcs_from_csr(
    kael_vcs **out, kael_vcs_orientation orientation, int64_t rows, int64_t columns,
    const kael_tensor *row_ptr, const kael_tensor *column_indices, const kael_tensor *values);

/* The elements of a matrix in any layout that are not zero (NaN is not).
 * Errors: VALUE for an unknown orientation; SHAPE unless it has two dimensions. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_from_dense(kael_vcs **out,
                                                        kael_vcs_orientation orientation,
                                                        const kael_tensor *dense);

/* Adds an owner; returns the matrix. NULL is fine. */
KAEL_API kael_vcs *kael_vcs_retain(kael_vcs *matrix);

/* Gives up one owner's hold; the last one frees the matrix. NULL is fine. */
KAEL_API void kael_vcs_release(kael_vcs *matrix);

/* ---- What a matrix is; the argument must not be NULL ---- */

KAEL_API kael_vcs_orientation kael_vcs_get_orientation(const kael_vcs *matrix);
KAEL_API kael_dtype kael_vcs_dtype(const kael_vcs *matrix);
KAEL_API int64_t kael_vcs_rows(const kael_vcs *matrix);
KAEL_API int64_t kael_vcs_columns(const kael_vcs *matrix);

/* Stored entries, zeros among them. */
KAEL_API int64_t kael_vcs_nnz(const kael_vcs *matrix);

/* The bytes of the four arrays. */
KAEL_API int64_t kael_vcs_nbytes(const kael_vcs *matrix);

/* The four arrays, which live as long as the matrix and must not be written. */
KAEL_API const kael_tensor *kael_vcs_major_ptr(const kael_vcs *matrix);
KAEL_API const kael_tensor *kael_vcs_values(const kael_vcs *matrix);
KAEL_API const kael_tensor *kael_vcs_value_ptr(const kael_vcs *matrix);
KAEL_API const kael_tensor *kael_vcs_indices(const kael_vcs *matrix);

/* ---- Conversion ---- */

/* The transpose, in the other orientation, on the same arrays: it costs the same for any size. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_transpose(kael_vcs **out, const kael_vcs *matrix);

/* The same matrix on arrays of its own. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_copy(kael_vcs **out, const kael_vcs *matrix);

/* The same matrix in another dtype, by the rules of kael_tensor_to_dtype; entries that become zero
 * stay stored. Arrays that stay the same are shared. Errors: DTYPE for an unknown dtype. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_to_dtype(kael_vcs **out, const kael_vcs *matrix,
                                                      kael_dtype dtype);

/* The same matrix in an orientation: itself, or regrouped. Errors: VALUE for an unknown one. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_to_orientation(kael_vcs **out, const kael_vcs *matrix,
                                                            kael_vcs_orientation orientation);

/* The stored entries as coordinates, ascending by row and column within slices: by row first for
 * VCSR, by column first for VCSC. Indices are i32, or i64 where a size needs it. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_to_coo(kael_tensor **row_indices,
                                                    kael_tensor **column_indices,
                                                    kael_tensor **values, const kael_vcs *matrix);

/* The stored entries as compressed columns or rows, from either orientation, ascending; pointers
 * are i64, indices i32, or i64 where the size needs it. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_to_csc(kael_tensor **column_ptr,
                                                    kael_tensor **row_indices, kael_tensor **values,
                                                    const kael_vcs *matrix);
KAEL_API KAEL_NODISCARD kael_status kael_vcs_to_csr(kael_tensor **row_ptr,
                                                    kael_tensor **column_indices,
                                                    kael_tensor **values, const kael_vcs *matrix);

/* A row-major matrix with zeros where nothing is stored. Errors: SHAPE if it has too many bytes. */
KAEL_API KAEL_NODISCARD kael_status kael_vcs_to_dense(kael_tensor **out, const kael_vcs *matrix);

KAEL_END_DECLS

#endif
