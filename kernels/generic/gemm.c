#include "kernels/gemm.h"
extern const kael_gemm_kernel kael_gemm_f32_generic;
extern const kael_gemm_kernel kael_gemm_f64_generic;
const kael_gemm_kernel kael_gemm_f32_generic = {.name = "generic"};
const kael_gemm_kernel kael_gemm_f64_generic = {.name = "generic"};
