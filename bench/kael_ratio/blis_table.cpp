#include <cstdio>

#include "check.hpp"
#include "markdown.hpp"
#include "matmul_versions.hpp"
#include "product_row.hpp"
#include "tables.hpp"

namespace bench {

namespace {

constexpr std::int64_t SIDE = 1024;

// Steps of a chain in the definition of a product (README.md).
std::int64_t chain_length(std::int64_t k) {
    if (k < 512) {
        return k;
    }
    const std::int64_t blocks = (k + 2047) / 2048;
    return (k + 8 * blocks - 1) / (8 * blocks);
}

bool kael_has_blis() {
    const float one = 1;
    float out = 0;
    const kael_matmul_sizes sizes = {1, 1, 1};
    const kael_status status = matmul_blis<float>().function(&one, &one, &out, &sizes);
    if (status != KAEL_ERROR_UNSUPPORTED) {
        check(status);
    }
    return status == KAEL_OK;
}

template <typename T> const MatmulVersion<T> &loop_nest() {
    for (const MatmulVersion<T> &version : matmul_versions<T>()) {
        if (std::string(version.name) == "v6_threaded") {
            return version;
        }
    }
    throw std::logic_error("no v6_threaded");
}

template <typename T> std::vector<std::string> measure(const Settings &settings, std::int64_t k) {
    Problem<T> problem({SIDE, k, SIDE});
    ProductRow<T> row(problem);
    row.add("kael", 1, [&] { loop_nest<T>().multiply(problem.product()); });
    row.add("BLIS", 1, [&] { matmul_blis<T>().multiply(problem.product()); });
    row.run(settings.plan);
    return {std::to_string(k), std::to_string(chain_length(k)), decimal(row.gflops("kael"), 1),
            decimal(row.gflops("BLIS"), 1), decimal(row.speedup("kael", "BLIS"), 3)};
}

template <typename T> void print_table(const Settings &settings) {
    const MarkdownTable table(
        "kael's loop nest over BLIS's kernels, m = n = " + std::to_string(SIDE) + ", " +
            Element<T>::name + ", 1 thread, GFLOP/s",
        {"k", "chain", "kael", "BLIS's gemm", "kael / BLIS"});
    const std::vector<std::int64_t> all = {64, 128, 256, 500, 511, 512, 1024, 1536, 2048, 4096};
    const std::vector<std::int64_t> few = {64, 256, 511, 512, 1024, 2048};
    for (const std::int64_t k : settings.quick ? few : all) {
        table.row(measure<T>(settings, k));
    }
}

} // namespace

void print_blis_tables(const Settings &settings) {
    if (!kael_has_blis()) {
        std::puts("\nBLIS's kernels in kael's loop nest: not in this build of kael "
                  "(-Dkernels=blis has them)");
        return;
    }
    print_table<float>(settings);
    print_table<double>(settings);
}

} // namespace bench
