#include "kernels/gemm.h"
extern const kael_gemm_kernel kael_gemm_f32_avx2;
extern const kael_gemm_kernel kael_gemm_f64_avx2;
const kael_gemm_kernel kael_gemm_f32_avx2 = {.name = "avx2"};
const kael_gemm_kernel kael_gemm_f64_avx2 = {.name = "avx2"};
