#include "kernels/kernels.h"

extern const kael_gemm_kernel kael_gemm_f32_avx2;
extern const kael_gemm_kernel kael_gemm_f64_avx2;
extern const kael_gemm_kernel kael_gemm_u32_avx2;
extern const kael_gemm_kernel kael_gemm_u64_avx2;
extern const kael_gemm_kernel kael_gemm_f32_avx2_4x4;
extern const kael_gemm_kernel kael_gemm_f64_avx2_4x4;
extern const kael_nn_kernels kael_nn_f32_avx2;
extern const kael_nn_kernels kael_nn_f64_avx2;
extern const kael_copy_kernels kael_copy_avx2;
extern const kael_elementary_maps kael_elementary_maps_f32_avx2;
extern const kael_elementary_maps kael_elementary_maps_f64_avx2;
extern const kael_elementwise_set kael_elementwise_avx2;
extern const kael_indexing_kernels kael_indexing_avx2;
extern const kael_compare_kernels kael_compare_avx2;
extern const kael_random_kernels kael_random_avx2;
extern const kael_reduce_kernels kael_reduce_avx2;
extern const kael_normalize_kernels kael_normalize_f32_avx2;
extern const kael_normalize_kernels kael_normalize_f64_avx2;
extern const kael_softmax_kernels kael_softmax_f32_avx2;
extern const kael_softmax_kernels kael_softmax_f64_avx2;
extern const kael_kernels kael_kernels_avx2;

const kael_kernels kael_kernels_avx2 = {
    .name = "avx2",
    .gemm_f32 = &kael_gemm_f32_avx2,
    .gemm_f64 = &kael_gemm_f64_avx2,
    .gemm_u32 = &kael_gemm_u32_avx2,
    .gemm_u64 = &kael_gemm_u64_avx2,
    .gemm_f32_scalar = &kael_gemm_f32_avx2_4x4,
    .gemm_f64_scalar = &kael_gemm_f64_avx2_4x4,
    .nn_f32 = &kael_nn_f32_avx2,
    .nn_f64 = &kael_nn_f64_avx2,
    .elementary_f32 = &kael_elementary_maps_f32_avx2,
    .elementary_f64 = &kael_elementary_maps_f64_avx2,
    .copy = &kael_copy_avx2,
    .elementwise = &kael_elementwise_avx2,
    .indexing = &kael_indexing_avx2,
    .compare = &kael_compare_avx2,
    .random = &kael_random_avx2,
    .reduce = &kael_reduce_avx2,
    .normalize_f32 = &kael_normalize_f32_avx2,
    .normalize_f64 = &kael_normalize_f64_avx2,
    .softmax_f32 = &kael_softmax_f32_avx2,
    .softmax_f64 = &kael_softmax_f64_avx2,
};
