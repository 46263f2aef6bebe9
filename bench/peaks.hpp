// What the machine can do at this moment. The clock moves with temperature, with the neighbours and
// with the instructions in use, so a fraction of the peak means something only if both were
// measured side by side.
#pragma once

#include <cstdint>

#include "isa_loops.hpp"

namespace bench {

// About a millisecond of fused multiply-adds on each of `threads` threads at once.
template <typename T> class FmaPeak {
  public:
    // kael must be set to as many threads when it runs.
    explicit FmaPeak(int threads);

    void run() const;
    double flops() const;

    // Flops per second: the best of a few runs.
    double measure() const;

  private:
    int threads_;
    std::int64_t steps_;
};

// Reads all bytes once on the calling thread.
void read_all(const void *data, std::size_t bytes);

// Bytes per second of read_all, with `data` in whatever cache holds it: the best of a few runs.
double measure_read_bandwidth(const void *data, std::size_t bytes);

} // namespace bench
