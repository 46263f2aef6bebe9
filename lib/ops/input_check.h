/* Looking through an integer input for elements that an operation does not take. */
#ifndef KAEL_OPS_INPUT_CHECK_H
#define KAEL_OPS_INPUT_CHECK_H

#include "kael/status.h"
#include "kael/tensor.h"
#include "ops/operation.h"

/* Errors: ARITHMETIC for a zero where there must be none, VALUE for a negative number; `name` is
 * the operation's. Those of kael_parallel_for. */
KAEL_NODISCARD kael_status kael_check_input(kael_input_check check, const char *name,
                                            const kael_tensor *input);

#endif
