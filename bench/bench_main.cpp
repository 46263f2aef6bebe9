// kael_bench: kael's kernels beside other libraries', in Google Benchmark.

#include <cstdio>

#include "bench_common.hpp"
#include "check.hpp"
#include "kael/cpu.h"
#include "kael/parallel.h"
#include "kael/version.h"

namespace bench {

bool benchmark_failed = false;

int default_threads() {
    static const int threads = [] {
        std::int64_t count = 0;
        check(kael_get_num_threads(&count));
        return static_cast<int>(count);
    }();
    return threads;
}

namespace {

void describe_run() {
    benchmark::AddCustomContext("kael", kael_version());
    benchmark::AddCustomContext("kael instruction set", isa_loops().isa);
    benchmark::AddCustomContext("kael threads", std::to_string(default_threads()));
    for (const Opponent &opponent : opponents()) {
        benchmark::AddCustomContext(opponent.name, opponent.description);
    }
}

} // namespace

} // namespace bench

int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    try {
        bench::describe_run();
        bench::register_compare_benchmarks();
        bench::register_elementwise_benchmarks();
        bench::register_matmul_benchmarks();
        bench::register_matvec_benchmarks();
        bench::register_parallel_benchmarks();
        bench::register_tensor_matmul_benchmarks();
        bench::register_training_benchmarks();
        bench::register_view_benchmarks();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "kael_bench: %s\n", error.what());
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return bench::benchmark_failed ? 1 : 0;
}
