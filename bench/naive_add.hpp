// The addition of two tensors without an iterator: each element's place is computed from its
// number.
#pragma once

#include <cstdint>
#include <vector>

namespace bench {

struct NaiveLayout {
    const float *data;
    std::vector<std::int64_t> strides; // in elements; 0 where a dimension is broadcast
};

inline std::int64_t naive_offset(std::int64_t index, const std::vector<std::int64_t> &shape,
                                 const std::vector<std::int64_t> &strides) {
    std::int64_t offset = 0;
    for (std::size_t dim = shape.size(); dim-- > 0;) {
        offset += index % shape[dim] * strides[dim];
        index /= shape[dim];
    }
    return offset;
}

inline void naive_add(float *out, std::int64_t numel, const std::vector<std::int64_t> &shape,
                      const NaiveLayout &a, const NaiveLayout &b) {
    for (std::int64_t i = 0; i < numel; ++i) {
        out[i] =
            a.data[naive_offset(i, shape, a.strides)] + b.data[naive_offset(i, shape, b.strides)];
    }
}

} // namespace bench
