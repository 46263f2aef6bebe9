#include <immintrin.h>
#include <stdint.h>

#define LANES __m512i
#define LANES_COUNT 8
#define l_broadcast(x) _mm512_set1_epi64((long long)(x))
#define l_from(x) _mm512_add_epi64(l_broadcast(x), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7))
#define l_load(p) _mm512_loadu_si512(p)
#define l_save(p, a) _mm512_storeu_si512(p, a)
#define l_add(a, b) _mm512_add_epi64(a, b)
#define l_xor(a, b) _mm512_xor_si512(a, b)
#define l_multiply(a, b) _mm512_mul_epu32(a, b)
#define l_upper(a) _mm512_srli_epi64(a, 32)
#define l_store(p, w0, w1, w2, w3) store_words(p, w0, w1, w2, w3)

static inline void store_words(uint64_t *p, __m512i w0, __m512i w1, __m512i w2, __m512i w3) {
    const __m512i first = _mm512_mask_blend_epi32(0xAAAA, w0, _mm512_slli_epi64(w1, 32));
    const __m512i second = _mm512_mask_blend_epi32(0xAAAA, w2, _mm512_slli_epi64(w3, 32));
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_storeu_si512(p, _mm512_permutex2var_epi64(first, low, second));
    _mm512_storeu_si512(p + 8, _mm512_permutex2var_epi64(first, high, second));
}

#define SET avx512
#include "kernels/random_set.h"
