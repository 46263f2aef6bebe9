/* Bit-for-bit comparison of arrays of elements; all NaNs are the same. */
#ifndef KAEL_TESTS_MATMUL_COMPARE_H
#define KAEL_TESTS_MATMUL_COMPARE_H

#include <stdint.h>

#include "oracle/matmul_values.h"

enum { MATMUL_TEXT_SIZE = 160 };

/* The index of the first element whose bits differ, or -1. */
int64_t matmul_first_difference(matmul_type type, const void *actual, const void *expected,
                                int64_t count);

/* Writes "element 12: got 1.5 (0x3fc00000), expected 2 (0x40000000)"; returns `text`. */
const char *matmul_describe_difference(char text[MATMUL_TEXT_SIZE], matmul_type type,
                                       const void *actual, const void *expected, int64_t index);

#endif
