/* Comparing whole tensors. The operations that compare element by element are in ops.h.
 *
 * Errors: VALUE for NULL and for tolerances that are negative or NaN; SHAPE; MEMORY; those of
 * kael_parallel_for. On an error the result is not written. */
#ifndef KAEL_COMPARE_H
#define KAEL_COMPARE_H

#include <stdbool.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* Whether the tensors have the same dtype, the same shape and elements of the same bytes, in
 * whatever layouts: -0 differs from +0. Every NaN equals every NaN, since which one an operation
 * gives is not part of its definition. */
KAEL_API KAEL_NODISCARD kael_status kael_equal(bool *result, const kael_tensor *a,
                                               const kael_tensor *b);

/* Whether |a - b| <= atol + rtol * |b| for all pairs of elements, NumPy's allclose. The tensors
 * broadcast together (SHAPE if they do not) and may have different dtypes; all is computed in f64,
 * to which i64 and u64 are rounded. Infinities are close to themselves alone; NaN is close to NaN
 * if equal_nan. */
KAEL_API KAEL_NODISCARD kael_status kael_allclose(bool *result, const kael_tensor *a,
                                                  const kael_tensor *b, double rtol, double atol,
                                                  bool equal_nan);

KAEL_END_DECLS

#endif
