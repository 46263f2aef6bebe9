// A user's program in C++: ownership by unique_ptr, a lambda as the body of a parallel loop.
#include <kael/kael.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct releaser {
    void operator()(kael_tensor *tensor) const noexcept {
        kael_tensor_release(tensor);
    }
};
using tensor = std::unique_ptr<kael_tensor, releaser>;

void check(kael_status status) {
    if (status != KAEL_OK) {
        throw std::runtime_error(kael_last_error_message());
    }
}

tensor full(const std::vector<std::int64_t> &shape, double value) {
    kael_tensor *result = nullptr;
    check(kael_tensor_full(&result, KAEL_F64, static_cast<std::int64_t>(shape.size()), shape.data(),
                           value));
    return tensor(result);
}

} // namespace

int main() {
    try {
        const tensor a = full({3, 4}, 2.0);
        const tensor b = full({4, 5}, 0.5);
        std::vector<double> c(15, 1.0);
        check(kael_gemm_f64(3, 5, 4, 1.0, static_cast<const double *>(kael_tensor_data(a.get())), 4,
                            1, static_cast<const double *>(kael_tensor_data(b.get())), 5, 1, 1.0,
                            c.data(), 5, 1));
        check(kael_parallel_for(
            0, 15, 4,
            [](std::int64_t first, std::int64_t last, void *context) {
                for (std::int64_t i = first; i < last; ++i) {
                    static_cast<double *>(context)[i] -= 5.0;
                }
                return KAEL_OK;
            },
            c.data()));
        for (const double value : c) {
            if (value != 0.0) {
                throw std::runtime_error("the result is wrong");
            }
        }
        std::puts(kael_version());
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
