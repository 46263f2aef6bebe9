#pragma once

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem.hpp"

namespace bench {

// Makes sure that all ways of computing a product compute that product, within rounding.
template <typename T> class Agreement {
  public:
    explicit Agreement(Problem<T> &problem) : problem_(problem) {}

    // Runs `call`, which adds the product to the problem's out, and compares with the first caller.
    template <typename Call> void require(const std::string &name, const Call &call) {
        problem_.out().clear();
        call();
        const T *out = problem_.out().data();
        if (first_.empty()) {
            first_name_ = name;
            first_.assign(out, out + problem_.out().count());
            return;
        }
        for (std::size_t i = 0; i < first_.size(); ++i) {
            if (!(std::abs(out[i] - first_[i]) <= tolerance())) {
                throw std::runtime_error(difference(name, i));
            }
        }
    }

  private:
    // The operands are below 1: partial sums are about sqrt(k) / 3, and k roundings of them add up
    // to k * epsilon / 6 or so. A missing term is about 1 / 4.
    T tolerance() const {
        return 4 * std::numeric_limits<T>::epsilon() * static_cast<T>(problem_.product().sizes.k);
    }

    std::string difference(const std::string &name, std::size_t i) const {
        std::ostringstream text;
        text.precision(17);
        text << name << " and " << first_name_ << " differ: element " << i << " is "
             << problem_.out().data()[i] << " and " << first_[i];
        return text.str();
    }

    Problem<T> &problem_;
    std::string first_name_;
    std::vector<T> first_;
};

} // namespace bench
