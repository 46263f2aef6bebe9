/* Converting single elements. */
#ifndef KAEL_TENSOR_ELEMENT_H
#define KAEL_TENSOR_ELEMENT_H

#include "kael/dtype.h"
#include "kael/status.h"

/* The size of the largest element. */
#define KAEL_MAX_ELEMENT_SIZE 8

/* Writes `value` as one element of a valid dtype:
 *   floating point: rounded once, beyond the largest finite value to infinity;
 *   integers: cut towards zero; VALUE error when that is out of range, or for NaN;
 *   bool: whether the value is not zero (NaN is not). */
KAEL_NODISCARD kael_status kael_element_from_double(void *element, kael_dtype dtype, double value);

#endif
