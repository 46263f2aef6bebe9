/* Gradients by recording operations and walking back through them.
 *
 * Operations that give a new tensor are recorded when recording is on and one of their inputs takes
 * part in a graph: a leaf, for which kael_tensor_set_requires_grad was called, or the result of a
 * recorded operation. Functions that write into an existing tensor are not recorded, and refuse
 * tensors of a graph while recording is on. Elements that were written through kael_tensor_data
 * after they were recorded go unnoticed; those that the library wrote are an error in backward.
 *
 * Different threads may record and walk back graphs at the same time as long as they share no
 * leaf. */
#ifndef KAEL_AUTOGRAD_H
#define KAEL_AUTOGRAD_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* Whether the calling thread records operations: true at first, kept per thread, and carried from
 * the caller of a parallel loop to the threads that run its body. */
KAEL_API bool kael_grad_mode_enabled(void);
KAEL_API void kael_set_grad_mode(bool enabled);

/* Makes a tensor a leaf that gets a gradient, or a plain tensor again, which drops its gradient
 * and takes it out of the graphs recorded so far for ever: they no longer bring it gradients.
 * Errors: VALUE for NULL; DTYPE unless it is floating point; STATE for the result of a recorded
 * operation. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_set_requires_grad(kael_tensor *tensor,
                                                                  bool required);

/* Whether gradients flow to or through the tensor. It must not be NULL. */
KAEL_API bool kael_tensor_requires_grad(const kael_tensor *tensor);

/* Whether it is not the result of a recorded operation. It must not be NULL. */
KAEL_API bool kael_tensor_is_leaf(const kael_tensor *tensor);

/* The number of nodes behind a tensor: recorded operations, and leaves that required a
 * gradient then.
 * 0 for a plain or detached tensor, and where memory runs out. It must not be NULL. */
KAEL_API int64_t kael_graph_node_count(const kael_tensor *tensor);

/* Adds to every leaf behind the tensor the gradient of the tensor, which has one element, and frees
 * what the graph has saved as it goes. Gradients have the shape and dtype of their leaves and are
 * not recorded themselves.
 *
 * Errors: VALUE for NULL; SHAPE unless it has one element; STATE if nothing was recorded, if an
 * earlier backward has freed the graph, or if a saved tensor was written since; MEMORY. On an error
 * no gradient has changed, but the graph may be freed in part. */
KAEL_API KAEL_NODISCARD kael_status kael_backward(const kael_tensor *tensor);

/* The same from a gradient of the tensor's shape and dtype, or NULL for ones in a tensor of one
 * element; keeps the graph for another time if `keep_graph`. Errors: also SHAPE and DTYPE for a
 * gradient that does not fit. */
KAEL_API KAEL_NODISCARD kael_status kael_backward_from(const kael_tensor *tensor,
                                                       const kael_tensor *gradient,
                                                       bool keep_graph);

/* The gradient that a leaf has collected, held for the caller; *out is NULL when there is none yet.
 * Errors: VALUE for NULL; STATE unless it is a leaf that requires a gradient. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_grad(kael_tensor **out, const kael_tensor *tensor);

/* Drops the gradient that a leaf has collected. Errors: VALUE for NULL. */
KAEL_API KAEL_NODISCARD kael_status kael_tensor_zero_grad(kael_tensor *tensor);

/* Computes *out from `count` inputs by recorded operations. */
typedef kael_status kael_gradcheck_function(kael_tensor **out, const kael_tensor *const *inputs,
                                            void *context);

/* Compares the gradients of a function with central differences (f(x + step) - f(x - step)) /
 * (2 step) of a weighted sum of its result, for every element of every input that requires a
 * gradient: they may differ by absolute + relative * |difference|. The inputs are f64 leaves, and
 * neither they nor their gradients change; step 1e-6 and tolerances of 1e-6 suit functions that are
 * smooth there.
 *
 * Errors: VALUE for NULL, and for a step or tolerances that are not positive; DTYPE unless inputs
 * that require a gradient and the result are f64; ARITHMETIC if a gradient is wrong, with a message
 * that names the input, the element and both numbers; those of the function. */
KAEL_API KAEL_NODISCARD kael_status kael_gradcheck(kael_gradcheck_function *function, void *context,
                                                   int64_t count, const kael_tensor *const *inputs,
                                                   double step, double relative, double absolute);

KAEL_END_DECLS

#endif
