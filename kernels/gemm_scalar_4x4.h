/* The 4 x 4 scalar kernels of one instruction set: the includer defines SET, its name. */
#include "kernels/row_cases.h"

#define PASTE3(a, b, c) a##b##c
#define EXPAND3(a, b, c) PASTE3(a, b, c)
#define TEXT(x) #x
#define EXPAND_TEXT(x) TEXT(x)

#define SCALAR_LENGTH 4
#define SCALAR_ELEMENT float
#define SCALAR_FMA __builtin_fmaf
#define SCALAR(name) scalar4_##name##_f32
#include "kernels/scalar_vector.h"
#define GEMM(name) name##_4x4_f32
#define GEMM_RECORD EXPAND3(kael_gemm_f32_, SET, _4x4)
#define GEMM_NAME EXPAND_TEXT(SET) "_4x4"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 1
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(4)
#include "kernels/gemm_template.h"
#undef SCALAR_ELEMENT
#undef SCALAR_FMA
#undef SCALAR

#define SCALAR_ELEMENT double
#define SCALAR_FMA __builtin_fma
#define SCALAR(name) scalar4_##name##_f64
#include "kernels/scalar_vector.h"
#define GEMM(name) name##_4x4_f64
#define GEMM_RECORD EXPAND3(kael_gemm_f64_, SET, _4x4)
#define GEMM_NAME EXPAND_TEXT(SET) "_4x4"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 1
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(4)
#include "kernels/gemm_template.h"
#undef SCALAR_ELEMENT
#undef SCALAR_FMA
#undef SCALAR
#undef SCALAR_LENGTH
