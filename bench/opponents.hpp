// The BLAS libraries that kael is measured against. They are loaded at run time, so that their
// symbols clash with nobody's and the programs run without them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "problem.hpp"

namespace bench {

// The C interface of BLAS, with its enumerations as int.
template <typename T> struct Cblas {
    void (*gemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha,
                 const T *a, int lda, const T *b, int ldb, T beta, T *c, int ldc) = nullptr;
    void (*gemv)(int order, int transpose_a, int m, int n, T alpha, const T *a, int lda, const T *x,
                 int incx, T beta, T *y, int incy) = nullptr;
};

struct Opponent {
    std::string name;
    std::string description; // file, version and kernels that run; why there is none, if absent
    bool present = false;
    std::function<void(int)> set_threads;
    Cblas<float> f32;
    Cblas<double> f64;

    void gemm(const Product<float> &product) const;
    void gemm(const Product<double> &product) const;

    // The same product through gemv; n or m must be 1.
    void gemv(const Product<float> &product) const;
    void gemv(const Product<double> &product) const;
};

// OpenBLAS and BLIS, present or not. The first call loads them, and must come before threads start.
// KAEL_BENCH_OPENBLAS and KAEL_BENCH_BLIS name the files; throws if a named file is unusable.
const std::vector<Opponent> &opponents();

// Sets the threads of kael and of all opponents.
void use_threads(int threads);

} // namespace bench
