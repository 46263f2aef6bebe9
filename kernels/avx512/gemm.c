#include "kernels/gemm.h"
extern const kael_gemm_kernel kael_gemm_f32_avx512;
extern const kael_gemm_kernel kael_gemm_f64_avx512;
const kael_gemm_kernel kael_gemm_f32_avx512 = {.name = "avx512"};
const kael_gemm_kernel kael_gemm_f64_avx512 = {.name = "avx512"};
