// Products of a matrix and a vector, in every layout.
#pragma once

#include <string>
#include <vector>

#include "problem.hpp"

namespace bench {

// "Along k" means that neighbours in k are neighbours in memory. A matrix across k has them one
// column or row apart; a vector across k is a column of a matrix that is 16 elements wide.
struct MatvecCase {
    Sizes sizes; // n or m is 1
    bool matrix_along_k;
    bool vector_along_k;

    std::string shape() const;  // m x k x n
    std::string layout() const; // of the matrix, then of the vector
};

const std::vector<MatvecCase> &matvec_cases();

template <typename T> class MatvecProblem {
  public:
    explicit MatvecProblem(const MatvecCase &matvec);

    const Product<T> &product() const {
        return problem_.product();
    }
    Problem<T> &problem() {
        return problem_;
    }
    const Buffer<T> &matrix() const {
        return on_the_right_ ? problem_.a() : problem_.b();
    }

  private:
    bool on_the_right_; // the vector
    Problem<T> problem_;
};

} // namespace bench
