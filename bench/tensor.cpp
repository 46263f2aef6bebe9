#include "tensor.hpp"

#include <cstdint>
#include <random>

namespace bench {

Tensor random_tensor(const std::vector<std::int64_t> &shape) {
    Tensor tensor =
        made(kael_tensor_empty, KAEL_F32, static_cast<std::int64_t>(shape.size()), shape.data());
    std::mt19937 generator(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    float *values = static_cast<float *>(kael_tensor_data(tensor.get()));
    for (std::int64_t i = 0; i < kael_tensor_numel(tensor.get()); ++i) {
        values[i] = uniform(generator);
    }
    return tensor;
}

Tensor random_indices(std::int64_t count, std::int64_t end) {
    Tensor tensor = made(kael_tensor_empty, KAEL_I64, std::int64_t{1}, &count);
    std::mt19937 generator(2);
    std::uniform_int_distribution<std::int64_t> uniform(0, end - 1);
    std::int64_t *values = static_cast<std::int64_t *>(kael_tensor_data(tensor.get()));
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] = uniform(generator);
    }
    return tensor;
}

} // namespace bench
