/* 12 of the 16 registers hold sums, 3 a row of b, 1 an element of a. */
#include <stdbool.h>
#include <stdint.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

#include "kernels/avx2/vector_f32.h"
#define GEMM(name) name##_f32
#define GEMM_RECORD kael_gemm_f32_avx2
#define GEMM_NAME "avx2_4x24"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 3
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"

#include "kernels/avx2/vector_f64.h"
#define GEMM(name) name##_f64
#define GEMM_RECORD kael_gemm_f64_avx2
#define GEMM_NAME "avx2_4x12"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 3
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"

#define SET avx2
#include "kernels/gemm_scalar_4x4.h"
