// What the benchmarks of kael_bench share.
#pragma once

#include <benchmark/benchmark.h>

#include <exception>
#include <string>

#include "opponents.hpp"
#include "peaks.hpp"
#include "stopwatch.hpp"

namespace bench {

void register_compare_benchmarks();
void register_elementwise_benchmarks();
void register_matmul_benchmarks();
void register_matvec_benchmarks();
void register_parallel_benchmarks();
void register_tensor_matmul_benchmarks();
void register_training_benchmarks();
void register_view_benchmarks();

// kael's count at the start: KAEL_NUM_THREADS or detection.
int default_threads();

// Set when a benchmark ended in an exception.
extern bool benchmark_failed;

// Registers a benchmark in wall-clock time; an exception in it becomes the benchmark's error.
template <typename Body>
benchmark::internal::Benchmark *add_benchmark(const std::string &name, Body body) {
    return benchmark::RegisterBenchmark(name.c_str(),
                                        [body](benchmark::State &state) {
                                            try {
                                                body(state);
                                            } catch (const std::exception &error) {
                                                benchmark_failed = true;
                                                state.SkipWithError(error.what());
                                            }
                                        })
        ->UseRealTime();
}

// The same for an opponent, which may be absent.
template <typename Body>
benchmark::internal::Benchmark *add_opponent_benchmark(const std::string &name,
                                                       const Opponent &opponent, Body body) {
    return add_benchmark(name, [body, &opponent](benchmark::State &state) {
        if (!opponent.present) {
            state.SkipWithError((opponent.name + " is " + opponent.description).c_str());
            return;
        }
        body(state);
    });
}

// "BM_Name<a, b>"
inline std::string template_name(const std::string &name, const std::string &first,
                                 const std::string &second) {
    return name + "<" + first + ", " + second + ">";
}

// Runs the benchmark's loop; returns its wall-clock seconds.
template <typename Call> double run_loop(benchmark::State &state, const Call &call) {
    call(); // wakes threads and fills caches
    const Stopwatch watch;
    for (auto _ : state) {
        call();
    }
    return watch.seconds();
}

// `work` per iteration as a rate, and the rate as a fraction of `limit`, work per second.
inline void report_rate(benchmark::State &state, const char *name, double work, double seconds,
                        const char *fraction, double limit) {
    const double total = work * static_cast<double>(state.iterations());
    state.counters[name] = benchmark::Counter(total / seconds);
    state.counters[fraction] = benchmark::Counter(total / seconds / limit);
}

// Times a product on `threads` threads; the peak is measured before and after.
template <typename T, typename Call>
void time_product(benchmark::State &state, const Sizes &sizes, int threads, const Call &call) {
    use_threads(threads);
    const FmaPeak<T> peak(threads);
    const double before = peak.measure();
    const double seconds = run_loop(state, call);
    const double after = peak.measure();
    report_rate(state, "FLOPS", sizes.flops(), seconds, "of_peak", (before + after) / 2);
}

} // namespace bench
