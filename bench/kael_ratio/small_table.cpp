#include "markdown.hpp"
#include "matmul_versions.hpp"
#include "product_row.hpp"
#include "tables.hpp"

namespace bench {

namespace {

constexpr std::int64_t SIZES[] = {4, 8, 16, 32, 64};

std::vector<std::string> headers(int threads) {
    std::vector<std::string> headers = {"n", "kael, 1 thread", "kael, " + threads_text(threads),
                                        "time on " + std::to_string(threads) + " / 1"};
    for (const Opponent &opponent : opponents()) {
        headers.push_back(opponent.name + ", 1 thread");
    }
    headers.push_back("kael / best opponent, 1 thread");
    return headers;
}

template <typename T> std::vector<std::string> measure(const Settings &settings, std::int64_t n) {
    const MatmulVersion<T> &multiply = matmul_versions<T>().back();
    Problem<T> problem({n, n, n});
    ProductRow<T> row(problem);
    row.add("one", 1, [&] { multiply.multiply(problem.product()); });
    row.add("all", settings.threads, [&] { multiply.multiply(problem.product()); });
    row.add_opponents(1);
    row.run(settings.plan);
    std::vector<std::string> cells = {std::to_string(n), decimal(row.gflops("one"), 2),
                                      decimal(row.gflops("all"), 2),
                                      decimal(row.speedup("one", "all"), 3)};
    for (const Opponent &opponent : opponents()) {
        cells.push_back(decimal(row.gflops(opponent.name), 2));
    }
    cells.push_back(decimal(row.speedup_over_best_opponent("one"), 2));
    return cells;
}

template <typename T> void print_table(const Settings &settings) {
    const MarkdownTable table("Small square products, " + std::string(Element<T>::name) +
                                  ", GFLOP/s",
                              headers(settings.threads));
    for (const std::int64_t n : SIZES) {
        table.row(measure<T>(settings, n));
    }
}

} // namespace

void print_small_tables(const Settings &settings) {
    print_table<float>(settings);
    print_table<double>(settings);
}

} // namespace bench
