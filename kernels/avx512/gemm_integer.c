/* Products of 32-bit and of 64-bit numbers are one instruction each, of two and three steps. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

#define FIRST(count) ((1U << (count)) - 1U)

#define INTEGER_ELEMENT uint32_t
#define INTEGER_LENGTH 16
#define INTEGER(name) integer_##name##_u32
#define INTEGER_LOAD_PART(p, n) _mm512_maskz_loadu_epi32((__mmask16)FIRST(n), p)
#define INTEGER_STORE_PART(p, v, n) _mm512_mask_storeu_epi32(p, (__mmask16)FIRST(n), (__m512i)(v))
#include "kernels/integer_vector.h"
#define GEMM(name) name##_u32
#define GEMM_RECORD kael_gemm_u32_avx512
#define GEMM_NAME "avx512_8x32"
#define GEMM_KC 192
#define TILE_ROWS 8
#define TILE_ROW_CASES KAEL_ROWS_8
#define TILE_VECTORS 2
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(8) X(32)
#include "kernels/gemm_template.h"
#undef INTEGER_ELEMENT
#undef INTEGER_LENGTH
#undef INTEGER
#undef INTEGER_LOAD_PART
#undef INTEGER_STORE_PART

#define INTEGER_ELEMENT uint64_t
#define INTEGER_LENGTH 8
#define INTEGER(name) integer_##name##_u64
#define INTEGER_LOAD_PART(p, n) _mm512_maskz_loadu_epi64((__mmask8)FIRST(n), p)
#define INTEGER_STORE_PART(p, v, n) _mm512_mask_storeu_epi64(p, (__mmask8)FIRST(n), (__m512i)(v))
#include "kernels/integer_vector.h"
#define GEMM(name) name##_u64
#define GEMM_RECORD kael_gemm_u64_avx512
#define GEMM_NAME "avx512_8x16"
#define GEMM_KC 192
#define TILE_ROWS 8
#define TILE_ROW_CASES KAEL_ROWS_8
#define TILE_VECTORS 2
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(8) X(16)
#include "kernels/gemm_template.h"
