// Matrix products to time: out += a * b on random operands.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <random>

namespace bench {

template <typename T> struct Element;
template <> struct Element<float> { static constexpr const char *name = "f32"; };
template <> struct Element<double> { static constexpr const char *name = "f64"; };

struct Strides {
    std::int64_t row;
    std::int64_t column;
};

struct Sizes {
    std::int64_t m;
    std::int64_t k;
    std::int64_t n;

    double flops() const {
        return 2.0 * static_cast<double>(m) * static_cast<double>(k) * static_cast<double>(n);
    }
};

template <typename T> struct Matrix {
    const T *data;
    Strides strides;
};

// a is m x k, b is k x n; out is m x n, row-major and contiguous.
template <typename T> struct Product {
    Sizes sizes;
    Matrix<T> a;
    Matrix<T> b;
    T *out;
};

// Memory that starts at a cache line.
template <typename T> class Buffer {
  public:
    explicit Buffer(std::int64_t count)
        : count_(static_cast<std::size_t>(count)),
          data_(static_cast<T *>(std::aligned_alloc(64, (bytes() + 63) / 64 * 64))) {
        if (data_ == nullptr) {
            throw std::bad_alloc();
        }
        clear();
    }

    std::size_t count() const {
        return count_;
    }
    std::size_t bytes() const {
        return count_ * sizeof(T);
    }
    T *data() const {
        return data_.get();
    }

    void clear() {
        std::memset(data(), 0, bytes());
    }

    // With numbers from -1 to 1.
    void fill_random(std::minstd_rand &generator) {
        const T scale = static_cast<T>(2) / static_cast<T>(std::minstd_rand::max());
        for (std::size_t i = 0; i < count_; ++i) {
            data()[i] = static_cast<T>(generator()) * scale - 1;
        }
    }

  private:
    struct Free {
        void operator()(T *data) const {
            std::free(data);
        }
    };
    std::size_t count_;
    std::unique_ptr<T[], Free> data_;
};

template <typename T> class Problem {
  public:
    // Row-major operands.
    explicit Problem(const Sizes &sizes) : Problem(sizes, {sizes.k, 1}, {sizes.n, 1}) {}

    Problem(const Sizes &sizes, const Strides &a, const Strides &b)
        : a_(extent(sizes.m, sizes.k, a)), b_(extent(sizes.k, sizes.n, b)),
          out_(sizes.m * sizes.n), product_{sizes, {a_.data(), a}, {b_.data(), b}, out_.data()} {
        std::minstd_rand generator(1);
        a_.fill_random(generator);
        b_.fill_random(generator);
    }

    const Product<T> &product() const {
        return product_;
    }
    Buffer<T> &out() {
        return out_;
    }
    const Buffer<T> &a() const {
        return a_;
    }
    const Buffer<T> &b() const {
        return b_;
    }

  private:
    static std::int64_t extent(std::int64_t rows, std::int64_t columns, const Strides &strides) {
        return (rows - 1) * strides.row + (columns - 1) * strides.column + 1;
    }

    Buffer<T> a_;
    Buffer<T> b_;
    Buffer<T> out_;
    Product<T> product_;
};

} // namespace bench
