/* The elementwise operations as data, and how each one is carried out for given dtypes. */
#ifndef KAEL_OPS_OPERATION_H
#define KAEL_OPS_OPERATION_H

#include <stdbool.h>

#include "kael/dtype.h"
#include "kael/status.h"
#include "kernels/elementwise.h"

/* The rules and the cases of bool, as the table of operations explains them. */
typedef enum kael_rule {
    KAEL_RULE_NUMERIC,
    KAEL_RULE_FLOATING,
    KAEL_RULE_MAPPED = KAEL_RULE_FLOATING,
    KAEL_RULE_ROUNDING,
    KAEL_RULE_DIVISION,
    KAEL_RULE_POWER,
    KAEL_RULE_BITWISE,
    KAEL_RULE_COMPARISON,
    KAEL_RULE_TEST,
    KAEL_RULE_LOGICAL,
    KAEL_RULE_SELECT
} kael_rule;

typedef enum kael_on_bool {
    KAEL_ON_BOOL_REJECT,
    KAEL_ON_BOOL_SAME,
    KAEL_ON_BOOL_WIDEN,
    KAEL_ON_BOOL_BYTES,
    KAEL_ON_BOOL_CONVERT,
    KAEL_ON_BOOL_AND,
    KAEL_ON_BOOL_OR,
    KAEL_ON_BOOL_XOR,
    KAEL_ON_BOOL_NOT
} kael_on_bool;

enum { KAEL_MAX_INPUTS = 3 };

typedef struct kael_operation {
    const char *name;
    kael_rule rule;
    kael_on_bool on_bool;
    int inputs;
    int number; /* in the table of operations with so many inputs */
} kael_operation;

extern const kael_operation kael_unary_operations[KAEL_UNARY_COUNT];
extern const kael_operation kael_binary_operations[KAEL_BINARY_COUNT];
extern const kael_operation kael_ternary_operations[KAEL_TERNARY_COUNT];

/* What must hold for the elements of the last input, which then is an integer. */
typedef enum kael_input_check {
    KAEL_CHECK_NOTHING,
    KAEL_CHECK_NOT_ZERO,
    KAEL_CHECK_NOT_NEGATIVE
} kael_input_check;

typedef struct kael_plan {
    kael_loop_kernel *kernel; /* NULL: the result is the operand, converted */
    kael_dtype result;
    kael_dtype dtypes[KAEL_MAX_INPUTS + 1]; /* that the kernel works on, the output first */
    kael_input_check check;
} kael_plan;

/* Chooses the kernel for inputs of these dtypes, in the instruction set in use.
 * Errors: DTYPE; VALUE if KAEL_ISA is malformed. */
KAEL_NODISCARD kael_status kael_operation_plan(kael_plan *plan, const kael_operation *operation,
                                               const kael_dtype *inputs);

#endif
