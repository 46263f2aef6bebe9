/* Which memory tensors share. */
#ifndef KAEL_TENSOR_OVERLAP_H
#define KAEL_TENSOR_OVERLAP_H

#include <stdbool.h>

#include "kael/status.h"
#include "kael/tensor.h"

/* Whether the addresses between the first and the last byte of the two overlap: only then may they
 * share elements. */
bool kael_tensor_may_share(const kael_tensor *a, const kael_tensor *b);

/* Whether both have the same elements at the same indices; one may have further dimensions of size
 * 1 in front. */
bool kael_tensor_is_same(const kael_tensor *a, const kael_tensor *b);

/* VALUE if two elements lie at one place. Layouts that no view of a dense tensor has may be refused
 * although they are distinct, if finding that out would take long. */
KAEL_NODISCARD kael_status kael_tensor_require_distinct_elements(const kael_tensor *tensor,
                                                                 const char *name);

#endif
