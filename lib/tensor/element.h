/* Converting single elements. */
#ifndef KAEL_TENSOR_ELEMENT_H
#define KAEL_TENSOR_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kael/status.h"

/* The size of the largest element. */
#define KAEL_MAX_ELEMENT_SIZE 8

/* Writes `value` as one element of a valid dtype:
 *   floating point: rounded once, beyond the largest finite value to infinity;
 *   integers: cut towards zero; VALUE error when that is out of range, or for NaN;
 *   bool: whether the value is not zero (NaN is not). */
KAEL_NODISCARD kael_status kael_element_from_double(void *element, kael_dtype dtype, double value);

/* The same for an integer, which may lie beyond what a double holds exactly. */
KAEL_NODISCARD kael_status kael_element_from_i64(void *element, kael_dtype dtype, int64_t value);

/* The value of an element; integers beyond 2^53 are rounded. */
double kael_element_to_double(const void *element, kael_dtype dtype);

/* The same as an integer, cut towards zero. VALUE error when it is out of range, or for NaN. */
KAEL_NODISCARD kael_status kael_element_to_i64(int64_t *value, const void *element,
                                               kael_dtype dtype);

/* The value of any integer. */
typedef struct kael_integer {
    uint64_t magnitude;
    bool is_negative;
} kael_integer;

/* The value of an element of bool or of an integer dtype. */
kael_integer kael_element_to_integer(const void *element, kael_dtype dtype);

#endif
