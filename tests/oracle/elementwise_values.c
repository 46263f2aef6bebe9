#include "oracle/elementwise_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/element.h"

uint64_t elementwise_random(uint64_t *seed) {
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* clang-format off */
static const double reals[] = {
    0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 7, -7, 100, -100, INFINITY, -INFINITY, NAN, 0.1,
    -0.3, 65504, -65504, 0x1p-24, -0x1p-24, 0x1p-14, 0x1p-126, 0x1p-149, -0x1p-149, 0x1p-133,
    -0x1p-140, 3.4e38, -3.4e38, 0x1.fffffep127, 8388607.5, 8388609, -4194304.5, 1e300, -1e300,
    5e-324, -5e-324, 0x1p52, 4503599627370495.5, 9007199254740993.0, 1.0000001, 0.99999994, 88.8,
    -104.5,
};

static const int64_t integers[] = {
    0, 1, -1, 2, -2, 3, 7, -7, 10, 100, 127, -128, 128, 255, -127, 32767, -32768, 65535,
    2147483647, -2147483647 - 1, 4294967295, INT64_MAX, INT64_MIN, INT64_MIN + 1, 46341, -46341,
    3037000500,
};
/* clang-format on */

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

void elementwise_write_integer(kael_dtype dtype, uint64_t value, void *element) {
    const uint8_t as_8 = (uint8_t)value;
    const uint16_t as_16 = (uint16_t)value;
    const uint32_t as_32 = (uint32_t)value;
    const void *const sources[] = {[1] = &as_8, [2] = &as_16, [4] = &as_32, [8] = &value};
    const int64_t size = kael_dtype_size(dtype);
    memcpy(element, sources[size], (size_t)size);
}

void elementwise_random_element(kael_dtype dtype, uint64_t *seed, void *element) {
    const uint64_t kind = elementwise_random(seed) % 4;
    const uint64_t bits = elementwise_random(seed);
    if (dtype == KAEL_BOOL) {
        elementwise_write_integer(dtype, bits & 1, element);
    } else if (kind == 0) {
        elementwise_write_integer(dtype, bits, element);
    } else if (dtype < KAEL_F16) {
        elementwise_write_integer(
            dtype, kind == 1 ? bits % 23 - 11 : (uint64_t)integers[bits % COUNT_OF(integers)],
            element);
    } else {
        const double ordinary = ((double)(bits >> 11) * 0x1p-52 - 1) * 8;
        if (kael_element_from_double(
                element, dtype, kind == 1 ? ordinary : reals[bits % COUNT_OF(reals)]) != KAEL_OK) {
            exit(1);
        }
    }
}
