/* Gradients of matrix products. */
#ifndef KAEL_LINALG_MATMUL_GRADIENT_H
#define KAEL_LINALG_MATMUL_GRADIENT_H

#include "tensor/graph.h"

/* Records that *out is kael_matmul of a and b, if that is to be recorded. Errors: MEMORY; *out is
 * then released and NULL. */
KAEL_NODISCARD kael_status kael_matmul_record(kael_tensor **out, const kael_tensor *a,
                                              const kael_tensor *b);

#endif
