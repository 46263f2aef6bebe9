/* Making views: take the layout of a tensor, change it, and see the same storage through it. */
#ifndef KAEL_TENSOR_VIEW_H
#define KAEL_TENSOR_VIEW_H

#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"
#include "tensor/tensor.h"
#include "tensor/view_gradient.h"

/* Checks the two arguments that every view function has, sets *out to NULL and reads the layout of
 * the tensor. Errors: VALUE. */
KAEL_NODISCARD kael_status kael_view_begin(kael_tensor **out, const kael_tensor *tensor,
                                           kael_layout *layout);

/* Takes a dimension out of a layout. */
void kael_layout_remove(kael_layout *layout, int64_t dim);

/* Puts a dimension into a layout of less than KAEL_MAX_DIMS. */
void kael_layout_insert(kael_layout *layout, int64_t dim, int64_t size, int64_t stride);

/* Makes the view, and records it unless `gradient` is NULL. The layout's elements lie in the
 * storage. Errors: MEMORY. */
KAEL_NODISCARD kael_status kael_view_finish(kael_tensor **out, const kael_tensor *tensor,
                                            const kael_layout *layout,
                                            const kael_view_gradient *gradient);

/* Another hold on the same tensor, for functions whose result may be their input. */
kael_tensor *kael_tensor_share(const kael_tensor *tensor);

#endif
