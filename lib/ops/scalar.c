#include "ops/scalar.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "tensor/copy.h"

static bool is_floating(kael_dtype dtype) {
    return dtype >= KAEL_F16;
}

static bool is_integer(kael_dtype dtype) {
    return dtype >= KAEL_I8 && dtype <= KAEL_U64;
}

static bool fits(kael_scalar scalar, kael_dtype dtype) {
    const int bits = 8 * (int)kael_dtype_size(dtype);
    const bool is_unsigned = dtype >= KAEL_U8;
    if (scalar.kind == KAEL_SCALAR_UINT) {
        const uint64_t largest = UINT64_MAX >> (64 - bits + !is_unsigned);
        return scalar.value.unsigned_integer <= largest;
    }
    const int64_t value = scalar.value.integer;
    if (is_unsigned) {
        return value >= 0 && (uint64_t)value <= UINT64_MAX >> (64 - bits);
    }
    const int64_t largest = INT64_MAX >> (64 - bits);
    return value >= -largest - 1 && value <= largest;
}

static kael_status out_of_range(const char *name, kael_scalar scalar, kael_dtype dtype) {
    return scalar.kind == KAEL_SCALAR_UINT
               ? kael_error(KAEL_ERROR_VALUE, "%s is %" PRIu64 ", which is not in the range of %s",
                            name, scalar.value.unsigned_integer, kael_dtype_name(dtype))
               : kael_error(KAEL_ERROR_VALUE, "%s is %" PRId64 ", which is not in the range of %s",
                            name, scalar.value.integer, kael_dtype_name(dtype));
}

/* The dtype that holds the number itself. */
static kael_dtype own_dtype(kael_scalar scalar) {
    switch (scalar.kind) {
    case KAEL_SCALAR_BOOL:
        return KAEL_BOOL;
    case KAEL_SCALAR_INT:
        return KAEL_I64;
    case KAEL_SCALAR_UINT:
        return scalar.value.unsigned_integer <= INT64_MAX ? KAEL_I64 : KAEL_U64;
    default:
        return KAEL_F64;
    }
}

static kael_status choose_dtype(kael_dtype *chosen, const kael_operation *operation,
                                kael_dtype dtype, kael_scalar scalar, const char *name) {
    *chosen = own_dtype(scalar);
    if (scalar.kind != KAEL_SCALAR_BOOL && is_floating(dtype)) {
        *chosen = dtype;
    } else if (scalar.kind != KAEL_SCALAR_BOOL && scalar.kind != KAEL_SCALAR_FLOAT &&
               is_integer(dtype)) {
        if (fits(scalar, dtype)) {
            *chosen = dtype;
        } else if (operation->rule != KAEL_RULE_COMPARISON) {
            return out_of_range(name, scalar, dtype);
        }
    }
    return KAEL_OK;
}

kael_status kael_scalar_operand_init(kael_tensor *operand, kael_scalar_element *element,
                                     const kael_operation *operation, kael_dtype dtype,
                                     kael_scalar scalar, const char *name) {
    if ((unsigned)scalar.kind > KAEL_SCALAR_FLOAT) {
        return kael_error(KAEL_ERROR_VALUE, "%s has kind %d, which is no kind of scalar", name,
                          (int)scalar.kind);
    }
    kael_dtype chosen;
    KAEL_TRY(choose_dtype(&chosen, operation, dtype, scalar, name));
    const kael_dtype own = own_dtype(scalar);
    unsigned char value[KAEL_MAX_ELEMENT_SIZE];
    if (own == KAEL_BOOL) {
        value[0] = scalar.value.boolean;
    } else {
        memcpy(value, &scalar.value, sizeof value);
    }
    if (chosen == own) {
        memcpy(element->bytes, value, sizeof value);
    } else {
        KAEL_TRY(kael_convert_array(chosen, element->bytes, own, value, 1));
    }
    memset(operand, 0, sizeof *operand);
    operand->data = element->bytes;
    operand->numel = 1;
    operand->dtype = chosen;
    operand->is_contiguous = true;
    return KAEL_OK;
}
