// The ways in which kael multiplies matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "kael/matmul_versions.h"
#include "problem.hpp"

namespace bench {

template <typename T> struct MatmulVersion {
    const char *name;
    kael_status (*function)(const T *a, const T *b, T *out, const kael_matmul_sizes *sizes);
    bool threaded;
    std::int64_t largest; // square size that still takes only seconds

    // For row-major operands.
    void multiply(const Product<T> &product) const;
};

// v1 to v6, then the dispatch.
template <typename T> const std::vector<MatmulVersion<T>> &matmul_versions();

// BLIS's own product, inside a kael that was configured with its kernels.
template <typename T> const MatmulVersion<T> &matmul_blis();

// kael_gemm_*, for operands of any strides.
void kael_gemm(const Product<float> &product);
void kael_gemm(const Product<double> &product);

} // namespace bench
