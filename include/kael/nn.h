/* Layers of neural networks as plain operations on tensors; softmax and losses are in loss.h,
 * normalisation is in normalize.h.
 *
 * But for kael_linear, tensors must be contiguous and of dtype f32 or f64, all of the same one.
 * `_into` forms write an existing tensor of exactly the result's shape.
 * Errors: VALUE for NULL, for tensors that overlap where they must not, and for a malformed
 * KAEL_ISA or KAEL_NUM_THREADS; DTYPE; SHAPE when sizes do not fit together; UNSUPPORTED for a
 * tensor that is not contiguous; MEMORY. On an error a result pointer is NULL and no tensor has
 * changed, but that after a MEMORY error the elements of results written by an `_into` form are
 * unspecified.
 */
#ifndef KAEL_NN_H
#define KAEL_NN_H

#include "kael/loss.h"
#include "kael/macros.h"
#include "kael/normalize.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* out = input * transpose(weight) + bias: input [..., in], weight [out, in], bias [out] or NULL,
 * out [..., out], all of one floating point dtype and in any layout. An element is kael_matmul's,
 * from zero, plus the bias. out of the `_into` form may overlap the operands. */
KAEL_API KAEL_NODISCARD kael_status kael_linear(kael_tensor **out, const kael_tensor *input,
                                                const kael_tensor *weight, const kael_tensor *bias);
KAEL_API KAEL_NODISCARD kael_status kael_linear_into(kael_tensor *out, const kael_tensor *input,
                                                     const kael_tensor *weight,
                                                     const kael_tensor *bias);

/* The gradients of kael_linear from the gradient of its result [batch, out]:
 *   input_gradient [batch, in] = output_gradient * weight
 *   weight_gradient [out, in]  = transpose(output_gradient) * input
 *   bias_gradient [out]        = sums of output_gradient over the batch
 * Each of the three may be NULL and is then not computed; results must not overlap the operands. */
KAEL_API KAEL_NODISCARD kael_status kael_linear_backward_into(
    kael_tensor *input_gradient, kael_tensor *weight_gradient, kael_tensor *bias_gradient,
    const kael_tensor *output_gradient, const kael_tensor *input, const kael_tensor *weight);

/* The gradient of kael_relu: output_gradient where output > 0, +0 elsewhere (also where it is NaN).
 * input_gradient may be output_gradient itself. */
KAEL_API KAEL_NODISCARD kael_status kael_relu_backward_into(kael_tensor *input_gradient,
                                                            const kael_tensor *output_gradient,
                                                            const kael_tensor *output);

/* One step of stochastic gradient descent with momentum, in place:
 *   velocity = momentum * velocity + gradient;  parameter = parameter - learning_rate * velocity
 * each operation rounded by itself in the tensors' dtype. The three tensors have one shape and do
 * not overlap. Nothing is recorded, and the parameter may be a leaf that requires a gradient; STATE
 * if it is the result of a recorded operation, or if the velocity takes part in a graph while
 * operations are recorded. */
KAEL_API KAEL_NODISCARD kael_status kael_sgd_step(kael_tensor *parameter, kael_tensor *velocity,
                                                  const kael_tensor *gradient, double learning_rate,
                                                  double momentum);

KAEL_END_DECLS

#endif
