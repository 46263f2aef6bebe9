// Steps of a training: losses, layers and networks with their gradients.

#include <cstdint>
#include <string>

#include "bench_common.hpp"
#include "check.hpp"
#include "kael/autograd.h"
#include "kael/loss.h"
#include "kael/nn.h"
#include "kael/reduce.h"
#include "network.hpp"
#include "tensor.hpp"

namespace bench {

namespace {

template <typename Call> void add_step(const std::string &name, Call call) {
    add_benchmark(name, [=](benchmark::State &state) {
        use_threads(default_threads());
        call(state);
    })->Unit(benchmark::kMicrosecond);
}

Tensor leaf(Tensor tensor) {
    check(kael_tensor_set_requires_grad(tensor.get(), true));
    return tensor;
}

// ---- cross entropy, forward and backward ----

Tensor fused_loss(const kael_tensor *logits, const kael_tensor *targets) {
    return made(kael_cross_entropy, logits, targets, nullptr);
}

Tensor composed_loss(const kael_tensor *logits, const kael_tensor *targets) {
    const Tensor logarithms = made(kael_log_softmax, logits, 1);
    return made(kael_nll_loss, logarithms.get(), targets, nullptr);
}

void add_cross_entropy(const std::string &name,
                       Tensor (*loss)(const kael_tensor *, const kael_tensor *)) {
    constexpr std::int64_t SHAPES[][2] = {{64, 10}, {4096, 65}, {1024, 50257}};
    for (const auto &shape : SHAPES) {
        const std::int64_t rows = shape[0];
        const std::int64_t classes = shape[1];
        add_step(name + "/" + std::to_string(rows) + "x" + std::to_string(classes),
                 [=](benchmark::State &state) {
                     const Tensor logits = leaf(random_tensor({rows, classes}));
                     const Tensor targets = random_indices(rows, classes);
                     run_loop(state, [&] {
                         const Tensor mean = loss(logits.get(), targets.get());
                         check(kael_backward(mean.get()));
                         check(kael_tensor_zero_grad(logits.get()));
                     });
                 });
    }
}

// ---- a linear layer, forward, backward and one step of the optimiser ----

struct Parameter {
    Tensor value;
    Tensor velocity;

    explicit Parameter(const std::vector<std::int64_t> &shape)
        : value(leaf(random_tensor(shape))),
          velocity(made(kael_tensor_zeros, KAEL_F32, static_cast<std::int64_t>(shape.size()),
                        shape.data())) {}

    void step() const {
        const Tensor gradient = made(kael_tensor_grad, value.get());
        check(kael_sgd_step(value.get(), velocity.get(), gradient.get(), 1e-6, 0.9));
        check(kael_tensor_zero_grad(value.get()));
    }
};

void time_linear(benchmark::State &state, bool with_bias) {
    const Tensor input = random_tensor({64, 784});
    const Parameter weight({256, 784});
    const Parameter bias({256});
    run_loop(state, [&] {
        const Tensor values = made(kael_linear, input.get(), weight.value.get(),
                                   with_bias ? bias.value.get() : nullptr);
        const Tensor sum = made(kael_sum, values.get(), std::int64_t{0}, nullptr, false);
        check(kael_backward(sum.get()));
        weight.step();
        if (with_bias) {
            bias.step();
        }
    });
}

} // namespace

void register_training_benchmarks() {
    add_cross_entropy("BM_CrossEntropyFused", fused_loss);
    add_cross_entropy("BM_CrossEntropyComposed", composed_loss);
    add_step("BM_LinearWithBias", [](benchmark::State &state) { time_linear(state, true); });
    add_step("BM_LinearWithoutBias", [](benchmark::State &state) { time_linear(state, false); });
    for (const bool is_recorded : {false, true}) {
        add_step(is_recorded ? "BM_NetworkForward/recorded" : "BM_NetworkForward/plain",
                 [=](benchmark::State &state) {
                     const Network network(LayerKind::LINEAR, is_recorded);
                     run_loop(state, [&] { network.forward(); });
                 });
    }
    add_step("BM_NetworkBackward", [](benchmark::State &state) {
        const Network network(LayerKind::LINEAR, true);
        run_loop(state, [&] { network.forward_and_backward(); });
    });
}

} // namespace bench
