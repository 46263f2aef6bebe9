/* Index operands. */
#ifndef KAEL_OPS_INDICES_H
#define KAEL_OPS_INDICES_H

#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"
#include "kernels/indexing.h"

/* KAEL_INDEX_I32 or KAEL_INDEX_I64, the number of an index tensor's dtype in kernel tables. */
int kael_index_type(const kael_tensor *indices);

/* VALUE for NULL; DTYPE unless i32 or i64. */
KAEL_NODISCARD kael_status kael_indices_require(const kael_tensor *indices);

/* SHAPE unless the indices have as many dimensions as `other`, and none longer than its but `dim`;
 * dim -1 is none. */
KAEL_NODISCARD kael_status kael_indices_require_within(const kael_tensor *indices,
                                                       const kael_tensor *other,
                                                       const char *other_name, int64_t dim);

/* INDEX, naming the first of them in row-major order, if there are indices outside of lowest ..
 * size - 1, where lowest is -size or 0; `what` ends the message. Errors also: MEMORY and those of
 * kael_parallel_for. */
KAEL_NODISCARD kael_status kael_indices_check(const kael_tensor *indices, int64_t lowest,
                                              int64_t size, const char *what);

#endif
