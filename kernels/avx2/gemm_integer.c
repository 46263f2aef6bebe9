/* The product of 32-bit numbers is one instruction, that of 64-bit numbers several, which need
 * registers of their own. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

static inline __m256i first_8(int64_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline __m256i first_4(int64_t count) {
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}

#define INTEGER_ELEMENT uint32_t
#define INTEGER_LENGTH 8
#define INTEGER(name) integer_##name##_u32
#define INTEGER_LOAD_PART(p, n) _mm256_maskload_epi32((const int *)(p), first_8(n))
#define INTEGER_STORE_PART(p, v, n) _mm256_maskstore_epi32((int *)(p), first_8(n), (__m256i)(v))
#include "kernels/integer_vector.h"
#define GEMM(name) name##_u32
#define GEMM_RECORD kael_gemm_u32_avx2
#define GEMM_NAME "avx2_6x16"
#define GEMM_KC 256
#define TILE_ROWS 6
#define TILE_ROW_CASES KAEL_ROWS_6
#define TILE_VECTORS 2
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(6) X(16)
#include "kernels/gemm_template.h"
#undef INTEGER_ELEMENT
#undef INTEGER_LENGTH
#undef INTEGER
#undef INTEGER_LOAD_PART
#undef INTEGER_STORE_PART

#define INTEGER_ELEMENT uint64_t
#define INTEGER_LENGTH 4
#define INTEGER(name) integer_##name##_u64
#define INTEGER_LOAD_PART(p, n) _mm256_maskload_epi64((const long long *)(p), first_4(n))
#define INTEGER_STORE_PART(p, v, n)                                                                \
    _mm256_maskstore_epi64((long long *)(p), first_4(n), (__m256i)(v))
#include "kernels/integer_vector.h"
#define GEMM(name) name##_u64
#define GEMM_RECORD kael_gemm_u64_avx2
#define GEMM_NAME "avx2_4x8"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 2
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(4) X(8)
#include "kernels/gemm_template.h"
