/* Vectors of 16 bytes for copies and for transposes in registers. An instruction set with wider
 * ones has a header of the same names in its folder.
 *
 * A vector holds INTERLEAVE_LANES groups of 16 bytes. interleave_low_<n>(a, b) takes elements of n
 * bytes in turn from the first halves of each group of a and of b, interleave_high_<n> from the
 * second halves. */
#ifndef KAEL_KERNELS_INTERLEAVE_H
#define KAEL_KERNELS_INTERLEAVE_H

#include <stdint.h>
#include <string.h>

#define INTERLEAVE_LANES 1

typedef uint8_t interleave_vector __attribute__((vector_size(16)));
typedef uint16_t interleave_vector_2 __attribute__((vector_size(16)));
typedef uint32_t interleave_vector_4 __attribute__((vector_size(16)));
typedef uint64_t interleave_vector_8 __attribute__((vector_size(16)));

#define interleave_low_1(a, b)                                                                     \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define interleave_high_1(a, b)                                                                    \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

#define INTERLEAVE_AS(type, a, b, ...)                                                             \
    (interleave_vector) __builtin_shufflevector((type)(a), (type)(b), __VA_ARGS__)
#define interleave_low_2(a, b) INTERLEAVE_AS(interleave_vector_2, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define interleave_high_2(a, b) INTERLEAVE_AS(interleave_vector_2, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define interleave_low_4(a, b) INTERLEAVE_AS(interleave_vector_4, a, b, 0, 4, 1, 5)
#define interleave_high_4(a, b) INTERLEAVE_AS(interleave_vector_4, a, b, 2, 6, 3, 7)
#define interleave_low_8(a, b) INTERLEAVE_AS(interleave_vector_8, a, b, 0, 2)
#define interleave_high_8(a, b) INTERLEAVE_AS(interleave_vector_8, a, b, 1, 3)

/* One group from each of INTERLEAVE_LANES places. */
static inline interleave_vector interleave_load(const char *in, int64_t lane_stride) {
    (void)lane_stride;
    interleave_vector vector;
    memcpy(&vector, in, sizeof vector);
    return vector;
}

static inline void interleave_store(char *out, interleave_vector vector) {
    memcpy(out, &vector, sizeof vector);
}

/* Stores of whole cache lines past the caches; here, plain ones. */
static inline void interleave_stream(char *out, interleave_vector vector) {
    interleave_store(out, vector);
}

static inline void interleave_finish_streams(void) {}

#endif
