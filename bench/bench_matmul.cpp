#include <stdexcept>

#include "bench_common.hpp"
#include "matmul_versions.hpp"

namespace bench {

namespace {

constexpr std::int64_t MATMUL_SIZES[] = {128, 256, 512};
constexpr std::int64_t LADDER_SIZES[] = {256, 512, 1024, 2048};
constexpr std::int64_t SMALL_SIZES[] = {4, 8, 16, 32, 64};
constexpr int THREAD_COUNTS[] = {1, 2, 4, 5, 8, 15};

// A square product by one of kael's versions.
template <typename T>
void time_version(benchmark::State &state, const MatmulVersion<T> &version, std::int64_t n,
                  int threads) {
    const Problem<T> problem({n, n, n});
    time_product<T>(state, {n, n, n}, threads, [&] { version.multiply(problem.product()); });
}

template <typename T>
void add_version(const std::string &name, const MatmulVersion<T> &version, std::int64_t n,
                 int threads) {
    add_benchmark(name + "/" + std::to_string(n), [=](benchmark::State &state) {
        time_version<T>(state, version, n, threads);
    })->Unit(n < 128 ? benchmark::kNanosecond : benchmark::kMicrosecond);
}

template <typename T> void add_opponent(const Opponent &opponent, std::int64_t n) {
    const std::string name = "BM_Matmul" + opponent.name + "<" + Element<T>::name + ">/";
    add_opponent_benchmark(name + std::to_string(n), opponent,
                           [=, &opponent](benchmark::State &state) {
                               const Problem<T> problem({n, n, n});
                               time_product<T>(state, {n, n, n}, default_threads(),
                                               [&] { opponent.gemm(problem.product()); });
                           })
        ->Unit(benchmark::kMicrosecond);
}

template <typename T> const MatmulVersion<T> &version_named(const std::string &name) {
    for (const MatmulVersion<T> &version : matmul_versions<T>()) {
        if (version.name == name) {
            return version;
        }
    }
    throw std::logic_error("no version " + name);
}

template <typename T> void add_dispatch() {
    const MatmulVersion<T> &multiply = version_named<T>("multiply");
    for (const std::int64_t n : MATMUL_SIZES) {
        add_version<T>(std::string("BM_Matmul<") + Element<T>::name + ">", multiply, n,
                       default_threads());
    }
    for (const std::int64_t n : SMALL_SIZES) {
        add_version<T>(template_name("BM_SmallMatmul", Element<T>::name, "default_threads"),
                       multiply, n, default_threads());
        add_version<T>(template_name("BM_SmallMatmul", Element<T>::name, "one_thread"), multiply, n,
                       1);
    }
}

template <typename T> void add_ladder() {
    for (const MatmulVersion<T> &version : matmul_versions<T>()) {
        for (const std::int64_t n : LADDER_SIZES) {
            if (n <= version.largest) {
                add_version<T>(template_name("BM_MatmulVersion", version.name, Element<T>::name),
                               version, n, version.threaded ? default_threads() : 1);
            }
        }
    }
}

template <typename T> void add_threads() {
    const MatmulVersion<T> &threaded = version_named<T>("v6_threaded");
    for (const int threads : THREAD_COUNTS) {
        add_version<T>(std::string("BM_MatmulThreads<") + Element<T>::name +
                           ">/threads:" + std::to_string(threads),
                       threaded, 1024, threads);
    }
}

template <typename T> void add_opponents() {
    for (const Opponent &opponent : opponents()) {
        for (const std::int64_t n : {128, 256, 512, 1024, 2048}) {
            add_opponent<T>(opponent, n);
        }
    }
}

template <typename T> void add_all() {
    add_dispatch<T>();
    add_ladder<T>();
    add_threads<T>();
    add_opponents<T>();
}

} // namespace

void register_matmul_benchmarks() {
    add_all<float>();
    add_all<double>();
}

} // namespace bench
