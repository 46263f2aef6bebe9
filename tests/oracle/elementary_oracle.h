/* The elementary functions one element at a time. Their source is their definition; compiled for
 * the plainest machine it shows that vectors compute the same. */
#ifndef KAEL_TESTS_ELEMENTARY_ORACLE_H
#define KAEL_TESTS_ELEMENTARY_ORACLE_H

#include <stdint.h>

#include "oracle/matmul_oracle.h"

typedef enum elementary_number {
    ELEMENTARY_EXP,
    ELEMENTARY_EXPM1,
    ELEMENTARY_LOG,
    ELEMENTARY_LOG1P,
    ELEMENTARY_SIN,
    ELEMENTARY_COS,
    ELEMENTARY_TANH,
    ELEMENTARY_SIGMOID,
    ELEMENTARY_SILU,
    ELEMENTARY_ERF,
    ELEMENTARY_GELU,
    ELEMENTARY_GELU_TANH,
    ELEMENTARY_POW, /* the only one that reads y */
    ELEMENTARY_COUNT
} elementary_number;

void elementary_oracle(elementary_number number, matmul_type type, int64_t count, const void *x,
                       const void *y, void *out);

#endif
