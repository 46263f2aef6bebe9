#include <map>
#include <set>
#include <string>
#include <vector>

#include "markdown.hpp"
#include "matmul_versions.hpp"
#include "product_row.hpp"
#include "tables.hpp"

namespace bench {

namespace {

// Versions that ignore the thread count appear in the table of one thread.
template <typename T> std::vector<MatmulVersion<T>> versions_for(int threads) {
    std::vector<MatmulVersion<T>> chosen;
    for (const MatmulVersion<T> &version : matmul_versions<T>()) {
        if (version.threaded || threads == 1) {
            chosen.push_back(version);
        }
    }
    return chosen;
}

template <typename T> class LadderTable {
  public:
    LadderTable(const Settings &settings, int threads)
        : settings_(settings), threads_(threads), versions_(versions_for<T>(threads)),
          peak_(threads) {}

    void print() {
        const MarkdownTable table("Square products, " + std::string(Element<T>::name) + ", " +
                                      threads_text(threads_) + ", GFLOP/s",
                                  headers());
        const std::vector<std::int64_t> sizes =
            settings_.quick ? std::vector<std::int64_t>{512, 1024}
                            : std::vector<std::int64_t>{256, 512, 1024, 2048};
        for (const std::int64_t n : sizes) {
            table.row(measure(n));
        }
    }

  private:
    std::vector<std::string> headers() const {
        std::vector<std::string> headers = {"n"};
        for (const MatmulVersion<T> &version : versions_) {
            headers.push_back(version.name);
        }
        for (const Opponent &opponent : opponents()) {
            headers.push_back(opponent.name);
        }
        headers.insert(headers.end(),
                       {"FMA peak", "v6 / peak", "v6 / best opponent", "multiply / best opponent"});
        return headers;
    }

    // A version that was slow at the last size is left out of the next one.
    bool takes_too_long(const MatmulVersion<T> &version, const Sizes &sizes) const {
        const auto last = seconds_per_flop_.find(version.name);
        return last != seconds_per_flop_.end() &&
               last->second * sizes.flops() > settings_.plan.contestant_seconds;
    }

    std::vector<std::string> measure(std::int64_t n) {
        const Sizes sizes = {n, n, n};
        Problem<T> problem(sizes);
        ProductRow<T> row(problem);
        for (const MatmulVersion<T> &version : versions_) {
            if (!takes_too_long(version, sizes)) {
                row.add(version.name, threads_, [&] { version.multiply(problem.product()); });
            }
        }
        row.add_opponents(threads_);
        row.add_yardstick("peak", threads_, [this] { peak_.run(); });
        row.run(settings_.plan);
        for (const MatmulVersion<T> &version : versions_) {
            if (!takes_too_long(version, sizes)) {
                seconds_per_flop_[version.name] = row.seconds(version.name) / sizes.flops();
            }
        }
        return cells(row, sizes);
    }

    std::vector<std::string> cells(const ProductRow<T> &row, const Sizes &sizes) const {
        const double peak = peak_.flops() / row.seconds("peak") / 1e9;
        std::vector<std::string> cells = {std::to_string(sizes.n)};
        for (const MatmulVersion<T> &version : versions_) {
            cells.push_back(decimal(row.gflops(version.name), 1));
        }
        for (const Opponent &opponent : opponents()) {
            cells.push_back(decimal(row.gflops(opponent.name), 1));
        }
        // Both did different work in the times of one round.
        const double work = sizes.flops() / peak_.flops();
        cells.push_back(decimal(peak, 1));
        cells.push_back(decimal(row.speedup("v6_threaded", "peak") * work, 3));
        cells.push_back(decimal(row.speedup_over_best_opponent("v6_threaded"), 3));
        cells.push_back(decimal(row.speedup_over_best_opponent("multiply"), 3));
        return cells;
    }

    const Settings &settings_;
    int threads_;
    std::vector<MatmulVersion<T>> versions_;
    FmaPeak<T> peak_;
    std::map<std::string, double> seconds_per_flop_; // by version, at the last size
};

} // namespace

void print_ladder_tables(const Settings &settings) {
    for (const int threads : std::set<int>{1, settings.threads}) {
        LadderTable<float>(settings, threads).print();
        LadderTable<double>(settings, threads).print();
    }
}

} // namespace bench
