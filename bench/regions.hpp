// Parallel regions without work.
#pragma once

#include "check.hpp"
#include "empty_region.h"
#include "kael/parallel.h"

namespace bench {

// One index for each thread. kael must be set to as many threads.
inline void empty_kael_region(int threads) {
    kael_parallel_body *const nothing = [](std::int64_t, std::int64_t, void *) { return KAEL_OK; };
    check(kael_parallel_for(0, threads, 1, nothing, nullptr));
}

inline void empty_openmp_region(int threads) {
    bench_empty_openmp_region(threads);
}

} // namespace bench
