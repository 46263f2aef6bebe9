/* BLIS's own matrix product, for comparison. */
#ifndef KAEL_LINALG_BLIS_H
#define KAEL_LINALG_BLIS_H

#include "kael/dtype.h"
#include "kael/matmul_versions.h"
#include "kael/status.h"

/* out += a * b on the threads of kael_get_num_threads. UNSUPPORTED when built without BLIS. */
KAEL_NODISCARD kael_status kael_blis_gemm(kael_dtype dtype, const kael_matmul_sizes *sizes,
                                          const void *a, const void *b, void *out);

#endif
