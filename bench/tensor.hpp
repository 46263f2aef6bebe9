// A tensor of kael's that releases itself, and random ones to time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "check.hpp"
#include "kael/random.h"
#include "kael/tensor.h"

namespace bench {

class Tensor {
  public:
    Tensor() = default;
    Tensor(Tensor &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Tensor &operator=(Tensor &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Tensor() {
        kael_tensor_release(handle_);
    }

    const kael_tensor *get() const {
        return handle_;
    }
    kael_tensor *get() {
        return handle_;
    }

    // The result of a function of kael's that takes its result first.
    template <typename Function, typename... Arguments>
    static Tensor of(Function function, Arguments... arguments) {
        Tensor result;
        check(function(&result.handle_, arguments...));
        return result;
    }

    // Uniform numbers of [-1, 1).
    static Tensor uniform(kael_dtype dtype, const std::vector<std::int64_t> &shape) {
        kael_generator *generator = nullptr;
        check(kael_generator_create(&generator, 1));
        Tensor result;
        const kael_status status =
            kael_random_uniform(&result.handle_, generator, dtype,
                                static_cast<std::int64_t>(shape.size()), shape.data(), -1, 1);
        kael_generator_release(generator);
        check(status);
        return result;
    }

    Tensor transposed() const {
        return of(kael_tensor_transpose, get(), std::int64_t(0), std::int64_t(1));
    }

  private:
    kael_tensor *handle_ = nullptr;
};

} // namespace bench
