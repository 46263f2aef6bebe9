/* Gradients of layers. Each function records that *out is the result of the layer of its name, if
 * that is to be recorded. Errors: MEMORY; *out is then released and NULL. */
#ifndef KAEL_NN_GRADIENTS_H
#define KAEL_NN_GRADIENTS_H

#include "tensor/graph.h"

/* `bias` may be NULL. */
KAEL_NODISCARD kael_status kael_linear_record(kael_tensor **out, const kael_tensor *input,
                                              const kael_tensor *weight, const kael_tensor *bias);

#endif
