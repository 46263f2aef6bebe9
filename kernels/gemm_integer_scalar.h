/* The integer kernels of sets whose compilers make good vector code of plain C: the includer
 * defines SET, its name. */
#include <stdbool.h>
#include <stdint.h>

#include "kernels/gemm.h"
#include "kernels/row_cases.h"

#define PASTE(a, b) a##b
#define EXPAND(a, b) PASTE(a, b)
#define TEXT(x) #x
#define EXPAND_TEXT(x) TEXT(x)

#define SCALAR_LENGTH 8
#define SCALAR_FMA(a, b, c) ((a) * (b) + (c))

#define SCALAR_ELEMENT uint32_t
#define SCALAR(name) scalar8_##name##_u32
#include "kernels/scalar_vector.h"
#define GEMM(name) name##_u32
#define GEMM_RECORD EXPAND(kael_gemm_u32_, SET)
#define GEMM_NAME EXPAND_TEXT(SET) "_4x8"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 1
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(4) X(8)
#include "kernels/gemm_template.h"
#undef SCALAR_ELEMENT
#undef SCALAR

#define SCALAR_ELEMENT uint64_t
#define SCALAR(name) scalar8_##name##_u64
#include "kernels/scalar_vector.h"
#define GEMM(name) name##_u64
#define GEMM_RECORD EXPAND(kael_gemm_u64_, SET)
#define GEMM_NAME EXPAND_TEXT(SET) "_4x8"
#define GEMM_KC 256
#define TILE_ROWS 4
#define TILE_ROW_CASES KAEL_ROWS_4
#define TILE_VECTORS 1
#define TILE_UNROLL 1
#define PREFETCH_PANELS false
#define PACK_WIDTHS(X) X(4) X(8)
#include "kernels/gemm_template.h"
#undef SCALAR_ELEMENT
#undef SCALAR
