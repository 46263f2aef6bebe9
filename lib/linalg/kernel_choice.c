#include "linalg/kernel_choice.h"

#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"

static const kael_gemm_kernel *builtin_kernel(const kael_kernels *kernels, kael_dtype dtype) {
    switch (dtype) {
    case KAEL_F32:
        return kernels->gemm_f32;
    case KAEL_I32:
        return kernels->gemm_u32;
    case KAEL_I64:
        return kernels->gemm_u64;
    default:
        return kernels->gemm_f64;
    }
}

static const kael_gemm_kernel *scalar_kernel(const kael_kernels *kernels, kael_dtype dtype) {
    return dtype == KAEL_F32   ? kernels->gemm_f32_scalar
           : dtype == KAEL_F64 ? kernels->gemm_f64_scalar
                               : NULL;
}

kael_status kael_gemm_kernels(kael_gemm_choice *choice, kael_dtype dtype) {
    const kael_kernels *kernels = NULL;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const kael_gemm_kernel *blis = kael_gemm_blis_kernel(dtype);
    choice->builtin = builtin_kernel(kernels, dtype);
    choice->packed = blis != NULL ? blis : choice->builtin;
    choice->scalar = scalar_kernel(kernels, dtype);
    choice->copy = kernels->copy->copy[choice->builtin->element_size == 4 ? 2 : 3];
    return KAEL_OK;
}
