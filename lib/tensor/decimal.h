/* The shortest decimal digits that tell a floating point number from its neighbours. */
#ifndef KAEL_TENSOR_DECIMAL_H
#define KAEL_TENSOR_DECIMAL_H

#include "kael/dtype.h"

enum { KAEL_DECIMAL_DIGITS = 17 };

/* |value| = 0.d1 d2 d3 ... * 10^point, d1 not 0; zero has no digits and point 0. */
typedef struct kael_decimal {
    int count;
    int point;
    char digits[KAEL_DECIMAL_DIGITS]; /* '0' .. '9' */
} kael_decimal;

/* The fewest digits that round to `value`, a finite number of a floating point dtype, among those
 * of its dtype; of several candidates the nearest to it. Exact in any rounding mode and locale. */
kael_decimal kael_shortest_decimal(double value, kael_dtype dtype);

#endif
