/* Elements as bit patterns, and test inputs made by integer arithmetic alone, so that every machine
 * and compiler sees the same ones. */
#ifndef KAEL_TESTS_MATMUL_VALUES_H
#define KAEL_TESTS_MATMUL_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oracle/matmul_oracle.h"

typedef enum matmul_values {
    MATMUL_ORDINARY,   /* magnitudes in [1/16, 2) */
    MATMUL_INTEGERS,   /* -8 ... 8: every product and sum is exact */
    MATMUL_CANCELLING, /* a wide range of exponents: any other order of addition shows */
    MATMUL_TINY,       /* products are subnormal or underflow to zeros of both signs */
    MATMUL_SPECIAL,    /* ordinary, huge, tiny, subnormal and zero, rarely infinite or NaN */
    MATMUL_VALUES_COUNT
} matmul_values;

/* A well-mixed 64-bit word for (seed, index). */
uint64_t matmul_random(uint64_t seed, uint64_t index);

/* Integers have all bits, whatever values are asked for. */
void matmul_fill(matmul_type type, void *array, int64_t count, matmul_values values, uint64_t seed);

size_t matmul_size(matmul_type type);
const char *matmul_type_name(matmul_type type);

/* The distance from 1 to the next larger number. */
double matmul_epsilon(matmul_type type);

/* A NaN element reads as one fixed pattern, since its sign and payload are no part of a result. */
uint64_t matmul_bits(matmul_type type, const void *array, int64_t index);

double matmul_get(matmul_type type, const void *array, int64_t index);
void matmul_set(matmul_type type, void *array, int64_t index, double value);

/* The address of element `index`, which may be negative. */
void *matmul_at(matmul_type type, void *array, int64_t index);
const void *matmul_const_at(matmul_type type, const void *array, int64_t index);

#endif
