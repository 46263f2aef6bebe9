/* Sums of gradients. */
#ifndef KAEL_AUTOGRAD_GRADIENT_SUM_H
#define KAEL_AUTOGRAD_GRADIENT_SUM_H

#include "tensor/graph.h"

/* Replaces a gradient by one of the shape and dtype of the input that it belongs to: sums over what
 * was broadcast, and converts. On an error it is as it was. */
KAEL_NODISCARD kael_status kael_gradient_fit(kael_tensor **gradient, const kael_graph_input *input);

/* Adds a gradient to a sum, which is NULL before the first one came. On an error the sum is as it
 * was. */
KAEL_NODISCARD kael_status kael_gradient_add(kael_tensor **sum, kael_tensor *gradient);

/* Replaces a gradient by a copy if anybody else can see its elements. */
KAEL_NODISCARD kael_status kael_gradient_own(kael_tensor **gradient);

#endif
