#include "oracle/matmul_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int64_t matmul_first_difference(matmul_type type, const void *actual, const void *expected,
                                int64_t count) {
    if (count == 0 || memcmp(actual, expected, (size_t)count * matmul_size(type)) == 0) {
        return -1;
    }
    for (int64_t i = 0; i < count; ++i) {
        if (matmul_bits(type, actual, i) != matmul_bits(type, expected, i)) {
            return i;
        }
    }
    return -1;
}

const char *matmul_describe_difference(char text[MATMUL_TEXT_SIZE], matmul_type type,
                                       const void *actual, const void *expected, int64_t index) {
    const int digits = 2 * (int)matmul_size(type);
    snprintf(text, MATMUL_TEXT_SIZE,
             "element %" PRId64 ": got %.17g (0x%0*" PRIx64 "), expected %.17g (0x%0*" PRIx64 ")",
             index, matmul_get(type, actual, index), digits, matmul_bits(type, actual, index),
             matmul_get(type, expected, index), digits, matmul_bits(type, expected, index));
    return text;
}
