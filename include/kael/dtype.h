/* Element types. */
#ifndef KAEL_DTYPE_H
#define KAEL_DTYPE_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"

KAEL_BEGIN_DECLS

typedef enum kael_dtype {
    KAEL_BOOL = 0, /* one byte, 0 or 1 */
    KAEL_I8 = 1,
    KAEL_I16 = 2,
    KAEL_I32 = 3,
    KAEL_I64 = 4,
    KAEL_U8 = 5,
    KAEL_U16 = 6,
    KAEL_U32 = 7,
    KAEL_U64 = 8,
    KAEL_F16 = 9,   /* IEEE binary16 */
    KAEL_BF16 = 10, /* the upper half of an IEEE binary32 */
    KAEL_F32 = 11,
    KAEL_F64 = 12
} kael_dtype;

/* Bytes of one element; 0 for a number that is no dtype. */
KAEL_API int64_t kael_dtype_size(kael_dtype dtype);

/* "bool", "i8" ... "f64"; "unknown dtype" for a number that is no dtype. */
KAEL_API const char *kael_dtype_name(kael_dtype dtype);

/* The smallest dtype that holds the values of both, as NumPy's result_type finds it: integers of
 * mixed signedness give the signed dtype that has room for both, or f64 where there is none; an
 * integer with a floating point dtype gives one with twice the integer's bits, or f64. bf16 ranks
 * like f16; the two together give f32.
 * Errors: VALUE if out is NULL; DTYPE for a number that is no dtype, and *out is then unchanged. */
KAEL_API KAEL_NODISCARD kael_status kael_promote_dtypes(kael_dtype *out, kael_dtype a,
                                                        kael_dtype b);

KAEL_END_DECLS

#endif
