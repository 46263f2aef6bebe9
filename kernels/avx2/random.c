#include <immintrin.h>
#include <stdint.h>

#define LANES __m256i
#define LANES_COUNT 4
#define l_broadcast(x) _mm256_set1_epi64x((long long)(x))
#define l_from(x) _mm256_add_epi64(l_broadcast(x), _mm256_setr_epi64x(0, 1, 2, 3))
#define l_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define l_save(p, a) _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define l_add(a, b) _mm256_add_epi64(a, b)
#define l_xor(a, b) _mm256_xor_si256(a, b)
#define l_multiply(a, b) _mm256_mul_epu32(a, b)
#define l_upper(a) _mm256_srli_epi64(a, 32)
#define l_store(p, w0, w1, w2, w3) store_words(p, w0, w1, w2, w3)

static inline void store_words(uint64_t *p, __m256i w0, __m256i w1, __m256i w2, __m256i w3) {
    const __m256i first = _mm256_blend_epi32(w0, _mm256_slli_epi64(w1, 32), 0xAA);
    const __m256i second = _mm256_blend_epi32(w2, _mm256_slli_epi64(w3, 32), 0xAA);
    const __m256i even = _mm256_unpacklo_epi64(first, second);
    const __m256i odd = _mm256_unpackhi_epi64(first, second);
    __m256i *vectors = (__m256i *)(void *)p;
    _mm256_storeu_si256(vectors, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(vectors + 1, _mm256_permute2x128_si256(even, odd, 0x31));
}

#define SET avx2
#include "kernels/random_set.h"
