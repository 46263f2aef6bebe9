#include "tensor/element.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "kernels/cast.h"
#include "kernels/dtypes.h"
#include "tensor/dtype.h"

#define STORE(type, expression)                                                                    \
    do {                                                                                           \
        const type stored = (expression);                                                          \
        memcpy(element, &stored, sizeof stored);                                                   \
    } while (0)

/* Checks lowest <= trunc(value) < end; the bounds are powers of two or zero, exact in double. */
static kael_status cut_to_range(double *cut, kael_dtype dtype, double value, double lowest,
                                double end) {
    *cut = trunc(value);
    if (!(*cut >= lowest && *cut < end)) {
        return kael_error(KAEL_ERROR_VALUE, "value %g is not in the range of %s", value,
                          kael_dtype_name(dtype));
    }
    return KAEL_OK;
}

kael_status kael_element_from_double(void *element, kael_dtype dtype, double value) {
#define INTEGER_CASE(name, type, lowest, end)                                                      \
    case name: {                                                                                   \
        double cut;                                                                                \
        KAEL_TRY(cut_to_range(&cut, dtype, value, lowest, end));                                   \
        STORE(type, (type)cut);                                                                    \
        break;                                                                                     \
    }
    switch (dtype) {
        INTEGER_CASE(KAEL_I8, int8_t, -0x1p7, 0x1p7)
        INTEGER_CASE(KAEL_I16, int16_t, -0x1p15, 0x1p15)
        INTEGER_CASE(KAEL_I32, int32_t, -0x1p31, 0x1p31)
        INTEGER_CASE(KAEL_I64, int64_t, -0x1p63, 0x1p63)
        INTEGER_CASE(KAEL_U8, uint8_t, 0.0, 0x1p8)
        INTEGER_CASE(KAEL_U16, uint16_t, 0.0, 0x1p16)
        INTEGER_CASE(KAEL_U32, uint32_t, 0.0, 0x1p32)
        INTEGER_CASE(KAEL_U64, uint64_t, 0.0, 0x1p64)
    case KAEL_BOOL:
        STORE(uint8_t, value != 0.0);
        break;
    case KAEL_F16:
        STORE(uint16_t, kael_cast_f64_f16(value));
        break;
    case KAEL_BF16:
        STORE(uint16_t, kael_cast_f64_bf16(value));
        break;
    case KAEL_F32:
        STORE(float, (float)value);
        break;
    case KAEL_F64:
        STORE(double, value);
        break;
    }
#undef INTEGER_CASE
    return KAEL_OK;
}

static kael_status out_of_range(int64_t value, kael_dtype dtype) {
    return kael_error(KAEL_ERROR_VALUE, "value %" PRId64 " is not in the range of %s", value,
                      kael_dtype_name(dtype));
}

kael_status kael_element_from_i64(void *element, kael_dtype dtype, int64_t value) {
    switch (dtype) {
#define SIGNED_CASE(NAME, name, text, storage, kind, compute)                                      \
    case KAEL_##NAME:                                                                              \
        if ((storage)value != value) {                                                             \
            return out_of_range(value, dtype);                                                     \
        }                                                                                          \
        STORE(storage, (storage)value);                                                            \
        break;
#define UNSIGNED_CASE(NAME, name, text, storage, kind, compute)                                    \
    case KAEL_##NAME:                                                                              \
        if (value < 0 || (storage)value != (uint64_t)value) {                                      \
            return out_of_range(value, dtype);                                                     \
        }                                                                                          \
        STORE(storage, (storage)value);                                                            \
        break;
#define OTHER_CASE(NAME, name, text, storage, kind, compute)                                       \
    case KAEL_##NAME:                                                                              \
        STORE(storage, kael_cast_i64_##name(value));                                               \
        break;
        KAEL_SIGNED_DTYPES(SIGNED_CASE)
        KAEL_UNSIGNED_DTYPES(UNSIGNED_CASE)
        KAEL_BOOL_DTYPE(OTHER_CASE)
        KAEL_FLOATING_DTYPES(OTHER_CASE)
#undef SIGNED_CASE
#undef UNSIGNED_CASE
#undef OTHER_CASE
    }
    return KAEL_OK;
}

#undef STORE

/* A bool counts as the integer that its byte is. */
#define READ_BOOL(READ) READ(BOOL, u8, "bool", uint8_t, BOOL, uint8_t)

double kael_element_to_double(const void *element, kael_dtype dtype) {
    switch (dtype) {
#define READ(NAME, name, text, storage, kind, compute)                                             \
    case KAEL_##NAME: {                                                                            \
        storage value;                                                                             \
        memcpy(&value, element, sizeof value);                                                     \
        return kael_cast_##name##_f64(value);                                                      \
    }
        READ_BOOL(READ)
        KAEL_INTEGER_DTYPES(READ)
        KAEL_FLOATING_DTYPES(READ)
#undef READ
    }
    return NAN;
}

kael_integer kael_element_to_integer(const void *element, kael_dtype dtype) {
    uint64_t bits = 0; /* of the value as a 64-bit integer */
    bool is_signed = false;
    switch ((int)dtype) {
#define READ(NAME, name, text, storage, kind, compute)                                             \
    case KAEL_##NAME: {                                                                            \
        storage value;                                                                             \
        memcpy(&value, element, sizeof value);                                                     \
        bits = kael_cast_##name##_u64(value);                                                      \
        is_signed = (storage)-1 < 1;                                                               \
        break;                                                                                     \
    }
        READ_BOOL(READ)
        KAEL_INTEGER_DTYPES(READ)
#undef READ
    }
    const bool is_negative = is_signed && bits > INT64_MAX;
    return (kael_integer){is_negative ? -bits : bits, is_negative};
}

kael_status kael_element_to_i64(int64_t *value, const void *element, kael_dtype dtype) {
    if (kael_dtype_is_floating(dtype)) {
        double cut;
        KAEL_TRY(
            cut_to_range(&cut, KAEL_I64, kael_element_to_double(element, dtype), -0x1p63, 0x1p63));
        *value = (int64_t)cut;
        return KAEL_OK;
    }
    const kael_integer integer = kael_element_to_integer(element, dtype);
    if (!integer.is_negative && integer.magnitude > INT64_MAX) {
        return kael_error(KAEL_ERROR_VALUE, "value %" PRIu64 " is not in the range of i64",
                          integer.magnitude);
    }
    *value = (int64_t)(integer.is_negative ? -integer.magnitude : integer.magnitude);
    return KAEL_OK;
}
