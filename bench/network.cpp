#include "network.hpp"

#include <cstdint>

#include "kael/autograd.h"
#include "kael/linalg.h"
#include "kael/nn.h"
#include "kael/ops.h"
#include "kael/reduce.h"

namespace bench {

namespace {

constexpr std::int64_t BATCH = 64;
constexpr std::int64_t WIDTH = 256;

} // namespace

Network::Network(LayerKind kind, bool is_recorded)
    : kind_(kind), input_(random_tensor({BATCH, WIDTH})) {
    for (Layer &layer : layers_) {
        layer = {random_tensor({WIDTH, WIDTH}), random_tensor({WIDTH})};
        check(kael_tensor_set_requires_grad(layer.weight.get(), is_recorded));
        check(kael_tensor_set_requires_grad(layer.bias.get(), is_recorded));
    }
}

Tensor Network::apply(const Layer &layer, const kael_tensor *input) const {
    Tensor sums;
    if (kind_ == LayerKind::LINEAR) {
        sums = made(kael_linear, input, layer.weight.get(), layer.bias.get());
    } else {
        const Tensor transposed = made(kael_tensor_transpose, layer.weight.get(), 0, 1);
        const Tensor product = made(kael_matmul, input, transposed.get());
        sums = made(kael_add, product.get(), layer.bias.get());
    }
    return made(kael_relu, sums.get());
}

Tensor Network::forward() const {
    Tensor values = apply(layers_[0], input_.get());
    for (std::size_t i = 1; i < layers_.size(); ++i) {
        values = apply(layers_[i], values.get());
    }
    return values;
}

void Network::forward_and_backward() const {
    const Tensor values = forward();
    const Tensor sum = made(kael_sum, values.get(), std::int64_t{0}, nullptr, false);
    check(kael_backward(sum.get()));
    for (const Layer &layer : layers_) {
        check(kael_tensor_zero_grad(layer.weight.get()));
        check(kael_tensor_zero_grad(layer.bias.get()));
    }
}

void Network::forward_times(int passes) const {
    for (int pass = 0; pass < passes; ++pass) {
        forward();
    }
}

} // namespace bench
