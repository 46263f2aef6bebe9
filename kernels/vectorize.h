/* What loops that a compiler is to vectorise are written with. */
#ifndef KAEL_KERNELS_VECTORIZE_H
#define KAEL_KERNELS_VECTORIZE_H

/* Tells the compiler that no iteration of the loop that follows reads what another one writes;
 * input and output may be the same array, which its own check for overlap would turn into a scalar
 * loop. */
#ifdef __clang__
#define KAEL_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
/* Builds that are hardly optimised keep such loops scalar. */
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define KAEL_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

/* The same for a loop over one vector or a few, which is not to be taken apart before it is seen to
 * be one. */
#ifdef __clang__
#define KAEL_VECTOR_ITERATIONS _Pragma("clang loop vectorize(assume_safety) unroll(disable)")
#else
#define KAEL_VECTOR_ITERATIONS _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#endif

#define KAEL_ALWAYS_INLINE inline __attribute__((always_inline))
#define KAEL_NEVER_INLINE __attribute__((noinline))

#endif
