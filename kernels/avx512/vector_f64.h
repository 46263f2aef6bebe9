/* Vectors of 8 doubles; the vocabulary of gemm_template.h. */
#include <immintrin.h>

#include "kernels/undefine_vector.h"

#define ELEMENT double
#define scalar_fma(a, b, c) __builtin_fma(a, b, c)

#define VECTOR __m512d
#define VECTOR_LENGTH 8
#define TRANSPOSED 2
#define v_zero() _mm512_setzero_pd()
#define v_load(p) _mm512_loadu_pd(p)
#define v_store(p, v) _mm512_storeu_pd(p, v)
#define v_broadcast(x) _mm512_set1_pd(x)
#define v_add(a, b) _mm512_add_pd(a, b)
#define v_multiply(a, b) _mm512_mul_pd(a, b)
#define v_fma(a, b, c) _mm512_fmadd_pd(a, b, c)
#define v_load_part(p, n) _mm512_maskz_loadu_pd(first_8(n), p)
#define v_store_part(p, v, n) _mm512_mask_storeu_pd(p, first_8(n), v)
#define v_store_constant_part(p, v, n) v_store_part(p, v, n)
#define v_transpose(rows, k, columns) transpose_f64(rows, k, columns)

#define LINE 8
#define v_transpose_line(rows, k, columns) transpose_line_f64(rows, k, columns)

#define OCTET __m512d
#define o_zero() v_zero()
#define o_load(p) v_load(p)
#define o_store(p, o) v_store(p, o)
#define o_fma(a, b, c) v_fma(a, b, c)

static inline __mmask8 first_8(int64_t count) {
    return (__mmask8)((1U << count) - 1U);
}

/* Two elements of rows i, i + 2, i + 4 and i + 6 side by side. */
static inline __m512d load_pairs(const double *const rows[8], int64_t k, int i) {
    __m512d pairs = _mm512_castpd128_pd512(_mm_loadu_pd(rows[i] + k));
    pairs = _mm512_mask_broadcast_f64x2(pairs, 0x0C, _mm_loadu_pd(rows[i + 2] + k));
    pairs = _mm512_mask_broadcast_f64x2(pairs, 0x30, _mm_loadu_pd(rows[i + 4] + k));
    return _mm512_mask_broadcast_f64x2(pairs, 0xC0, _mm_loadu_pd(rows[i + 6] + k));
}

static inline void transpose_f64(const double *const rows[8], int64_t k, __m512d columns[2]) {
    const __m512d even = load_pairs(rows, k, 0);
    const __m512d odd = load_pairs(rows, k, 1);
    columns[0] = _mm512_unpacklo_pd(even, odd);
    columns[1] = _mm512_unpackhi_pd(even, odd);
}

/* An 8 x 8 transpose of whole cache lines, for the reason given for floats. */
static inline void transpose_line_f64(const double *const rows[8], int64_t k, __m512d columns[8]) {
    __m512d pairs[8];
    for (int i = 0; i < 8; i += 2) {
        const __m512d even = _mm512_loadu_pd(rows[i] + k);
        const __m512d odd = _mm512_loadu_pd(rows[i + 1] + k);
        pairs[i] = _mm512_unpacklo_pd(even, odd);
        pairs[i + 1] = _mm512_unpackhi_pd(even, odd);
    }
    /* Quarter q of pairs[2 g + c] holds column 2 q + c of the rows 2 g and 2 g + 1. */
    for (int c = 0; c < 2; ++c) {
        const __m512d low01 = _mm512_shuffle_f64x2(pairs[c], pairs[2 + c], 0x44);
        const __m512d high01 = _mm512_shuffle_f64x2(pairs[c], pairs[2 + c], 0xEE);
        const __m512d low23 = _mm512_shuffle_f64x2(pairs[4 + c], pairs[6 + c], 0x44);
        const __m512d high23 = _mm512_shuffle_f64x2(pairs[4 + c], pairs[6 + c], 0xEE);
        columns[c] = _mm512_shuffle_f64x2(low01, low23, 0x88);
        columns[2 + c] = _mm512_shuffle_f64x2(low01, low23, 0xDD);
        columns[4 + c] = _mm512_shuffle_f64x2(high01, high23, 0x88);
        columns[6 + c] = _mm512_shuffle_f64x2(high01, high23, 0xDD);
    }
}
