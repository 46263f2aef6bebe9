/* Vectors of 4 doubles; the vocabulary of gemm_template.h. */
#include <immintrin.h>

#include "kernels/undefine_vector.h"

#define ELEMENT double
#define scalar_fma(a, b, c) __builtin_fma(a, b, c)

#define VECTOR __m256d
#define VECTOR_LENGTH 4
#define TRANSPOSED 2
#define v_zero() _mm256_setzero_pd()
#define v_load(p) _mm256_loadu_pd(p)
#define v_store(p, v) _mm256_storeu_pd(p, v)
#define v_broadcast(x) _mm256_set1_pd(x)
#define v_add(a, b) _mm256_add_pd(a, b)
#define v_multiply(a, b) _mm256_mul_pd(a, b)
#define v_fma(a, b, c) _mm256_fmadd_pd(a, b, c)
#define v_load_part(p, n) _mm256_maskload_pd(p, first_4(n))
#define v_store_part(p, v, n) _mm256_maskstore_pd(p, first_4(n), v)
#define v_store_constant_part(p, v, n) memcpy(p, &(v), (size_t)(n) * sizeof(ELEMENT))
#define v_transpose(rows, k, columns) transpose_f64(rows, k, columns)
#define LINE TRANSPOSED
#define v_transpose_line(rows, k, columns) v_transpose(rows, k, columns)

#define OCTET octet_f64
#define o_zero() octet_zero()
#define o_load(p) octet_load(p)
#define o_store(p, o) octet_store(p, o)
#define o_fma(a, b, c) octet_fma(a, b, c)

static inline __m256i first_4(int64_t count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}

/* Two elements of rows i and i + 2 side by side. */
static inline __m256d load_pairs(const double *const rows[4], int64_t k, int i) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows[i] + k)),
                                _mm_loadu_pd(rows[i + 2] + k), 1);
}

static inline void transpose_f64(const double *const rows[4], int64_t k, __m256d columns[2]) {
    const __m256d even = load_pairs(rows, k, 0);
    const __m256d odd = load_pairs(rows, k, 1);
    columns[0] = _mm256_unpacklo_pd(even, odd);
    columns[1] = _mm256_unpackhi_pd(even, odd);
}

typedef struct octet_f64 {
    __m256d low;
    __m256d high;
} octet_f64;

static inline octet_f64 octet_zero(void) {
    return (octet_f64){_mm256_setzero_pd(), _mm256_setzero_pd()};
}

static inline octet_f64 octet_load(const double *p) {
    return (octet_f64){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}

static inline void octet_store(double *p, octet_f64 octet) {
    _mm256_storeu_pd(p, octet.low);
    _mm256_storeu_pd(p + 4, octet.high);
}

static inline octet_f64 octet_fma(octet_f64 a, octet_f64 b, octet_f64 c) {
    return (octet_f64){_mm256_fmadd_pd(a.low, b.low, c.low),
                       _mm256_fmadd_pd(a.high, b.high, c.high)};
}
