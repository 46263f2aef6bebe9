/* How gradients flow back through views and copies. */
#ifndef KAEL_TENSOR_VIEW_GRADIENT_H
#define KAEL_TENSOR_VIEW_GRADIENT_H

#include <stdint.h>

#include "kael/status.h"
#include "tensor/graph.h"

typedef struct kael_view_slice {
    int64_t dim;
    int64_t start;
    int64_t stop;
    int64_t step;
} kael_view_slice;

/* A view's rule and its parameters. */
typedef struct kael_view_gradient {
    const kael_gradient_rule *rule;
    const void *parameters;
    int64_t parameter_bytes;
} kael_view_gradient;

/* `order` has as many dims as the tensor; the others outlive the call. */
kael_view_gradient kael_gradient_of_reshape(void);
kael_view_gradient kael_gradient_of_broadcast(void);
kael_view_gradient kael_gradient_of_copy(void);
kael_view_gradient kael_gradient_of_permute(const int64_t *order, int64_t ndim);
kael_view_gradient kael_gradient_of_slice(const kael_view_slice *slice);
kael_view_gradient kael_gradient_of_select(const kael_view_slice *slice); /* dim and start */

/* Records that *out was made from `tensor`, if operations on it are to be recorded. Errors: MEMORY;
 * *out is then released and NULL. */
KAEL_NODISCARD kael_status kael_view_record(kael_tensor **out, const kael_tensor *tensor,
                                            const kael_view_gradient *gradient);

#endif
