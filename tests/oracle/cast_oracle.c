#include "oracle/cast_oracle.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64, "values of 64-bit integers must be exact");

typedef enum value_kind { BOOLEAN, SIGNED, UNSIGNED, HALF, NATIVE } value_kind;

typedef struct value_format {
    value_kind kind;
    int bits;
    int exponent_bits; /* of the 16-bit formats */
    int mantissa_bits;
} value_format;

static value_format format_of(kael_dtype dtype) {
    switch (dtype) {
    case KAEL_BOOL:
        return (value_format){BOOLEAN, 8, 0, 0};
    case KAEL_I8:
    case KAEL_I16:
    case KAEL_I32:
    case KAEL_I64:
        return (value_format){SIGNED, 8 << (dtype - KAEL_I8), 0, 0};
    case KAEL_U8:
    case KAEL_U16:
    case KAEL_U32:
    case KAEL_U64:
        return (value_format){UNSIGNED, 8 << (dtype - KAEL_U8), 0, 0};
    case KAEL_F16:
        return (value_format){HALF, 16, 5, 10};
    case KAEL_BF16:
        return (value_format){HALF, 16, 8, 7};
    case KAEL_F32:
        return (value_format){NATIVE, 32, 0, 0};
    default:
        return (value_format){NATIVE, 64, 0, 0};
    }
}

/* The bits of an element, wherever it lies in memory; signed ones extended. */
static uint64_t load_bits(value_format format, const void *element) {
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t bits;
    switch (format.bits) {
    case 8:
        memcpy(&byte, element, sizeof byte);
        bits = byte;
        break;
    case 16:
        memcpy(&half, element, sizeof half);
        bits = half;
        break;
    case 32:
        memcpy(&word, element, sizeof word);
        bits = word;
        break;
    default:
        memcpy(&bits, element, sizeof bits);
    }
    const uint64_t sign = UINT64_C(1) << (format.bits - 1);
    return format.kind == SIGNED ? (bits ^ sign) - sign : bits;
}

static void store_bits(value_format format, void *element, uint64_t bits) {
    const uint8_t byte = (uint8_t)bits;
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    switch (format.bits) {
    case 8:
        memcpy(element, &byte, sizeof byte);
        break;
    case 16:
        memcpy(element, &half, sizeof half);
        break;
    case 32:
        memcpy(element, &word, sizeof word);
        break;
    default:
        memcpy(element, &bits, sizeof bits);
    }
}

static uint32_t half_infinity(value_format format) {
    return ((UINT32_C(1) << format.exponent_bits) - 1) << format.mantissa_bits;
}

/* The magnitude with these bits; of those of infinity, the power of two where it begins. */
static long double half_magnitude(value_format format, uint32_t bits) {
    const int exponent = (int)(bits >> format.mantissa_bits);
    const uint32_t mantissa = bits & ((UINT32_C(1) << format.mantissa_bits) - 1);
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    const uint32_t leading = exponent == 0 ? 0 : UINT32_C(1) << format.mantissa_bits;
    return ldexpl((long double)(leading + mantissa),
                  (exponent == 0 ? 1 : exponent) - bias - format.mantissa_bits);
}

static cast_value decode_half(value_format format, uint32_t bits) {
    const uint32_t magnitude = bits & 0x7fff;
    const uint32_t infinity = half_infinity(format);
    cast_value value = {true, magnitude > infinity, bits != magnitude, 0};
    value.magnitude =
        magnitude == infinity ? (long double)INFINITY : half_magnitude(format, magnitude);
    return value;
}

static cast_value decode_native(long double number) {
    return (cast_value){true, isnan(number), signbit(number) != 0, fabsl(number)};
}

