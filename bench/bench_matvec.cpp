#include "bench_common.hpp"
#include "matmul_versions.hpp"
#include "matvec.hpp"

namespace bench {

namespace {

template <typename T> using Multiply = std::function<void(const Product<T> &)>;

// On one thread, in bytes of the matrix per second beside those that plain reading of it takes.
template <typename T>
void time_matvec(benchmark::State &state, const MatvecCase &matvec, const Multiply<T> &multiply) {
    use_threads(1);
    const MatvecProblem<T> problem(matvec);
    const Buffer<T> &matrix = problem.matrix();
    const double before = measure_read_bandwidth(matrix.data(), matrix.bytes());
    const double seconds = run_loop(state, [&] { multiply(problem.product()); });
    const double after = measure_read_bandwidth(matrix.data(), matrix.bytes());
    report_rate(state, "bytes/s", static_cast<double>(matrix.bytes()), seconds, "of_reading",
                (before + after) / 2);
}

template <typename T> std::string name_of(const std::string &who, const MatvecCase &matvec) {
    return template_name("BM_Matvec", who, Element<T>::name) + "/" + matvec.shape() + "/" +
           matvec.layout();
}

template <typename T> void add_kael(const MatvecCase &matvec) {
    add_benchmark(name_of<T>("kael", matvec), [=](benchmark::State &state) {
        time_matvec<T>(state, matvec, [](const Product<T> &product) { kael_gemm(product); });
    })->Unit(benchmark::kMicrosecond);
}

template <typename T>
void add_opponent(const Opponent &opponent, const std::string &routine, const MatvecCase &matvec,
                  void (Opponent::*multiply)(const Product<T> &) const) {
    add_opponent_benchmark(name_of<T>(opponent.name + "_" + routine, matvec), opponent,
                           [=, &opponent](benchmark::State &state) {
                               time_matvec<T>(state, matvec, [&](const Product<T> &product) {
                                   (opponent.*multiply)(product);
                               });
                           })
        ->Unit(benchmark::kMicrosecond);
}

template <typename T> void add_case(const MatvecCase &matvec) {
    add_kael<T>(matvec);
    for (const Opponent &opponent : opponents()) {
        add_opponent<T>(opponent, "gemm", matvec, &Opponent::gemm);
        add_opponent<T>(opponent, "gemv", matvec, &Opponent::gemv);
    }
}

} // namespace

void register_matvec_benchmarks() {
    for (const MatvecCase &matvec : matvec_cases()) {
        add_case<float>(matvec);
        add_case<double>(matvec);
    }
}

} // namespace bench
