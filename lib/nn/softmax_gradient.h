/* The gradient of softmax and log softmax. */
#ifndef KAEL_NN_SOFTMAX_GRADIENT_H
#define KAEL_NN_SOFTMAX_GRADIENT_H

#include <stdbool.h>

#include "tensor/graph.h"

/* Records that *out is the softmax or log softmax of the tensor along dim, which is from 0 on, if
 * that is to be recorded. Errors: MEMORY; *out is then released and NULL. */
KAEL_NODISCARD kael_status kael_softmax_record(kael_tensor **out, const kael_tensor *tensor,
                                               int64_t dim, bool is_log);

#endif
