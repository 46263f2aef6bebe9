/* Vectors of 8 floats; the vocabulary of gemm_template.h. */
#include <immintrin.h>

#include "kernels/undefine_vector.h"

#define ELEMENT float
#define scalar_fma(a, b, c) __builtin_fmaf(a, b, c)

#define VECTOR __m256
#define VECTOR_LENGTH 8
#define TRANSPOSED 4
#define v_zero() _mm256_setzero_ps()
#define v_load(p) _mm256_loadu_ps(p)
#define v_store(p, v) _mm256_storeu_ps(p, v)
#define v_broadcast(x) _mm256_set1_ps(x)
#define v_add(a, b) _mm256_add_ps(a, b)
#define v_multiply(a, b) _mm256_mul_ps(a, b)
#define v_fma(a, b, c) _mm256_fmadd_ps(a, b, c)
#define v_load_part(p, n) _mm256_maskload_ps(p, first_8(n))
#define v_store_part(p, v, n) _mm256_maskstore_ps(p, first_8(n), v)
#define v_store_constant_part(p, v, n) memcpy(p, &(v), (size_t)(n) * sizeof(ELEMENT))
#define v_transpose(rows, k, columns) transpose_f32(rows, k, columns)
#define LINE TRANSPOSED
#define v_transpose_line(rows, k, columns) v_transpose(rows, k, columns)

#define OCTET __m256
#define o_zero() v_zero()
#define o_load(p) v_load(p)
#define o_store(p, o) v_store(p, o)
#define o_fma(a, b, c) v_fma(a, b, c)

static inline __m256i first_8(int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/* Four elements of rows i and i + 4 side by side. */
static inline __m256 load_quads(const float *const rows[8], int64_t k, int i) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[i] + k)),
                                _mm_loadu_ps(rows[i + 4] + k), 1);
}

/* A 4 x 4 transpose within each half of the vectors. */
static inline void transpose_f32(const float *const rows[8], int64_t k, __m256 columns[4]) {
    const __m256 row0 = load_quads(rows, k, 0);
    const __m256 row1 = load_quads(rows, k, 1);
    const __m256 row2 = load_quads(rows, k, 2);
    const __m256 row3 = load_quads(rows, k, 3);
    const __m256d low01 = _mm256_castps_pd(_mm256_unpacklo_ps(row0, row1));
    const __m256d high01 = _mm256_castps_pd(_mm256_unpackhi_ps(row0, row1));
    const __m256d low23 = _mm256_castps_pd(_mm256_unpacklo_ps(row2, row3));
    const __m256d high23 = _mm256_castps_pd(_mm256_unpackhi_ps(row2, row3));
    columns[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low01, low23));
    columns[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low01, low23));
    columns[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high01, high23));
    columns[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high01, high23));
}
