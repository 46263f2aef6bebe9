#include <array>

#include "bench_common.hpp"
#include "kael/linalg.h"
#include "tensor.hpp"

namespace bench {

namespace {

constexpr std::int64_t SIZES[] = {256, 512, 1024};
constexpr kael_dtype DTYPES[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64,
                                 KAEL_I8,  KAEL_I32,  KAEL_I64};

// Small whole numbers, which every dtype holds.
Tensor operand(kael_dtype dtype, const std::array<std::int64_t, 3> &shape, double value) {
    kael_tensor *tensor = nullptr;
    check(kael_tensor_full(&tensor, dtype, 3, shape.data(), value));
    return Tensor(tensor);
}

// A batch of square products; the result is a new tensor each time.
void time_matmul(benchmark::State &state, kael_dtype dtype, std::int64_t batch, std::int64_t n) {
    const Tensor a = operand(dtype, {batch, n, n}, 2);
    const Tensor b = operand(dtype, {batch, n, n}, 3);
    use_threads(default_threads());
    const double seconds = run_loop(state, [&] {
        kael_tensor *out = nullptr;
        check(kael_matmul(&out, a.get(), b.get()));
        kael_tensor_release(out);
    });
    const double operations = 2.0 * static_cast<double>(batch * n * n * n);
    state.counters["operations"] =
        benchmark::Counter(operations * static_cast<double>(state.iterations()) / seconds);
}

void add_matmul(const std::string &name, kael_dtype dtype, std::int64_t batch, std::int64_t n) {
    add_benchmark(name, [=](benchmark::State &state) {
        time_matmul(state, dtype, batch, n);
    })->Unit(benchmark::kMicrosecond);
}

} // namespace

void register_tensor_matmul_benchmarks() {
    for (const kael_dtype dtype : DTYPES) {
        const std::string name = kael_dtype_name(dtype);
        for (const std::int64_t n : SIZES) {
            add_matmul("BM_TensorMatmul<" + name + ">/" + std::to_string(n), dtype, 1, n);
        }
        add_matmul("BM_BatchedMatmul<" + name + ">/64x32", dtype, 64, 32);
        add_matmul("BM_BatchedMatmul<" + name + ">/8x512", dtype, 8, 512);
    }
    for (const std::int64_t n : {4, 8, 16, 32}) {
        add_matmul("BM_SmallTensorMatmul<f64>/" + std::to_string(n), KAEL_F64, 1, n);
    }
}

} // namespace bench
