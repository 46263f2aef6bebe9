#include "tensor/dtype.h"

#include <stddef.h>

#include "core/error.h"
#include "kernels/dtypes.h"

typedef struct dtype_row {
    const char *name;
    int64_t size;
    kael_dtype_kind kind;
} dtype_row;

static const dtype_row dtype_rows[] = {
#define DTYPE_ROW(NAME, name, text, storage, kind, compute)                                        \
    [KAEL_##NAME] = {text, sizeof(storage), KAEL_KIND_##kind},
    KAEL_DTYPES(DTYPE_ROW)
#undef DTYPE_ROW
};

#define SAME_NUMBER(NAME, name, text, storage, kind, compute)                                      \
    _Static_assert((int)KAEL_##NAME == (int)KAEL_DTYPE_##NAME, text " has two numbers");
KAEL_DTYPES(SAME_NUMBER)
#undef SAME_NUMBER

static const dtype_row unknown_row = {"unknown dtype", 0, KAEL_KIND_BOOL};

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

kael_dtype_kind kael_kind_of_dtype(kael_dtype dtype) {
    return find_row(dtype)->kind;
}

static kael_dtype signed_dtype(int64_t size) {
    return size == 2 ? KAEL_I16 : size == 4 ? KAEL_I32 : KAEL_I64;
}

static kael_dtype wider(kael_dtype a, kael_dtype b) {
    return kael_dtype_size(a) >= kael_dtype_size(b) ? a : b;
}

static kael_dtype promote_mixed_integers(kael_dtype with_sign, kael_dtype without_sign) {
    const int64_t size = kael_dtype_size(without_sign);
    if (kael_dtype_size(with_sign) > size) {
        return with_sign;
    }
    return size == 8 ? KAEL_F64 : signed_dtype(2 * size);
}

static kael_dtype promote_floating_with_integer(kael_dtype floating, kael_dtype integer) {
    const int64_t size = 2 * kael_dtype_size(integer);
    if (kael_dtype_size(floating) >= size) {
        return floating;
    }
    return size == 4 ? KAEL_F32 : KAEL_F64;
}

/* One level deep, to exchange the operands. NOLINTBEGIN(misc-no-recursion) */
static kael_dtype promote(kael_dtype a, kael_dtype b) {
    const kael_dtype_kind kind_a = kael_kind_of_dtype(a);
    const kael_dtype_kind kind_b = kael_kind_of_dtype(b);
    if (kind_a > kind_b) {
        return promote(b, a);
    }
    if (a == b || kind_a == KAEL_KIND_BOOL) {
        return b;
    }
    if (kael_dtype_is_floating(a)) {
        return kind_b == KAEL_KIND_HALF ? KAEL_F32 : wider(a, b);
    }
    if (kael_dtype_is_floating(b)) {
        return promote_floating_with_integer(b, a);
    }
    return kind_a == kind_b ? wider(a, b) : promote_mixed_integers(a, b);
}
/* NOLINTEND(misc-no-recursion) */

kael_status kael_promote_dtypes(kael_dtype *out, kael_dtype a, kael_dtype b) {
    if (out == NULL) {
        return kael_error(KAEL_ERROR_VALUE, "out must not be NULL");
    }
    if (kael_dtype_size(a) == 0 || kael_dtype_size(b) == 0) {
        return kael_error(KAEL_ERROR_DTYPE, "%d is not a dtype",
                          (int)(kael_dtype_size(a) == 0 ? a : b));
    }
    *out = promote(a, b);
    return KAEL_OK;
}
