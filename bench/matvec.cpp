#include "matvec.hpp"

namespace bench {

namespace {

constexpr std::int64_t VECTOR_STEP = 16;

Strides strides_of_a(const MatvecCase &matvec) {
    const Sizes &sizes = matvec.sizes;
    if (sizes.m == 1) {
        return matvec.vector_along_k ? Strides{sizes.k, 1} : Strides{1, VECTOR_STEP};
    }
    return matvec.matrix_along_k ? Strides{sizes.k, 1} : Strides{1, sizes.m};
}

// Seen as the transpose, b is what a is.
Strides strides_of_b(const MatvecCase &matvec) {
    const Sizes &sizes = matvec.sizes;
    if (sizes.n == 1) {
        return matvec.vector_along_k ? Strides{1, 1} : Strides{VECTOR_STEP, 1};
    }
    return matvec.matrix_along_k ? Strides{1, sizes.k} : Strides{sizes.n, 1};
}

} // namespace

std::string MatvecCase::shape() const {
    return std::to_string(sizes.m) + "x" + std::to_string(sizes.k) + "x" + std::to_string(sizes.n);
}

std::string MatvecCase::layout() const {
    return std::string(matrix_along_k ? "along" : "across") + "," +
           (vector_along_k ? "along" : "across");
}

const std::vector<MatvecCase> &matvec_cases() {
    static const std::vector<MatvecCase> cases = [] {
        std::vector<MatvecCase> all;
        for (const Sizes &sizes : {Sizes{4096, 4096, 1}, Sizes{1000, 1000, 1}, Sizes{1, 1000, 1000},
                                   Sizes{1, 4096, 4096}}) {
            for (const bool matrix_along_k : {true, false}) {
                for (const bool vector_along_k : {true, false}) {
                    all.push_back({sizes, matrix_along_k, vector_along_k});
                }
            }
        }
        return all;
    }();
    return cases;
}

template <typename T>
MatvecProblem<T>::MatvecProblem(const MatvecCase &matvec)
    : on_the_right_(matvec.sizes.n == 1),
      problem_(matvec.sizes, strides_of_a(matvec), strides_of_b(matvec)) {}

template class MatvecProblem<float>;
template class MatvecProblem<double>;

} // namespace bench
