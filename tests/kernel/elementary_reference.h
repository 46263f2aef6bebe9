/* The elementary functions with far more precision than the library's, and what is asked of those.
 */
#ifndef KAEL_TESTS_ELEMENTARY_REFERENCE_H
#define KAEL_TESTS_ELEMENTARY_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "oracle/matmul_oracle.h"

/* y counts for functions of two numbers alone. */
typedef long double elementary_reference(double x, double y);

/* The references of f32 compute in double, within 2^-20 units in the last place of f32; those of
 * f64 use MPFR. */
typedef struct elementary_function {
    const char *name;
    size_t kernel; /* where kael_elementary_maps has it */
    bool of_pairs;
    elementary_reference *reference[MATMUL_TYPE_COUNT];
    double bound[MATMUL_TYPE_COUNT]; /* the largest error allowed, in units in the last place */
} elementary_function;

/* Ended by one without a name. */
extern const elementary_function elementary_functions[];

typedef struct elementary_special_case {
    const char *name;
    double x;
    double y;
    double result;
} elementary_special_case;

/* Ended by one without a name. */
extern const elementary_special_case elementary_special_cases[];

#endif
