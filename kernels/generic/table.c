#include "kernels/kernels.h"

extern const kael_gemm_kernel kael_gemm_f32_generic;
extern const kael_gemm_kernel kael_gemm_f64_generic;
extern const kael_gemm_kernel kael_gemm_u32_generic;
extern const kael_gemm_kernel kael_gemm_u64_generic;
extern const kael_gemm_kernel kael_gemm_f32_generic_4x4;
extern const kael_gemm_kernel kael_gemm_f64_generic_4x4;
extern const kael_nn_kernels kael_nn_f32_generic;
extern const kael_nn_kernels kael_nn_f64_generic;
extern const kael_copy_kernels kael_copy_generic;
extern const kael_elementary_maps kael_elementary_maps_f32_generic;
extern const kael_elementary_maps kael_elementary_maps_f64_generic;
extern const kael_elementwise_set kael_elementwise_generic;
extern const kael_indexing_kernels kael_indexing_generic;
extern const kael_compare_kernels kael_compare_generic;
extern const kael_random_kernels kael_random_generic;
extern const kael_reduce_kernels kael_reduce_generic;
extern const kael_normalize_kernels kael_normalize_f32_generic;
extern const kael_normalize_kernels kael_normalize_f64_generic;
extern const kael_softmax_kernels kael_softmax_f32_generic;
extern const kael_softmax_kernels kael_softmax_f64_generic;
extern const kael_kernels kael_kernels_generic;

const kael_kernels kael_kernels_generic = {
    .name = "generic",
    .gemm_f32 = &kael_gemm_f32_generic,
    .gemm_f64 = &kael_gemm_f64_generic,
    .gemm_u32 = &kael_gemm_u32_generic,
    .gemm_u64 = &kael_gemm_u64_generic,
    .gemm_f32_scalar = &kael_gemm_f32_generic_4x4,
    .gemm_f64_scalar = &kael_gemm_f64_generic_4x4,
    .nn_f32 = &kael_nn_f32_generic,
    .nn_f64 = &kael_nn_f64_generic,
    .elementary_f32 = &kael_elementary_maps_f32_generic,
    .elementary_f64 = &kael_elementary_maps_f64_generic,
    .copy = &kael_copy_generic,
    .elementwise = &kael_elementwise_generic,
    .indexing = &kael_indexing_generic,
    .compare = &kael_compare_generic,
    .random = &kael_random_generic,
    .reduce = &kael_reduce_generic,
    .normalize_f32 = &kael_normalize_f32_generic,
    .normalize_f64 = &kael_normalize_f64_generic,
    .softmax_f32 = &kael_softmax_f32_generic,
    .softmax_f64 = &kael_softmax_f64_generic,
};
