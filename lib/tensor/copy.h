/* Copies of elements, with a change of dtype where they differ. */
#ifndef KAEL_TENSOR_COPY_H
#define KAEL_TENSOR_COPY_H

#include "kael/status.h"
#include "kael/tensor.h"

/* Writes the elements of `in`, whose shape broadcasts to that of `out`, converted to the dtype of
 * `out` by the rules of kael_tensor_to_dtype. The elements of `out` are distinct and share no byte
 * with those of `in`, or are the very same. Errors: those of kael_parallel_for. */
KAEL_NODISCARD kael_status kael_copy_elements(kael_tensor *out, const kael_tensor *in);

#endif
