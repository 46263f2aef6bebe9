// Elementwise operations: every row of their table, and additions of many layouts.

#include <array>
#include <cstdint>
#include <functional>

#include "bench_common.hpp"
#include "check.hpp"
#include "kael/ops.h"
#include "tensor.hpp"

namespace bench {

namespace {

using Shape = std::array<std::int64_t, 2>;

Tensor full(kael_dtype dtype, const Shape &shape, double value) {
    return made(kael_tensor_full, dtype, std::int64_t{2}, shape.data(), value);
}

Tensor transposed(const Tensor &tensor) {
    return made(kael_tensor_transpose, tensor.get(), std::int64_t{0}, std::int64_t{1});
}

std::int64_t bytes_of(const kael_tensor *tensor) {
    return kael_tensor_numel(tensor) * kael_dtype_size(kael_tensor_dtype(tensor));
}

// Makes the result anew each time; the rate counts each element of operands and result once.
using Create = std::function<kael_status(kael_tensor **)>;

void time_creation(benchmark::State &state, int threads, std::int64_t input_bytes,
                   const Create &create) {
    use_threads(threads);
    std::int64_t bytes = input_bytes;
    const double seconds = run_loop(state, [&] {
        kael_tensor *out = nullptr;
        check(create(&out));
        bytes = input_bytes + bytes_of(out);
        kael_tensor_release(out);
    });
    state.counters["bytes"] = benchmark::Counter(static_cast<double>(bytes) *
                                                 static_cast<double>(state.iterations()) / seconds);
}

// ---- the table ----

using Unary = kael_status (*)(kael_tensor **, const kael_tensor *);
using Binary = kael_status (*)(kael_tensor **, const kael_tensor *, const kael_tensor *);
using Ternary = kael_status (*)(kael_tensor **, const kael_tensor *, const kael_tensor *,
                                const kael_tensor *);

struct Operation {
    const char *name;
    bool on_integers; // floating point operands are an error
    bool selects;     // the first operand is bool
    Unary unary;
    Binary binary;
    Ternary ternary;
};

enum class Rule {
    NUMERIC,
    FLOATING,
    MAPPED,
    ROUNDING,
    DIVISION,
    POWER,
    BITWISE,
    COMPARISON,
    TEST,
    LOGICAL,
    SELECT
};

const Operation OPERATIONS[] = {
#define OPERATION(name, rule, unary, binary, ternary)                                              \
    {#name, Rule::rule == Rule::BITWISE, Rule::rule == Rule::SELECT, unary, binary, ternary},
#define UNARY(name, rule, on_bool, on_floats, on_integers)                                         \
    OPERATION(name, rule, kael_##name, nullptr, nullptr)
#define BINARY(name, rule, on_bool, on_floats, on_integers)                                        \
    OPERATION(name, rule, nullptr, kael_##name, nullptr)
#define TERNARY(name, rule, on_bool, on_floats, on_integers)                                       \
    OPERATION(name, rule, nullptr, nullptr, kael_##name)
    KAEL_UNARY_OPERATIONS(UNARY) KAEL_BINARY_OPERATIONS(BINARY) KAEL_TERNARY_OPERATIONS(TERNARY)
#undef TERNARY
#undef BINARY
#undef UNARY
#undef OPERATION
};

void time_operation(benchmark::State &state, const Operation &operation, kael_dtype dtype,
                    std::int64_t side) {
    const Shape shape = {side, side};
    const Tensor a = full(operation.selects ? KAEL_BOOL : dtype, shape, 1);
    const Tensor b = full(dtype, shape, 3);
    const Tensor c = full(dtype, shape, 2);
    std::int64_t bytes = bytes_of(a.get());
    bytes += operation.unary == nullptr ? bytes_of(b.get()) : 0;
    bytes += operation.ternary != nullptr ? bytes_of(c.get()) : 0;
    time_creation(state, default_threads(), bytes, [&](kael_tensor **out) {
        return operation.unary != nullptr    ? operation.unary(out, a.get())
               : operation.binary != nullptr ? operation.binary(out, a.get(), b.get())
                                             : operation.ternary(out, a.get(), b.get(), c.get());
    });
}

void register_table() {
    constexpr kael_dtype FLOATS[] = {KAEL_F32, KAEL_F64, KAEL_F16};
    constexpr kael_dtype INTEGERS[] = {KAEL_I32, KAEL_I64, KAEL_U8};
    for (const Operation &operation : OPERATIONS) {
        for (const kael_dtype dtype : operation.on_integers ? INTEGERS : FLOATS) {
            for (const std::int64_t side : {256, 2048}) {
                add_benchmark(
                    template_name("BM_Elementwise", operation.name, kael_dtype_name(dtype)) + "/" +
                        std::to_string(side),
                    [=, &operation](benchmark::State &state) {
                        time_operation(state, operation, dtype, side);
                    })
                    ->Unit(benchmark::kMicrosecond);
            }
        }
    }
}

// ---- additions of all layouts ----

// Computes each element's place from its index, as a first version of a library would.
void add_by_index(const kael_tensor *a, const kael_tensor *b, float *out, const Shape &shape) {
    const auto at = [&](const kael_tensor *t, std::int64_t row, std::int64_t column) {
        const std::int64_t *sizes = kael_tensor_shape(t);
        const std::int64_t *strides = kael_tensor_strides(t);
        const std::int64_t offset =
            (sizes[0] == 1 ? 0 : row * strides[0]) + (sizes[1] == 1 ? 0 : column * strides[1]);
        return static_cast<const float *>(kael_tensor_data(t))[offset];
    };
    for (std::int64_t i = 0; i < shape[0] * shape[1]; ++i) {
        const std::int64_t row = i / shape[1];
        const std::int64_t column = i % shape[1];
        out[i] = at(a, row, column) + at(b, row, column);
    }
}

enum class Layout { contiguous, broadcast_row, broadcast_column, transposed, both_transposed };

struct Addition {
    const char *name;
    Layout layout;
};

const Addition ADDITIONS[] = {
    {"Contiguous", Layout::contiguous},
    {"BroadcastRow", Layout::broadcast_row},
    {"BroadcastColumn", Layout::broadcast_column},
    {"Transposed", Layout::transposed},
    {"BothTransposed", Layout::both_transposed},
};

Tensor second_operand(Layout layout, std::int64_t side) {
    switch (layout) {
    case Layout::broadcast_row:
        return full(KAEL_F32, {1, side}, 2);
    case Layout::broadcast_column:
        return full(KAEL_F32, {side, 1}, 2);
    case Layout::contiguous:
        return full(KAEL_F32, {side, side}, 2);
    default:
        return transposed(full(KAEL_F32, {side, side}, 2));
    }
}

Tensor first_operand(Layout layout, std::int64_t side) {
    Tensor a = full(KAEL_F32, {side, side}, 1);
    return layout == Layout::both_transposed ? transposed(a) : std::move(a);
}

void time_naive_add(benchmark::State &state, Layout layout, std::int64_t side) {
    const Tensor a = first_operand(layout, side);
    const Tensor b = second_operand(layout, side);
    const Tensor out = full(KAEL_F32, {side, side}, 0);
    run_loop(state, [&] {
        add_by_index(a.get(), b.get(), static_cast<float *>(kael_tensor_data(out.get())),
                     {side, side});
        benchmark::ClobberMemory();
    });
}

void time_kernel_add(benchmark::State &state, Layout layout, std::int64_t side) {
    const Tensor a = first_operand(layout, side);
    const Tensor b = second_operand(layout, side);
    time_creation(state, default_threads(), bytes_of(a.get()) + bytes_of(b.get()),
                  [&](kael_tensor **out) { return kael_add(out, a.get(), b.get()); });
}

void time_contiguous_from_transposed(benchmark::State &state, std::int64_t side) {
    const Tensor t = transposed(full(KAEL_F32, {side, side}, 1));
    time_creation(state, default_threads(), bytes_of(t.get()),
                  [&](kael_tensor **out) { return kael_tensor_contiguous(out, t.get()); });
}

void time_add_of_size(benchmark::State &state, std::int64_t count, int threads) {
    const Tensor a = full(KAEL_F32, {1, count}, 1);
    const Tensor b = full(KAEL_F32, {1, count}, 2);
    time_creation(state, threads, 2 * bytes_of(a.get()),
                  [&](kael_tensor **out) { return kael_add(out, a.get(), b.get()); });
}

void register_additions() {
    for (const Addition &addition : ADDITIONS) {
        for (const std::int64_t side : {256, 1024, 2048}) {
            const std::string suffix = std::string(addition.name) + "/" + std::to_string(side);
            const Layout layout = addition.layout;
            add_benchmark("BM_NaiveAdd" + suffix, [=](benchmark::State &state) {
                time_naive_add(state, layout, side);
            })->Unit(benchmark::kMicrosecond);
            add_benchmark("BM_KernelAdd" + suffix, [=](benchmark::State &state) {
                time_kernel_add(state, layout, side);
            })->Unit(benchmark::kMicrosecond);
        }
    }
    for (const std::int64_t side : {1024, 2048}) {
        add_benchmark(
            "BM_ContiguousFromTransposed/" + std::to_string(side),
            [=](benchmark::State &state) { time_contiguous_from_transposed(state, side); })
            ->Unit(benchmark::kMicrosecond);
    }
    for (int power = 13; power <= 23; power += 2) {
        for (const int threads : {1, 4, 15}) {
            add_benchmark("BM_AddThreads/" + std::to_string(1 << power) + "/" +
                              std::to_string(threads),
                          [=](benchmark::State &state) {
                              time_add_of_size(state, std::int64_t{1} << power, threads);
                          })
                ->Unit(benchmark::kMicrosecond);
        }
    }
    add_benchmark("BM_TinyAdd/4", [](benchmark::State &state) { time_add_of_size(state, 4, 1); });
}

} // namespace

void register_elementwise_benchmarks() {
    register_table();
    register_additions();
}

} // namespace bench
