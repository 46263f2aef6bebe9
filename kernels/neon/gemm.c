/* f32: 24 of the 32 registers hold sums, 3 a row of b, 1 an element of a; f64 likewise. */
#include <stdbool.h>
#include <stdint.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

#include "kernels/neon/vector_f32.h"
#define GEMM(name) name##_f32
#define GEMM_RECORD kael_gemm_f32_neon
#define GEMM_NAME "neon_8x12"
#define GEMM_KC 256
#define TILE_ROWS 8
#define TILE_ROW_CASES KAEL_ROWS_8
#define TILE_VECTORS 3
#define TILE_UNROLL 2
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"

#include "kernels/neon/vector_f64.h"
#define GEMM(name) name##_f64
#define GEMM_RECORD kael_gemm_f64_neon
#define GEMM_NAME "neon_6x8"
#define GEMM_KC 256
#define TILE_ROWS 6
#define TILE_ROW_CASES KAEL_ROWS_6
#define TILE_VECTORS 4
#define TILE_UNROLL 2
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"

#define SET neon
#include "kernels/gemm_scalar_4x4.h"
