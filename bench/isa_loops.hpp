// Loops that do nothing but what an instruction set is limited by: fused multiply-adds in
// registers, and loads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

template <typename T> struct FmaLoop {
    T (*run)(std::int64_t steps, T factor);
    double flops_per_step;
};

struct IsaLoops {
    const char *isa;
    FmaLoop<float> fma_f32;
    FmaLoop<double> fma_f64;
    std::uint64_t (*read)(const void *data, std::size_t bytes);
};

// The loops of the instruction set that kael uses.
const IsaLoops &isa_loops();

} // namespace bench
