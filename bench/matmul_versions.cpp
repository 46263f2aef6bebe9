#include "matmul_versions.hpp"

#include "check.hpp"
#include "kael/linalg.h"

namespace bench {

template <typename T> void MatmulVersion<T>::multiply(const Product<T> &product) const {
    const Sizes &sizes = product.sizes;
    const kael_matmul_sizes matmul_sizes = {sizes.m, sizes.k, sizes.n};
    check(function(product.a.data, product.b.data, product.out, &matmul_sizes));
}

template struct MatmulVersion<float>;
template struct MatmulVersion<double>;

#define KAEL_LADDER(suffix)                                                                        \
    {                                                                                              \
        {"v1_ijk", kael_matmul_v1_ijk_##suffix, false, 1024},                                      \
            {"v2_ikj", kael_matmul_v2_ikj_##suffix, false, 2048},                                  \
            {"v3_tiled", kael_matmul_v3_tiled_##suffix, false, 2048},                              \
            {"v4_packed", kael_matmul_v4_packed_##suffix, false, INT64_MAX},                       \
            {"v5_simd", kael_matmul_v5_simd_##suffix, false, INT64_MAX},                           \
            {"v6_threaded", kael_matmul_v6_threaded_##suffix, true, INT64_MAX},                    \
            {"multiply", kael_matmul_multiply_##suffix, true, INT64_MAX},                          \
    }

template <> const std::vector<MatmulVersion<float>> &matmul_versions<float>() {
    static const std::vector<MatmulVersion<float>> versions = KAEL_LADDER(f32);
    return versions;
}

template <> const std::vector<MatmulVersion<double>> &matmul_versions<double>() {
    static const std::vector<MatmulVersion<double>> versions = KAEL_LADDER(f64);
    return versions;
}

template <> const MatmulVersion<float> &matmul_blis<float>() {
    static const MatmulVersion<float> version = {"blis", kael_matmul_blis_f32, true, INT64_MAX};
    return version;
}

template <> const MatmulVersion<double> &matmul_blis<double>() {
    static const MatmulVersion<double> version = {"blis", kael_matmul_blis_f64, true, INT64_MAX};
    return version;
}

void kael_gemm(const Product<float> &p) {
    check(kael_gemm_f32(p.sizes.m, p.sizes.n, p.sizes.k, 1, p.a.data, p.a.strides.row,
                        p.a.strides.column, p.b.data, p.b.strides.row, p.b.strides.column, 1, p.out,
                        p.sizes.n, 1));
}

void kael_gemm(const Product<double> &p) {
    check(kael_gemm_f64(p.sizes.m, p.sizes.n, p.sizes.k, 1, p.a.data, p.a.strides.row,
                        p.a.strides.column, p.b.data, p.b.strides.row, p.b.strides.column, 1, p.out,
                        p.sizes.n, 1));
}

} // namespace bench
