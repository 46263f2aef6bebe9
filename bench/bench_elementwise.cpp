// Additions by kael and by a naive loop, in several layouts; copies and views.

#include "bench_common.hpp"
#include "check.hpp"
#include "kael/ops.h"
#include "naive_add.hpp"
#include "tensor.hpp"

namespace bench {

namespace {

constexpr std::int64_t SIDE = 1024;
constexpr std::int64_t LESSON_SIDE = 2048;
constexpr int ADD_THREADS[] = {1, 4, 15};
constexpr int SMALLEST_ADD = 13; // binary logarithms
constexpr int LARGEST_ADD = 23;

void report_bytes(benchmark::State &state, double bytes) {
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes) *
                            static_cast<std::int64_t>(state.iterations()));
}

// Reads two f32 elements and writes one.
double add_bytes(std::int64_t numel) {
    return 12.0 * static_cast<double>(numel);
}

NaiveLayout naive_layout(const Tensor &tensor, bool broadcast) {
    const std::int64_t *strides = kael_tensor_strides(tensor.get());
    const auto *data = static_cast<const float *>(kael_tensor_data(tensor.get()));
    if (broadcast) {
        return {data, {0, strides[0]}};
    }
    return {data, {strides[0], strides[1]}};
}

struct AddOperands {
    Tensor a;
    Tensor b;
    bool broadcast; // b is a row
};

AddOperands contiguous_operands() {
    return {Tensor::uniform(KAEL_F32, {SIDE, SIDE}), Tensor::uniform(KAEL_F32, {SIDE, SIDE}),
            false};
}

AddOperands broadcast_operands() {
    return {Tensor::uniform(KAEL_F32, {SIDE, SIDE}), Tensor::uniform(KAEL_F32, {SIDE}), true};
}

AddOperands transposed_operands() {
    return {Tensor::uniform(KAEL_F32, {SIDE, SIDE}),
            Tensor::uniform(KAEL_F32, {SIDE, SIDE}).transposed(), false};
}

void time_naive_add(benchmark::State &state, const AddOperands &operands) {
    std::vector<float> out(SIDE * SIDE);
    const NaiveLayout a = naive_layout(operands.a, false);
    const NaiveLayout b = naive_layout(operands.b, operands.broadcast);
    run_loop(state, [&] {
        naive_add(out.data(), SIDE * SIDE, {SIDE, SIDE}, a, b);
        benchmark::DoNotOptimize(out.data());
    });
    report_bytes(state, add_bytes(SIDE * SIDE));
}

void time_kernel_add(benchmark::State &state, const Tensor &a, const Tensor &b) {
    run_loop(state, [&] { Tensor::of(kael_add, a.get(), b.get()); });
    report_bytes(state, add_bytes(kael_tensor_numel(a.get())));
}

void add_naive_and_kernel(const std::string &layout, AddOperands (*make)()) {
    add_benchmark("BM_NaiveAdd" + layout, [=](benchmark::State &state) {
        time_naive_add(state, make());
    })->Unit(benchmark::kMicrosecond);
    add_benchmark("BM_KernelAdd" + layout, [=](benchmark::State &state) {
        use_threads(default_threads());
        const AddOperands operands = make();
        time_kernel_add(state, operands.a, operands.b);
    })->Unit(benchmark::kMicrosecond);
}

void add_threads(int binary_logarithm, int threads) {
    const std::int64_t numel = std::int64_t(1) << binary_logarithm;
    add_benchmark("BM_AddThreads/" + std::to_string(numel) + "/threads:" + std::to_string(threads),
                  [=](benchmark::State &state) {
                      use_threads(threads);
                      time_kernel_add(state, Tensor::uniform(KAEL_F32, {numel}),
                                      Tensor::uniform(KAEL_F32, {numel}));
                  })
        ->Unit(benchmark::kMicrosecond);
}

void add_copy() {
    add_benchmark("BM_ContiguousFromTransposed", [](benchmark::State &state) {
        use_threads(default_threads());
        const Tensor view = Tensor::uniform(KAEL_F32, {LESSON_SIDE, LESSON_SIDE}).transposed();
        run_loop(state, [&] { Tensor::of(kael_tensor_contiguous, view.get()); });
        report_bytes(state, 8.0 * LESSON_SIDE * LESSON_SIDE);
    })->Unit(benchmark::kMicrosecond);
}

Tensor square() {
    return Tensor::uniform(KAEL_F32, {LESSON_SIDE, LESSON_SIDE});
}

// The elementwise operations of 2048 x 2048 matrices in the lesson on views.
void add_lesson() {
    const auto add_sum = [](const std::string &name, Tensor (*make_a)(), Tensor (*make_b)()) {
        add_benchmark(name, [=](benchmark::State &state) {
            use_threads(default_threads());
            time_kernel_add(state, make_a(), make_b());
        })->Unit(benchmark::kMicrosecond);
    };
    add_sum("BM_Add", square, square);
    add_sum(
        "BM_StridedAdd", [] { return square().transposed(); },
        [] { return square().transposed(); });
    add_sum("BM_BroadcastAdd", square, [] { return Tensor::uniform(KAEL_F32, {LESSON_SIDE}); });
    const auto add_unary = [](const std::string &name,
                              kael_status (*function)(kael_tensor **, const kael_tensor *)) {
        add_benchmark(name, [=](benchmark::State &state) {
            use_threads(default_threads());
            const Tensor a = square();
            run_loop(state, [&] { Tensor::of(function, a.get()); });
            report_bytes(state, 8.0 * LESSON_SIDE * LESSON_SIDE);
        })->Unit(benchmark::kMicrosecond);
    };
    add_unary("BM_Exp", kael_exp);
    add_unary("BM_Relu", kael_relu);
    add_benchmark("BM_TransposedView", [](benchmark::State &state) {
        const Tensor a = square();
        run_loop(state, [&] { a.transposed(); });
    });
}

} // namespace

void register_elementwise_benchmarks() {
    add_naive_and_kernel("Contiguous", contiguous_operands);
    add_naive_and_kernel("Broadcast", broadcast_operands);
    add_naive_and_kernel("Transposed", transposed_operands);
    add_copy();
    for (int size = SMALLEST_ADD; size <= LARGEST_ADD; ++size) {
        for (const int threads : ADD_THREADS) {
            add_threads(size, threads);
        }
    }
    add_lesson();
}

} // namespace bench
