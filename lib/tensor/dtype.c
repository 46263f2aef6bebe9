#include "kael/dtype.h"

#include <stddef.h>

#include "kernels/dtypes.h"

typedef struct dtype_row {
    const char *name;
    int64_t size;
} dtype_row;

static const dtype_row dtype_rows[] = {
#define DTYPE_ROW(NAME, name, text, storage, kind, compute) [KAEL_##NAME] = {text, sizeof(storage)},
    KAEL_DTYPES(DTYPE_ROW)
#undef DTYPE_ROW
};

#define SAME_NUMBER(NAME, name, text, storage, kind, compute)                                      \
    _Static_assert((int)KAEL_##NAME == (int)KAEL_DTYPE_##NAME, text " has two numbers");
KAEL_DTYPES(SAME_NUMBER)
#undef SAME_NUMBER

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
