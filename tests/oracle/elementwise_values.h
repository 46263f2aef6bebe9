/* Values for tests of elementwise operations. */
#ifndef KAEL_TESTS_ELEMENTWISE_VALUES_H
#define KAEL_TESTS_ELEMENTWISE_VALUES_H

#include <stdint.h>

#include "kael/dtype.h"

/* Deterministic numbers from a seed. */
uint64_t elementwise_random(uint64_t *seed);

/* Writes the lowest bits of a number as one element of an integer dtype. */
void elementwise_write_integer(kael_dtype dtype, uint64_t value, void *element);

/* Writes one element: of the values where operations go wrong, or random bits, or ordinary. */
void elementwise_random_element(kael_dtype dtype, uint64_t *seed, void *element);

#endif
