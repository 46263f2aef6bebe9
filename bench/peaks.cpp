#include "peaks.hpp"

#include <algorithm>

#include "check.hpp"
#include "kael/parallel.h"
#include "stopwatch.hpp"

namespace bench {

namespace {

constexpr double RUN_SECONDS = 1e-3;
constexpr int RUNS = 5;

// Makes the compiler believe that somebody wants the value.
template <typename T> void keep(const T &value) {
    asm volatile("" : : "m"(value) : "memory");
}

template <typename T> const FmaLoop<T> &fma_loop();
template <> const FmaLoop<float> &fma_loop<float>() {
    return isa_loops().fma_f32;
}
template <> const FmaLoop<double> &fma_loop<double>() {
    return isa_loops().fma_f64;
}

template <typename T> kael_status run_steps(std::int64_t first, std::int64_t last, void *context) {
    const std::int64_t steps = *static_cast<const std::int64_t *>(context);
    for (std::int64_t i = first; i < last; ++i) {
        keep(fma_loop<T>().run(steps, static_cast<T>(0.5)));
    }
    return KAEL_OK;
}

template <typename Call> double best_time(const Call &call) {
    double best = time_of(call);
    for (int run = 1; run < RUNS; ++run) {
        best = std::min(best, time_of(call));
    }
    return best;
}

// The first calls also bring the core to the clock and the power state of these instructions.
template <typename T> std::int64_t calibrated_steps() {
    std::int64_t steps = 1000;
    while (best_time([&] { run_steps<T>(0, 1, &steps); }) < RUN_SECONDS) {
        steps *= 2;
    }
    return steps;
}

} // namespace

template <typename T>
FmaPeak<T>::FmaPeak(int threads) : threads_(threads), steps_(calibrated_steps<T>()) {}

template <typename T> void FmaPeak<T>::run() const {
    std::int64_t steps = steps_;
    check(kael_parallel_for(0, threads_, 1, run_steps<T>, &steps));
}

template <typename T> double FmaPeak<T>::flops() const {
    return fma_loop<T>().flops_per_step * static_cast<double>(steps_) * threads_;
}

template <typename T> double FmaPeak<T>::measure() const {
    return flops() / best_time([this] { run(); });
}

template class FmaPeak<float>;
template class FmaPeak<double>;

void read_all(const void *data, std::size_t bytes) {
    keep(isa_loops().read(data, bytes));
}

double measure_read_bandwidth(const void *data, std::size_t bytes) {
    return static_cast<double>(bytes) / best_time([=] { read_all(data, bytes); });
}

} // namespace bench
