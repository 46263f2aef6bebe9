/* Conversions between element types by their definition, one element at a time: the element's exact
 * value, then the result that kernels/copy.h defines for it. */
#ifndef KAEL_TESTS_CAST_ORACLE_H
#define KAEL_TESTS_CAST_ORACLE_H

#include <stdbool.h>

#include "kael/dtype.h"

/* The exact value of an element. */
typedef struct cast_value {
    bool is_floating; /* the dtype, that is */
    bool is_nan;
    bool is_negative; /* also of -0 */
    long double magnitude;
} cast_value;

cast_value cast_decode(kael_dtype dtype, const void *element);
void cast_encode(kael_dtype dtype, void *element, cast_value value);

/* Converts an array. */
void cast_array(kael_dtype out_dtype, void *out, kael_dtype in_dtype, const void *in,
                int64_t count);

/* Whether two elements have the same bytes, or are both NaN. */
bool cast_is_same(kael_dtype dtype, const void *a, const void *b);

/* The index of the first element that is not the same in both arrays, or -1. */
int64_t cast_first_difference(kael_dtype dtype, const void *a, const void *b, int64_t count);

#endif
