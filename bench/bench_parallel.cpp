#include <set>

#include "bench_common.hpp"
#include "regions.hpp"

namespace bench {

namespace {

void add_region(const std::string &who, void (*region)(int), int threads) {
    const std::string name = "BM_EmptyRegion<" + who + ">/threads:" + std::to_string(threads);
    add_benchmark(name, [=](benchmark::State &state) {
        use_threads(threads);
        run_loop(state, [=] { region(threads); });
    });
}

} // namespace

void register_parallel_benchmarks() {
    for (const int threads : std::set<int>{2, default_threads()}) {
        add_region("kael", empty_kael_region, threads);
        add_region("openmp", empty_openmp_region, threads);
    }
}

} // namespace bench
