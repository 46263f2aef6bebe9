/* Plain C for every machine: 6 x 8 tiles, which the compiler keeps in what registers it has. */
#include <stdbool.h>
#include <stdint.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

#define SCALAR_LENGTH 8
#define SCALAR_ELEMENT float
#define SCALAR_FMA __builtin_fmaf
#define SCALAR(name) scalar8_##name##_f32
#include "kernels/scalar_vector.h"
#define GEMM(name) name##_f32
#define GEMM_RECORD kael_gemm_f32_generic
#define GEMM_NAME "generic_6x8"
#define GEMM_KC 256
#define TILE_ROWS 6
#define TILE_ROW_CASES KAEL_ROWS_6
#define TILE_VECTORS 1
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"
#undef SCALAR_ELEMENT
#undef SCALAR_FMA
#undef SCALAR

#define SCALAR_ELEMENT double
#define SCALAR_FMA __builtin_fma
#define SCALAR(name) scalar8_##name##_f64
#include "kernels/scalar_vector.h"
#define GEMM(name) name##_f64
#define GEMM_RECORD kael_gemm_f64_generic
#define GEMM_NAME "generic_6x8"
#define GEMM_KC 256
#define TILE_ROWS 6
#define TILE_ROW_CASES KAEL_ROWS_6
#define TILE_VECTORS 1
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) KAEL_PANEL_WIDTHS(X, TILE_ROWS, TILE_COLUMNS)
#include "kernels/gemm_template.h"
#undef SCALAR_ELEMENT
#undef SCALAR_FMA
#undef SCALAR
#undef SCALAR_LENGTH

#define SET generic
#include "kernels/gemm_scalar_4x4.h"
