/* Gradients of the operations of kael/indexing.h. Each function records that *out is the result of
 * the operation of its name, if that is to be recorded. Errors: MEMORY; *out is then released and
 * NULL. */
#ifndef KAEL_OPS_INDEXING_GRADIENT_H
#define KAEL_OPS_INDEXING_GRADIENT_H

#include "tensor/graph.h"

KAEL_NODISCARD kael_status kael_index_select_record(kael_tensor **out, const kael_tensor *tensor,
                                                    int64_t dim, const kael_tensor *indices);
KAEL_NODISCARD kael_status kael_gather_record(kael_tensor **out, const kael_tensor *tensor,
                                              int64_t dim, const kael_tensor *indices);
KAEL_NODISCARD kael_status kael_scatter_add_record(kael_tensor **out, const kael_tensor *tensor,
                                                   int64_t dim, const kael_tensor *indices,
                                                   const kael_tensor *source);

/* `dim` is from 0 on. */
KAEL_NODISCARD kael_status kael_cat_record(kael_tensor **out, int64_t count,
                                           const kael_tensor *const *tensors, int64_t dim);
KAEL_NODISCARD kael_status kael_stack_record(kael_tensor **out, int64_t count,
                                             const kael_tensor *const *tensors, int64_t dim);

KAEL_NODISCARD kael_status kael_triangle_record(kael_tensor **out, const kael_tensor *tensor,
                                                int64_t k, bool upper);

#endif
