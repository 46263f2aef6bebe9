/* Vectors of 16 floats; the vocabulary of gemm_template.h. */
#include <immintrin.h>

#include "kernels/undefine_vector.h"

#define ELEMENT float
#define scalar_fma(a, b, c) __builtin_fmaf(a, b, c)

#define VECTOR __m512
#define VECTOR_LENGTH 16
#define TRANSPOSED 4
#define v_zero() _mm512_setzero_ps()
#define v_load(p) _mm512_loadu_ps(p)
#define v_store(p, v) _mm512_storeu_ps(p, v)
#define v_broadcast(x) _mm512_set1_ps(x)
#define v_add(a, b) _mm512_add_ps(a, b)
#define v_multiply(a, b) _mm512_mul_ps(a, b)
#define v_fma(a, b, c) _mm512_fmadd_ps(a, b, c)
#define v_load_part(p, n) _mm512_maskz_loadu_ps(first_16(n), p)
#define v_store_part(p, v, n) _mm512_mask_storeu_ps(p, first_16(n), v)
#define v_store_constant_part(p, v, n) v_store_part(p, v, n)
#define v_transpose(rows, k, columns) transpose_f32(rows, k, columns)

#define LINE 16
#define v_transpose_line(rows, k, columns) transpose_line_f32(rows, k, columns)

#define OCTET __m256
#define o_zero() _mm256_setzero_ps()
#define o_load(p) _mm256_loadu_ps(p)
#define o_store(p, o) _mm256_storeu_ps(p, o)
#define o_fma(a, b, c) _mm256_fmadd_ps(a, b, c)

static inline __mmask16 first_16(int64_t count) {
    return (__mmask16)((1U << count) - 1U);
}

/* Four elements of rows i, i + 4, i + 8 and i + 12 side by side. */
static inline __m512 load_quads(const float *const rows[16], int64_t k, int i) {
    __m512 quads = _mm512_castps128_ps512(_mm_loadu_ps(rows[i] + k));
    quads = _mm512_mask_broadcast_f32x4(quads, 0x00F0, _mm_loadu_ps(rows[i + 4] + k));
    quads = _mm512_mask_broadcast_f32x4(quads, 0x0F00, _mm_loadu_ps(rows[i + 8] + k));
    return _mm512_mask_broadcast_f32x4(quads, 0xF000, _mm_loadu_ps(rows[i + 12] + k));
}

/* A 4 x 4 transpose within each quarter of the vectors. */
static inline void transpose_f32(const float *const rows[16], int64_t k, __m512 columns[4]) {
    const __m512 row0 = load_quads(rows, k, 0);
    const __m512 row1 = load_quads(rows, k, 1);
    const __m512 row2 = load_quads(rows, k, 2);
    const __m512 row3 = load_quads(rows, k, 3);
    const __m512d low01 = _mm512_castps_pd(_mm512_unpacklo_ps(row0, row1));
    const __m512d high01 = _mm512_castps_pd(_mm512_unpackhi_ps(row0, row1));
    const __m512d low23 = _mm512_castps_pd(_mm512_unpacklo_ps(row2, row3));
    const __m512d high23 = _mm512_castps_pd(_mm512_unpackhi_ps(row2, row3));
    columns[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low01, low23));
    columns[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low01, low23));
    columns[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high01, high23));
    columns[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high01, high23));
}

/* A 16 x 16 transpose of whole cache lines: rows that are a power of two apart share a few places
 * of the first-level cache, so a line has to be used up in one visit. */
static inline void transpose_line_f32(const float *const rows[16], int64_t k, __m512 columns[16]) {
    __m512 pairs[16];
    __m512 quads[16];
    for (int i = 0; i < 16; i += 2) {
        const __m512 even = _mm512_loadu_ps(rows[i] + k);
        const __m512 odd = _mm512_loadu_ps(rows[i + 1] + k);
        pairs[i] = _mm512_unpacklo_ps(even, odd);
        pairs[i + 1] = _mm512_unpackhi_ps(even, odd);
    }
    for (int i = 0; i < 16; i += 4) {
        for (int half = 0; half < 2; ++half) {
            const __m512d low = _mm512_castps_pd(pairs[i + half]);
            const __m512d high = _mm512_castps_pd(pairs[i + 2 + half]);
            quads[i + 2 * half] = _mm512_castpd_ps(_mm512_unpacklo_pd(low, high));
            quads[i + 2 * half + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low, high));
        }
    }
    /* Quarter q of quads[4 g + c] holds column 4 q + c of the rows 4 g ... 4 g + 3. */
    for (int c = 0; c < 4; ++c) {
        const __m512 low01 = _mm512_shuffle_f32x4(quads[c], quads[4 + c], 0x44);
        const __m512 high01 = _mm512_shuffle_f32x4(quads[c], quads[4 + c], 0xEE);
        const __m512 low23 = _mm512_shuffle_f32x4(quads[8 + c], quads[12 + c], 0x44);
        const __m512 high23 = _mm512_shuffle_f32x4(quads[8 + c], quads[12 + c], 0xEE);
        columns[c] = _mm512_shuffle_f32x4(low01, low23, 0x88);
        columns[4 + c] = _mm512_shuffle_f32x4(low01, low23, 0xDD);
        columns[8 + c] = _mm512_shuffle_f32x4(high01, high23, 0x88);
        columns[12 + c] = _mm512_shuffle_f32x4(high01, high23, 0xDD);
    }
}
