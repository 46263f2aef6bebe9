/* An OpenMP region that does nothing, as the yardstick for kael_parallel_for. In C, so that it runs
 * on the OpenMP runtime of kael's own compiler. */
#ifndef KAEL_BENCH_EMPTY_REGION_H
#define KAEL_BENCH_EMPTY_REGION_H

#ifdef __cplusplus
extern "C" {
#endif

void bench_empty_openmp_region(int threads);

#ifdef __cplusplus
}
#endif

#endif
