/* Validation that the operations of this folder share. */
#ifndef KAEL_NN_OPERANDS_H
#define KAEL_NN_OPERANDS_H

#include "kael/tensor.h"
#include "tensor/require.h"

/* Not NULL, f32 or f64, contiguous. */
KAEL_NODISCARD kael_status kael_nn_require_operand(const kael_tensor *tensor, const char *name);

/* Not NULL, contiguous, and of the dtype and shape of `model`. */
KAEL_NODISCARD kael_status kael_nn_require_like(const kael_tensor *tensor, const char *name,
                                                const kael_tensor *model);

/* VALUE if the tensors overlap without starting at the same element. */
KAEL_NODISCARD kael_status kael_nn_require_same_or_disjoint(const kael_tensor *tensor,
                                                            const char *name,
                                                            const kael_tensor *other,
                                                            const char *other_name);

/* Makes a result's pointer: not NULL, and holding NULL until the work is done. */
KAEL_NODISCARD kael_status kael_nn_require_out(kael_tensor **out);

/* Hands the result over if the work that filled it succeeded, else releases it. */
KAEL_NODISCARD kael_status kael_nn_finish(kael_tensor **out, kael_tensor *result,
                                          kael_status status);

#endif
