// Tensors that release themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "kael/tensor.h"

namespace bench {

struct ReleaseTensor {
    void operator()(kael_tensor *tensor) const {
        kael_tensor_release(tensor);
    }
};
using Tensor = std::unique_ptr<kael_tensor, ReleaseTensor>;

// The result of a function of kael's: made(kael_add, a, b).
template <typename Function, typename... Arguments>
Tensor made(Function function, Arguments... arguments) {
    kael_tensor *out = nullptr;
    check(function(&out, arguments...));
    return Tensor(out);
}

// f32 numbers from -1 to 1 without a pattern that a kernel could notice.
Tensor random_tensor(const std::vector<std::int64_t> &shape);

// i64 numbers from 0 to end - 1.
Tensor random_indices(std::int64_t count, std::int64_t end);

} // namespace bench
