// The operations that compare.py sets beside NumPy and PyTorch, each with the arithmetic and the
// memory traffic that it cannot do without, and the machine's ceilings for both.

#include <cstdint>
#include <string>
#include <vector>

#include "bench_common.hpp"
#include "check.hpp"
#include "kael/linalg.h"
#include "kael/loss.h"
#include "kael/nn.h"
#include "kael/ops.h"
#include "kael/parallel.h"
#include "kael/reduce.h"
#include "tensor.hpp"

namespace bench {

namespace {

struct Work {
    double flops;
    double bytes; // operands read once, results written once
};

// f32 kernels spend about so many operations on an exponential.
constexpr double EXPONENTIAL = 20;
// The largest element, differences to it, exponentials, their sum, and the last scaling.
constexpr double SOFTMAX = EXPONENTIAL + 4;
// A sum, differences and their squares, and the last scaling.
constexpr double LAYER_NORM = 1 + 3 + 2;
constexpr double READ = sizeof(float);
constexpr double WRITTEN = sizeof(float);

struct Extent {
    std::int64_t rows;
    std::int64_t columns;

    double elements() const {
        return static_cast<double>(rows) * static_cast<double>(columns);
    }
    std::string text() const {
        return std::to_string(rows) + "x" + std::to_string(columns);
    }
};

template <typename Call> void time_work(benchmark::State &state, const Work &work, Call call) {
    use_threads(default_threads());
    run_loop(state, call);
    state.counters["flops"] = benchmark::Counter(work.flops);
    state.counters["bytes"] = benchmark::Counter(work.bytes);
}

template <typename Body>
void add_case(const std::string &name, const Extent &shape, const Body &body) {
    add_benchmark("BM_Compare" + name + "/" + shape.text(), body)->Unit(benchmark::kMicrosecond);
}

// `per_element` is the work of an element of the matrix; Operation(matrix) gives a new tensor.
template <typename Operation>
void add_unary(const std::string &name, const Extent &shape, const Work &per_element,
               Operation operation) {
    add_case(name, shape, [=](benchmark::State &state) {
        const Tensor matrix = random_tensor({shape.rows, shape.columns});
        const Work work = {per_element.flops * shape.elements(),
                           per_element.bytes * shape.elements()};
        time_work(state, work, [&] { operation(matrix.get()); });
    });
}

void add_elementwise() {
    const Extent shape = {1000, 1000};
    add_unary("Add", shape, {1, 2 * READ + WRITTEN}, [](const kael_tensor *a) {
        static const Tensor b = random_tensor({1000, 1000});
        return made(kael_add, a, b.get());
    });
    add_unary("AddRow", shape, {1, READ + WRITTEN}, [](const kael_tensor *a) {
        static const Tensor row = random_tensor({1000});
        return made(kael_add, a, row.get());
    });
    add_unary("AddTransposed", shape, {1, 2 * READ + WRITTEN}, [](const kael_tensor *a) {
        static const Tensor b = random_tensor({1000, 1000});
        const Tensor transposed = made(kael_tensor_transpose, b.get(), 0, 1);
        return made(kael_add, a, transposed.get());
    });
    add_unary("Relu", shape, {1, READ + WRITTEN},
              [](const kael_tensor *a) { return made(kael_relu, a); });
    add_unary("Exp", shape, {EXPONENTIAL, READ + WRITTEN},
              [](const kael_tensor *a) { return made(kael_exp, a); });
    add_unary("TransposedCopy", shape, {0, READ + WRITTEN}, [](const kael_tensor *a) {
        const Tensor transposed = made(kael_tensor_transpose, a, 0, 1);
        return made(kael_tensor_contiguous, transposed.get());
    });
}

void add_reductions() {
    const Extent shape = {1000, 1000};
    add_unary("Sum", shape, {1, READ}, [](const kael_tensor *a) {
        return made(kael_sum, a, std::int64_t{0}, nullptr, false);
    });
    add_unary("SumRows", shape, {1, READ}, [](const kael_tensor *a) {
        const std::int64_t dim = 1;
        return made(kael_sum, a, std::int64_t{1}, &dim, false);
    });
    add_unary("MaxColumns", shape, {1, READ}, [](const kael_tensor *a) {
        const std::int64_t dim = 0;
        return made(kael_max, a, std::int64_t{1}, &dim, false);
    });
}

void add_products() {
    for (const std::int64_t n : {128, 256, 512, 1024}) {
        const double inner = static_cast<double>(n);
        add_unary("Matmul", {n, n}, {2 * inner, 2 * READ + WRITTEN},
                  [](const kael_tensor *a) { return made(kael_matmul, a, a); });
    }
    // per element of a 64 x 784 input
    add_unary("Linear", {64, 784}, {2 * 256, READ + 256 * (READ / 64 + WRITTEN / 784)},
              [](const kael_tensor *input) {
                  static const Tensor weight = random_tensor({256, 784});
                  static const Tensor bias = random_tensor({256});
                  return made(kael_linear, input, weight.get(), bias.get());
              });
}

void add_rows(const Extent &shape) {
    add_unary("Softmax", shape, {SOFTMAX, READ + WRITTEN},
              [](const kael_tensor *a) { return made(kael_softmax, a, 1); });
    add_unary("LogSoftmax", shape, {SOFTMAX, READ + WRITTEN},
              [](const kael_tensor *a) { return made(kael_log_softmax, a, 1); });
    add_unary("LayerNorm", shape, {LAYER_NORM, READ + WRITTEN}, [](const kael_tensor *a) {
        return made(kael_standardize, a, std::int64_t{1}, 1e-5);
    });
    add_case("CrossEntropy", shape, [=](benchmark::State &state) {
        const Tensor logits = random_tensor({shape.rows, shape.columns});
        const Tensor targets = random_indices(shape.rows, shape.columns);
        const Work work = {SOFTMAX * shape.elements(), READ * shape.elements()};
        time_work(state, work,
                  [&] { made(kael_cross_entropy, logits.get(), targets.get(), nullptr); });
    });
}

// ---- ceilings ----

struct Bytes {
    const std::vector<float> *data;
    std::int64_t each; // bytes of an index of the loop
    int times;
};

kael_status read_parts(std::int64_t first, std::int64_t last, void *context) {
    const Bytes *bytes = static_cast<const Bytes *>(context);
    const char *data = reinterpret_cast<const char *>(bytes->data->data());
    for (int time = 0; time < bytes->times; ++time) {
        read_all(data + first * bytes->each,
                 static_cast<std::size_t>((last - first) * bytes->each));
    }
    return KAEL_OK;
}

// All threads read `parts` parts of memory, each several times.
void time_reading(benchmark::State &state, std::int64_t parts, std::int64_t each, int times) {
    const std::vector<float> data(static_cast<std::size_t>(parts * each) / sizeof(float), 1);
    Bytes bytes = {&data, each, times};
    time_work(state, {0, static_cast<double>(parts * each) * times},
              [&] { check(kael_parallel_for(0, parts, 1, read_parts, &bytes)); });
}

void add_ceilings() {
    add_benchmark("BM_CompareCeiling/arithmetic", [](benchmark::State &state) {
        use_threads(default_threads());
        const FmaPeak<float> peak(default_threads());
        time_work(state, {peak.flops(), 0}, [&] { peak.run(); });
    });
    add_benchmark("BM_CompareCeiling/memory",
                  [](benchmark::State &state) { time_reading(state, 512, 1 << 20, 1); });
    add_benchmark("BM_CompareCeiling/cache", [](benchmark::State &state) {
        time_reading(state, default_threads(), 256 << 10, 64);
    });
}

} // namespace

void register_compare_benchmarks() {
    add_ceilings();
    add_elementwise();
    add_reductions();
    add_products();
    for (const Extent &shape :
         {Extent{64, 10}, Extent{1000, 1000}, Extent{4096, 65}, Extent{1024, 50257}}) {
        add_rows(shape);
    }
}

} // namespace bench
