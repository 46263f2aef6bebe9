// Three layers of 256 with a ReLU behind each, on a batch of 64.
#pragma once

#include <array>

#include "tensor.hpp"

namespace bench {

enum class LayerKind {
    COMPOSED, // matmul with the transposed weight, add, relu
    LINEAR,   // kael_linear, relu
};

class Network {
  public:
    // Operations on weights that require gradients are recorded.
    Network(LayerKind kind, bool is_recorded);

    Tensor forward() const;

    // Forward, and the gradients of the sum of the result, which it drops. Only if recorded.
    void forward_and_backward() const;

    void forward_times(int passes) const;

  private:
    struct Layer {
        Tensor weight;
        Tensor bias;
    };

    Tensor apply(const Layer &layer, const kael_tensor *input) const;

    LayerKind kind_;
    Tensor input_;
    std::array<Layer, 3> layers_;
};

} // namespace bench
