#include "tensor/element.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "kernels/half.h"

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
#define STORE(type, expression)                                                                    \
    do {                                                                                           \
        const type stored = (expression);                                                          \
        memcpy(element, &stored, sizeof stored);                                                   \
    } while (0)
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
        STORE(uint16_t, kael_f64_to_f16(value));
        break;
    case KAEL_BF16:
        STORE(uint16_t, kael_f64_to_bf16(value));
        break;
    case KAEL_F32:
        STORE(float, (float)value);
        break;
    case KAEL_F64:
        STORE(double, value);
        break;
    }
#undef INTEGER_CASE
#undef STORE
    return KAEL_OK;
}
