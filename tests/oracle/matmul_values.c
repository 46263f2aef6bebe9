#include "oracle/matmul_values.h"

#include <float.h>
#include <string.h>

typedef struct float_format {
    const char *name;
    size_t size;
    int mantissa_bits; /* 0: an integer, to which nothing of what follows applies */
    int bias;
    int wide_exponent; /* exponents of MATMUL_CANCELLING are within +- this */
    int huge_exponent; /* the largest exponent that is usual in MATMUL_SPECIAL */
    int tiny_exponent; /* the largest exponent of MATMUL_TINY */
    double epsilon;
} float_format;

static const float_format formats[MATMUL_KERNEL_TYPE_COUNT] = {
    [MATMUL_F32] = {"f32", sizeof(float), 23, 127, 25, 61, -62, (double)FLT_EPSILON},
    [MATMUL_F64] = {"f64", sizeof(double), 52, 1023, 60, 509, -526, DBL_EPSILON},
    [MATMUL_U32] = {.name = "u32", .size = sizeof(uint32_t)},
    [MATMUL_U64] = {.name = "u64", .size = sizeof(uint64_t)},
};

uint64_t matmul_random(uint64_t seed, uint64_t index) {
    uint64_t word =
        seed * UINT64_C(0xD1342543DE82EF95) + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

size_t matmul_size(matmul_type type) {
    return formats[type].size;
}

const char *matmul_type_name(matmul_type type) {
    return formats[type].name;
}

double matmul_epsilon(matmul_type type) {
    return formats[type].epsilon;
}

const void *matmul_const_at(matmul_type type, const void *array, int64_t index) {
    return (const char *)array + index * (int64_t)formats[type].size;
}

void *matmul_at(matmul_type type, void *array, int64_t index) {
    return (char *)array + index * (int64_t)formats[type].size;
}

static uint64_t exponent_mask(const float_format *format) {
    return (uint64_t)(2 * format->bias + 1) << format->mantissa_bits;
}

static uint64_t sign_bit(const float_format *format) {
    return UINT64_C(1) << (8 * format->size - 1);
}

static void store_bits(matmul_type type, void *array, int64_t index, uint64_t bits) {
    if (matmul_size(type) == sizeof(uint32_t)) {
        const uint32_t narrow = (uint32_t)bits;
        memcpy(matmul_at(type, array, index), &narrow, sizeof narrow);
    } else {
        memcpy(matmul_at(type, array, index), &bits, sizeof bits);
    }
}

uint64_t matmul_bits(matmul_type type, const void *array, int64_t index) {
    const float_format *format = &formats[type];
    uint64_t bits = 0;
    if (matmul_size(type) == sizeof(uint32_t)) {
        uint32_t narrow = 0;
        memcpy(&narrow, matmul_const_at(type, array, index), sizeof narrow);
        bits = narrow;
    } else {
        memcpy(&bits, matmul_const_at(type, array, index), sizeof bits);
    }
    if (format->mantissa_bits == 0) {
        return bits;
    }
    const uint64_t infinity = exponent_mask(format);
    const bool is_nan = (bits & ~sign_bit(format)) > infinity;
    return is_nan ? infinity | (UINT64_C(1) << (format->mantissa_bits - 1)) : bits;
}

double matmul_get(matmul_type type, const void *array, int64_t index) {
    const void *element = matmul_const_at(type, array, index);
    switch (type) {
    case MATMUL_F32:
        return (double)*(const float *)element;
    case MATMUL_U32:
        return *(const uint32_t *)element;
    case MATMUL_U64:
        return (double)*(const uint64_t *)element;
    default:
        return *(const double *)element;
    }
}

void matmul_set(matmul_type type, void *array, int64_t index, double value) {
    void *element = matmul_at(type, array, index);
    switch (type) {
    case MATMUL_F32:
        *(float *)element = (float)value;
        break;
    case MATMUL_U32:
        *(uint32_t *)element = (uint32_t)value;
        break;
    case MATMUL_U64:
        *(uint64_t *)element = (uint64_t)value;
        break;
    default:
        *(double *)element = value;
        break;
    }
}

/* Sign and mantissa from the random word, the exponent as given. */
static uint64_t number(const float_format *format, uint64_t word, int exponent) {
    const uint64_t mantissa = (word >> 8) & ((UINT64_C(1) << format->mantissa_bits) - 1);
    const uint64_t biased = (uint64_t)(exponent + format->bias);
    return (word & 1 ? sign_bit(format) : 0) | (biased << format->mantissa_bits) | mantissa;
}

static int pick(uint64_t choice, int low, int high) {
    return low + (int)(choice % (uint64_t)(high - low + 1));
}

static uint64_t integer(const float_format *format, int value) {
    if (value == 0) {
        return 0;
    }
    const uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);
    int exponent = 0;
    while ((magnitude >> (exponent + 1)) != 0) {
        ++exponent;
    }
    const uint64_t fraction = (magnitude << (format->mantissa_bits - exponent)) &
                              ((UINT64_C(1) << format->mantissa_bits) - 1);
    return (value < 0 ? sign_bit(format) : 0) |
           ((uint64_t)(exponent + format->bias) << format->mantissa_bits) | fraction;
}

static uint64_t special(const float_format *format, uint64_t word, uint64_t choice) {
    const uint64_t sign = word & 1 ? sign_bit(format) : 0;
    switch (choice % 1024) {
    case 0:
        return sign | exponent_mask(format);
    case 1:
        return choice & 4096 ? exponent_mask(format) | 1 | sign : sign | exponent_mask(format);
    case 2:
        return sign | (exponent_mask(format) - 1); /* the largest finite number */
    default:
        break;
    }
    switch (choice % 8) {
    case 0:
        return sign;
    case 1:
        return number(format, word, -format->bias); /* subnormal */
    case 2:
        return number(format, word, pick(choice >> 16, 0, format->huge_exponent));
    case 3:
        return number(format, word, pick(choice >> 16, format->tiny_exponent, 0));
    default:
        return number(format, word, pick(choice >> 16, -4, 0));
    }
}

static uint64_t value_bits(const float_format *format, matmul_values values, uint64_t word,
                           uint64_t choice) {
    if (format->mantissa_bits == 0) {
        return word;
    }
    switch (values) {
    case MATMUL_INTEGERS:
        return integer(format, pick(choice, -8, 8));
    case MATMUL_CANCELLING:
        return number(format, word, pick(choice, -format->wide_exponent, format->wide_exponent));
    case MATMUL_TINY:
        if (choice % 8 == 0) {
            return word & 1 ? sign_bit(format) : 0;
        }
        return number(format, word,
                      pick(choice >> 8, format->tiny_exponent - 14, format->tiny_exponent));
    case MATMUL_SPECIAL:
        return special(format, word, choice);
    case MATMUL_ORDINARY:
    case MATMUL_VALUES_COUNT:
        break;
    }
    return number(format, word, pick(choice, -4, 0));
}

void matmul_fill(matmul_type type, void *array, int64_t count, matmul_values values,
                 uint64_t seed) {
    for (int64_t i = 0; i < count; ++i) {
        const uint64_t word = matmul_random(seed, 2 * (uint64_t)i);
        const uint64_t choice = matmul_random(seed, 2 * (uint64_t)i + 1);
        store_bits(type, array, i, value_bits(&formats[type], values, word, choice));
    }
}
