/* Sums over the rows of a matrix. */
#ifndef KAEL_NN_COLUMN_SUMS_H
#define KAEL_NN_COLUMN_SUMS_H

#include <stdint.h>

#include "kael/dtype.h"
#include "kael/status.h"

/* out[j] = the sum of column j of a row-major matrix of f32 or f64, by the definition in
 * kernels/nn.h, rounded to the dtype. Errors: MEMORY, before anything is written; VALUE if KAEL_ISA
 * or KAEL_NUM_THREADS is malformed. */
KAEL_NODISCARD kael_status kael_column_sums(int64_t rows, int64_t columns, kael_dtype dtype,
                                            const void *in, void *out);

#endif
