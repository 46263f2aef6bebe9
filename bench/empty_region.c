#include "empty_region.h"

void bench_empty_openmp_region(int threads) {
#pragma omp parallel num_threads(threads)
    __asm__ volatile("" ::: "memory");
}
