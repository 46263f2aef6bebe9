#include "kernels/gemm.h"
extern const kael_gemm_kernel kael_gemm_f32_neon;
extern const kael_gemm_kernel kael_gemm_f64_neon;
const kael_gemm_kernel kael_gemm_f32_neon = {.name = "neon"};
const kael_gemm_kernel kael_gemm_f64_neon = {.name = "neon"};
