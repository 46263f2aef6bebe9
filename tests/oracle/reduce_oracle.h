/* The definitions of the reductions as slow scalar programs. */
#ifndef KAEL_TESTS_REDUCE_ORACLE_H
#define KAEL_TESTS_REDUCE_ORACLE_H

#include <stdint.h>

#include "kael/dtype.h"

typedef enum reduce_operation {
    REDUCE_SUM,
    REDUCE_PROD,
    REDUCE_MEAN,
    REDUCE_VAR,
    REDUCE_STD,
    REDUCE_NORM,
    REDUCE_LOGSUMEXP,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_ARGMAX,
    REDUCE_ARGMIN,
    REDUCE_ANY,
    REDUCE_ALL,
    REDUCE_COUNT_NONZERO,
    REDUCE_OPERATIONS
} reduce_operation;

const char *reduce_name(reduce_operation operation);

/* The dtype of the result of reducing elements of this one. */
kael_dtype reduce_result_dtype(reduce_operation operation, kael_dtype dtype);

/* Writes the result for `count` >= 1 adjacent elements in their logical order. The correction is
 * that of var and std. */
void oracle_reduce(reduce_operation operation, kael_dtype dtype, const void *elements,
                   int64_t count, double correction, void *result);

#endif
