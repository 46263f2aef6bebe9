/* What softmax needs to know of each row: its largest element and its total, as kernels/softmax.h
 * defines them. */
#ifndef KAEL_NN_ROW_STATISTICS_H
#define KAEL_NN_ROW_STATISTICS_H

#include <stdbool.h>

#include "kernels/softmax.h"
#include "nn/row_matrix.h"

/* The kernels in use for f32 or f64. Errors: VALUE if KAEL_ISA is malformed. */
KAEL_NODISCARD kael_status kael_softmax_kernels_for(const kael_softmax_kernels **kernels,
                                                    kael_dtype dtype);

/* Whether threads had better share each row than the rows; from the sizes alone. */
bool kael_rows_are_few_and_long(const kael_row_matrix *matrix);

/* The grain of a loop over rows: several rows together where there are many, because kernels fetch
 * the next row ahead. */
int64_t kael_row_grain(const kael_row_matrix *matrix);

/* One row, cut into blocks that threads share; the exponentials go to `out`, which may be the row,
 * unless it is NULL. Errors: MEMORY, and those of kael_parallel_for. */
KAEL_NODISCARD kael_status kael_long_row_statistics(const kael_softmax_kernels *kernels,
                                                    const kael_row_matrix *matrix, int64_t row,
                                                    void *out, void *largest, void *total);

/* The largest elements and the totals of all rows, arrays of the matrix's dtype. Errors as above.
 */
KAEL_NODISCARD kael_status kael_row_statistics(const kael_softmax_kernels *kernels,
                                               const kael_row_matrix *matrix, void *largest,
                                               void *totals);

#endif
