#include "linalg/kernel_choice.h"

#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"

kael_status kael_gemm_kernels(kael_gemm_choice *choice, kael_dtype dtype) {
    const kael_kernels *kernels = NULL;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    choice->builtin = dtype == KAEL_F32 ? kernels->gemm_f32 : kernels->gemm_f64;
    choice->scalar = dtype == KAEL_F32 ? kernels->gemm_f32_scalar : kernels->gemm_f64_scalar;
    const kael_gemm_kernel *blis = kael_gemm_blis_kernel(dtype);
    choice->packed = blis != NULL ? blis : choice->builtin;
    return KAEL_OK;
}
