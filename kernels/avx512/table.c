#include "kernels/kernels.h"

extern const kael_gemm_kernel kael_gemm_f32_avx512;
extern const kael_gemm_kernel kael_gemm_f64_avx512;
extern const kael_gemm_kernel kael_gemm_u32_avx512;
extern const kael_gemm_kernel kael_gemm_u64_avx512;
extern const kael_gemm_kernel kael_gemm_f32_avx512_4x4;
extern const kael_gemm_kernel kael_gemm_f64_avx512_4x4;
extern const kael_nn_kernels kael_nn_f32_avx512;
extern const kael_nn_kernels kael_nn_f64_avx512;
extern const kael_copy_kernels kael_copy_avx512;
extern const kael_elementary_maps kael_elementary_maps_f32_avx512;
extern const kael_elementary_maps kael_elementary_maps_f64_avx512;
extern const kael_elementwise_set kael_elementwise_avx512;
extern const kael_indexing_kernels kael_indexing_avx512;
extern const kael_compare_kernels kael_compare_avx512;
extern const kael_random_kernels kael_random_avx512;
extern const kael_reduce_kernels kael_reduce_avx512;
extern const kael_normalize_kernels kael_normalize_f32_avx512;
extern const kael_normalize_kernels kael_normalize_f64_avx512;
extern const kael_softmax_kernels kael_softmax_f32_avx512;
extern const kael_softmax_kernels kael_softmax_f64_avx512;
extern const kael_kernels kael_kernels_avx512;

const kael_kernels kael_kernels_avx512 = {
    .name = "avx512",
    .gemm_f32 = &kael_gemm_f32_avx512,
    .gemm_f64 = &kael_gemm_f64_avx512,
    .gemm_u32 = &kael_gemm_u32_avx512,
    .gemm_u64 = &kael_gemm_u64_avx512,
    .gemm_f32_scalar = &kael_gemm_f32_avx512_4x4,
    .gemm_f64_scalar = &kael_gemm_f64_avx512_4x4,
    .nn_f32 = &kael_nn_f32_avx512,
    .nn_f64 = &kael_nn_f64_avx512,
    .elementary_f32 = &kael_elementary_maps_f32_avx512,
    .elementary_f64 = &kael_elementary_maps_f64_avx512,
    .copy = &kael_copy_avx512,
    .elementwise = &kael_elementwise_avx512,
    .indexing = &kael_indexing_avx512,
    .compare = &kael_compare_avx512,
    .random = &kael_random_avx512,
    .reduce = &kael_reduce_avx512,
    .normalize_f32 = &kael_normalize_f32_avx512,
    .normalize_f64 = &kael_normalize_f64_avx512,
    .softmax_f32 = &kael_softmax_f32_avx512,
    .softmax_f64 = &kael_softmax_f64_avx512,
};
