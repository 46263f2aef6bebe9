/* What a build without BLIS says. */

#include <stddef.h>

#include "core/error.h"
#include "linalg/blis.h"
#include "linalg/kernel_choice.h"

const kael_gemm_kernel *kael_gemm_blis_kernel(kael_dtype dtype) {
    (void)dtype;
    return NULL;
}

kael_status kael_blis_gemm(kael_dtype dtype, const kael_matmul_sizes *sizes, const void *a,
                           const void *b, void *out) {
    (void)dtype;
    (void)sizes;
    (void)a;
    (void)b;
    (void)out;
    return kael_error(KAEL_ERROR_UNSUPPORTED,
                      "kael was built without BLIS; configure it with -Dkernels=blis");
}
