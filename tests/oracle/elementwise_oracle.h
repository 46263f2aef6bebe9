/* Elementwise operations by their definitions, one element at a time. */
#ifndef KAEL_TESTS_ELEMENTWISE_ORACLE_H
#define KAEL_TESTS_ELEMENTWISE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/dtype.h"
#include "kernels/elementwise.h"

enum { ELEMENTWISE_INPUTS = 3 };

/* An operation of the table, with the dtypes of its inputs. */
typedef struct elementwise_call {
    int inputs;
    int number; /* KAEL_UNARY_neg and so on */
    kael_dtype dtypes[ELEMENTWISE_INPUTS];
} elementwise_call;

const char *elementwise_name(const elementwise_call *call);

/* False where the dtypes are an error. */
bool elementwise_result(const elementwise_call *call, kael_dtype *result);

/* Whether elements of the last input must not be zero, or not be negative. */
bool elementwise_divides_integers(const elementwise_call *call);
bool elementwise_raises_integers(const elementwise_call *call);

/* Computes one element of the result from one of each input. */
void elementwise_element(const elementwise_call *call, const void *const *elements, void *result);

#endif
