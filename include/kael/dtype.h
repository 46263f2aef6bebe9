/* Element types. */
#ifndef KAEL_DTYPE_H
#define KAEL_DTYPE_H

#include <stdint.h>

#include "kael/macros.h"

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

KAEL_END_DECLS

#endif
