/* 28 of the 32 registers hold sums, 2 a row of b, 1 an element of a. */
#include <stdbool.h>
#include <stdint.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

#include "kernels/avx512/vector_f32.h"
#define GEMM(name) name##_f32
#define GEMM_RECORD kael_gemm_f32_avx512
#define GEMM_NAME "avx512_14x32"
#define GEMM_KC 1024
#define TILE_ROWS 14
#define TILE_ROW_CASES KAEL_ROWS_14
#define TILE_VECTORS 2
#define TILE_UNROLL 2
#define PREFETCH_PANELS true
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"

#include "kernels/avx512/vector_f64.h"
#define GEMM(name) name##_f64
#define GEMM_RECORD kael_gemm_f64_avx512
#define GEMM_NAME "avx512_14x16"
#define GEMM_KC 1024
#define TILE_ROWS 14
#define TILE_ROW_CASES KAEL_ROWS_14
#define TILE_VECTORS 2
#define TILE_UNROLL 2
#define PREFETCH_PANELS true
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"

#define SET avx512
#include "kernels/gemm_scalar_4x4.h"
