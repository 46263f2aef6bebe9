/* Kernels of neural-network layers.
 *
 * Operands are arrays of the kernel's element type; `count`, sizes and strides are in elements. One
 * source, nn_template.h, gives all kernels of all instruction sets.
 */
#ifndef KAEL_KERNELS_NN_H
#define KAEL_KERNELS_NN_H

#include <stdint.h>

/* gradient[i] = output[i] > 0 ? output_gradient[i] : 0; gradient may be output_gradient. */
typedef void kael_nn_relu_backward_function(int64_t count, const void *output_gradient,
                                            const void *output, void *gradient);

/* out[i * row_stride + j] += bias[j] */
typedef void kael_nn_add_bias_function(int64_t rows, int64_t columns, const void *bias, void *out,
                                       int64_t row_stride);

/* velocity = momentum * velocity + gradient; parameter = parameter - learning_rate * velocity. The
 * two numbers are rounded to the element type first. */
typedef void kael_nn_sgd_step_function(int64_t count, double learning_rate, double momentum,
                                       const void *gradient, void *velocity, void *parameter);

/* One element type's kernels on one instruction set. */
typedef struct kael_nn_kernels {
    kael_nn_relu_backward_function *relu_backward;
    kael_nn_add_bias_function *add_bias;
    kael_nn_sgd_step_function *sgd_step;
} kael_nn_kernels;

#endif