cast_value cast_decode(kael_dtype dtype, const void *element) {
    const value_format format = format_of(dtype);
    const uint64_t bits = load_bits(format, element);
    float single;
    double wide;
    switch (format.kind) {
    case HALF:
        return decode_half(format, (uint32_t)bits);
    case NATIVE:
        memcpy(&single, element, sizeof single);
        if (format.bits == 32) {
            return decode_native(single);
        }
        memcpy(&wide, element, sizeof wide);
        return decode_native(wide);
    case SIGNED:
        if (bits >> 63 != 0) {
            return (cast_value){false, false, true, (long double)(UINT64_C(0) - bits)};
        }
        return (cast_value){false, false, false, (long double)bits};
    default:
        return (cast_value){false, false, false, (long double)bits};
    }
}

/* The midpoint between each finite magnitude and the next one, in order. */
static const long double *half_midpoints(value_format format) {
    static long double tables[2][0x7f80];
    long double *table = tables[format.mantissa_bits == 10];
    if (table[0] == 0) {
        for (uint32_t i = half_infinity(format); i-- > 0;) {
            table[i] = (half_magnitude(format, i) + half_magnitude(format, i + 1)) / 2;
        }
    }
    return table;
}

/* The half nearest to the magnitude, the even one of two: the first whose upper neighbour is at
 * least as far away. */
static uint32_t nearest_half(value_format format, long double magnitude) {
    const long double *midpoints = half_midpoints(format);
    uint32_t low = 0;
    uint32_t high = half_infinity(format);
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (magnitude < midpoints[middle] || (magnitude == midpoints[middle] && middle % 2 == 0)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static uint64_t encode_half(value_format format, cast_value value) {
    const uint32_t magnitude =
        value.is_nan ? half_infinity(format) + 1 : nearest_half(format, value.magnitude);
    return magnitude | (value.is_negative ? UINT32_C(0x8000) : 0);
}

/* Out of range, integers wrap and floating point numbers stop at the limit. */
static uint64_t encode_integer(value_format format, cast_value value) {
    if (value.is_nan) {
        return 0;
    }
    if (value.is_floating) {
        const long double end = ldexpl(1, format.bits - (format.kind == SIGNED ? 1 : 0));
        long double limit = value.is_negative ? end : end - 1;
        if (value.is_negative && format.kind == UNSIGNED) {
            limit = 0;
        }
        value.magnitude = fminl(truncl(value.magnitude), limit);
    }
    const uint64_t magnitude = (uint64_t)value.magnitude;
    return value.is_negative ? UINT64_C(0) - magnitude : magnitude;
}

static void encode_native(value_format format, void *element, cast_value value) {
    const long double magnitude = value.is_nan ? (long double)NAN : value.magnitude;
    const long double number = value.is_negative ? -magnitude : magnitude;
    const float single = (float)number;
    const double wide = (double)number;
    if (format.bits == 32) {
        memcpy(element, &single, sizeof single);
    } else {
        memcpy(element, &wide, sizeof wide);
    }
}

void cast_encode(kael_dtype dtype, void *element, cast_value value) {
    const value_format format = format_of(dtype);
    switch (format.kind) {
    case BOOLEAN:
        store_bits(format, element, value.is_nan || value.magnitude != 0);
        break;
    case HALF:
        store_bits(format, element, encode_half(format, value));
        break;
    case NATIVE:
        encode_native(format, element, value);
        break;
    default:
        store_bits(format, element, encode_integer(format, value));
    }
}

void cast_array(kael_dtype out_dtype, void *out, kael_dtype in_dtype, const void *in,
                int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        cast_encode(out_dtype, (char *)out + i * kael_dtype_size(out_dtype),
                    cast_decode(in_dtype, (const char *)in + i * kael_dtype_size(in_dtype)));
    }
}

bool cast_is_same(kael_dtype dtype, const void *a, const void *b) {
    return memcmp(a, b, (size_t)kael_dtype_size(dtype)) == 0 ||
           (cast_decode(dtype, a).is_nan && cast_decode(dtype, b).is_nan);
}

int64_t cast_first_difference(kael_dtype dtype, const void *a, const void *b, int64_t count) {
    const int64_t size = kael_dtype_size(dtype);
    for (int64_t i = 0; i < count; ++i) {
        if (!cast_is_same(dtype, (const char *)a + i * size, (const char *)b + i * size)) {
            return i;
        }
    }
    return -1;
}
