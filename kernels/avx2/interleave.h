/* Vectors of 32 bytes with the names of kernels/interleave.h. */
#ifndef KAEL_KERNELS_AVX2_INTERLEAVE_H
#define KAEL_KERNELS_AVX2_INTERLEAVE_H

#include <immintrin.h>
#include <stdint.h>

#define INTERLEAVE_LANES 2

typedef __m256i interleave_vector;

#define interleave_low_1(a, b) _mm256_unpacklo_epi8(a, b)
#define interleave_high_1(a, b) _mm256_unpackhi_epi8(a, b)
#define interleave_low_2(a, b) _mm256_unpacklo_epi16(a, b)
#define interleave_high_2(a, b) _mm256_unpackhi_epi16(a, b)
#define interleave_low_4(a, b) _mm256_unpacklo_epi32(a, b)
#define interleave_high_4(a, b) _mm256_unpackhi_epi32(a, b)
#define interleave_low_8(a, b) _mm256_unpacklo_epi64(a, b)
#define interleave_high_8(a, b) _mm256_unpackhi_epi64(a, b)

static inline interleave_vector interleave_load(const char *in, int64_t lane_stride) {
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)in);
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(in + lane_stride));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void interleave_store(char *out, interleave_vector vector) {
    _mm256_storeu_si256((__m256i *)(void *)out, vector);
}

static inline void interleave_stream(char *out, interleave_vector vector) {
    _mm256_stream_si256((__m256i *)(void *)out, vector);
}

static inline void interleave_finish_streams(void) {
    _mm_sfence();
}

#endif
