#include "kael/dtype.h"

#include <stddef.h>

typedef struct dtype_row {
    const char *name;
    int64_t size;
} dtype_row;

static const dtype_row dtype_rows[] = {
    [KAEL_BOOL] = {"bool", 1}, [KAEL_I8] = {"i8", 1},     [KAEL_I16] = {"i16", 2},
    [KAEL_I32] = {"i32", 4},   [KAEL_I64] = {"i64", 8},   [KAEL_U8] = {"u8", 1},
    [KAEL_U16] = {"u16", 2},   [KAEL_U32] = {"u32", 4},   [KAEL_U64] = {"u64", 8},
    [KAEL_F16] = {"f16", 2},   [KAEL_BF16] = {"bf16", 2}, [KAEL_F32] = {"f32", 4},
    [KAEL_F64] = {"f64", 8},
};

static const dtype_row unknown_row = {"unknown dtype", 0};

static const dtype_row *find_row(kael_dtype dtype) {
    const size_t number = (size_t)dtype;
    return number < sizeof dtype_rows / sizeof dtype_rows[0] ? &dtype_rows[number] : &unknown_row;
}

int64_t kael_dtype_size(kael_dtype dtype) {
    return find_row(dtype)->size;
}

const char *kael_dtype_name(kael_dtype dtype) {
    return find_row(dtype)->name;
}
