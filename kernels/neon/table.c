#include "kernels/kernels.h"

extern const kael_gemm_kernel kael_gemm_f32_neon;
extern const kael_gemm_kernel kael_gemm_f64_neon;
extern const kael_gemm_kernel kael_gemm_u32_neon;
extern const kael_gemm_kernel kael_gemm_u64_neon;
extern const kael_gemm_kernel kael_gemm_f32_neon_4x4;
extern const kael_gemm_kernel kael_gemm_f64_neon_4x4;
extern const kael_nn_kernels kael_nn_f32_neon;
extern const kael_nn_kernels kael_nn_f64_neon;
extern const kael_copy_kernels kael_copy_neon;
extern const kael_elementary_maps kael_elementary_maps_f32_neon;
extern const kael_elementary_maps kael_elementary_maps_f64_neon;
extern const kael_elementwise_set kael_elementwise_neon;
extern const kael_indexing_kernels kael_indexing_neon;
extern const kael_compare_kernels kael_compare_neon;
extern const kael_random_kernels kael_random_neon;
extern const kael_reduce_kernels kael_reduce_neon;
extern const kael_normalize_kernels kael_normalize_f32_neon;
extern const kael_normalize_kernels kael_normalize_f64_neon;
extern const kael_softmax_kernels kael_softmax_f32_neon;
extern const kael_softmax_kernels kael_softmax_f64_neon;
extern const kael_kernels kael_kernels_neon;

const kael_kernels kael_kernels_neon = {
    .name = "neon",
    .gemm_f32 = &kael_gemm_f32_neon,
    .gemm_f64 = &kael_gemm_f64_neon,
    .gemm_u32 = &kael_gemm_u32_neon,
    .gemm_u64 = &kael_gemm_u64_neon,
    .gemm_f32_scalar = &kael_gemm_f32_neon_4x4,
    .gemm_f64_scalar = &kael_gemm_f64_neon_4x4,
    .nn_f32 = &kael_nn_f32_neon,
    .nn_f64 = &kael_nn_f64_neon,
    .elementary_f32 = &kael_elementary_maps_f32_neon,
    .elementary_f64 = &kael_elementary_maps_f64_neon,
    .copy = &kael_copy_neon,
    .elementwise = &kael_elementwise_neon,
    .indexing = &kael_indexing_neon,
    .compare = &kael_compare_neon,
    .random = &kael_random_neon,
    .reduce = &kael_reduce_neon,
    .normalize_f32 = &kael_normalize_f32_neon,
    .normalize_f64 = &kael_normalize_f64_neon,
    .softmax_f32 = &kael_softmax_f32_neon,
    .softmax_f64 = &kael_softmax_f64_neon,
};
