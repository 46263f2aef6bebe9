/* Copies of elements, with a change of dtype where they differ. */
#ifndef KAEL_TENSOR_COPY_H
#define KAEL_TENSOR_COPY_H

#include "kael/status.h"
#include "kael/tensor.h"

/* Writes the elements of `in`, whose shape broadcasts to that of `out`, converted to the dtype of
 * `out` by the rules of kernels/copy.h. The elements of `out` are distinct and share no byte with
 * those of `in`, or are the very same. Errors: those of kael_parallel_for, and VALUE if KAEL_ISA is
 * malformed. */
KAEL_NODISCARD kael_status kael_copy_elements(kael_tensor *out, const kael_tensor *in);

/* Makes a row-major copy in a dtype, which is not recorded. Errors: also MEMORY; *out is then NULL.
 */
KAEL_NODISCARD kael_status kael_copy_as(kael_tensor **out, const kael_tensor *tensor,
                                        kael_dtype dtype);

/* Writes one element, in the dtype of `out`, to all elements of `out`, which are distinct. Errors
 * as above. */
KAEL_NODISCARD kael_status kael_fill_elements(kael_tensor *out, const void *element);

/* Writes to an array of `count` elements those of another one, converted. The arrays do not
 * overlap. Errors as above. */
KAEL_NODISCARD kael_status kael_convert_array(kael_dtype out_dtype, void *out, kael_dtype in_dtype,
                                              const void *in, int64_t count);

#endif
