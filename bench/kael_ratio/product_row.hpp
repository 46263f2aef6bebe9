#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "contest.hpp"
#include "opponents.hpp"
#include "peaks.hpp"

namespace bench {

// One row of a table: a product done by several contestants, known by name. Absent opponents and
// names that were not added give NaN.
template <typename T> class ProductRow {
  public:
    explicit ProductRow(Problem<T> &problem) : problem_(problem), agreement_(problem) {}

    void add(const std::string &name, int threads, const std::function<void()> &call) {
        use_threads(threads);
        agreement_.require(name, call);
        numbers_[name] = contest_.add(threads, call);
    }

    // The opponents' gemm, under their names, if present.
    void add_opponents(int threads) {
        for (const Opponent &opponent : opponents()) {
            if (opponent.present) {
                add(opponent.name, threads, [&] { opponent.gemm(problem_.product()); });
            }
        }
    }

    // Something that is not the product, such as a peak.
    void add_yardstick(const std::string &name, int threads, const std::function<void()> &call) {
        numbers_[name] = contest_.add(threads, call);
    }

    void run(const Plan &plan) {
        contest_.run(plan);
    }

    double seconds(const std::string &name) const {
        const auto found = numbers_.find(name);
        return found == numbers_.end() ? std::nan("") : contest_.seconds(found->second);
    }

    double gflops(const std::string &name) const {
        return problem_.product().sizes.flops() / seconds(name) / 1e9;
    }

    double speedup(const std::string &name, const std::string &other) const {
        const auto own = numbers_.find(name);
        const auto others = numbers_.find(other);
        const bool both = own != numbers_.end() && others != numbers_.end();
        return both ? contest_.speedup(own->second, others->second) : std::nan("");
    }

    // Against whichever opponent leaves the least.
    double speedup_over_best_opponent(const std::string &name) const {
        double least = std::nan("");
        for (const Opponent &opponent : opponents()) {
            least = std::fmin(least, speedup(name, opponent.name)); // fmin passes over NaN
        }
        return least;
    }

  private:
    Problem<T> &problem_;
    Agreement<T> agreement_;
    Contest contest_;
    std::map<std::string, std::size_t> numbers_;
};

} // namespace bench
