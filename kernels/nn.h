/* Kernels of neural-network layers.
 *
 * Operands are arrays of the kernel's element type; `count`, sizes and strides are in elements. One
 * source, nn_template.h, gives all kernels of all instruction sets.
 */
#ifndef KAEL_KERNELS_NN_H
#define KAEL_KERNELS_NN_H

#include <stdbool.h>
#include <stdint.h>

/* gradient[i] = output[i] > 0 ? output_gradient[i] : 0; gradient may be output_gradient. */
typedef void kael_nn_relu_backward_function(int64_t count, const void *output_gradient,
                                            const void *output, void *gradient);

/* out[i * row_stride + j] += bias[j] */
typedef void kael_nn_add_bias_function(int64_t rows, int64_t columns, const void *bias, void *out,
                                       int64_t row_stride);

/* The numbers of a step; they are rounded to the element type first. */
typedef struct kael_descent_step {
    double learning_rate;
    double momentum;
    double weight_decay;
    bool is_nesterov;
    /* Of Adam. */
    double beta1;
    double beta2;
    double eps;
    bool is_decoupled;    /* the weight decay */
    double step_size;     /* learning_rate / (1 - beta1^t) */
    double second_factor; /* 1 / sqrt(1 - beta2^t) */
} kael_descent_step;

/* g = gradient + weight_decay * parameter, where there is a weight decay;
 * velocity = momentum * velocity + g;
 * parameter = parameter - learning_rate * (nesterov: g + momentum * velocity, else velocity) */
typedef void kael_nn_sgd_function(int64_t count, const kael_descent_step *step,
                                  const void *gradient, void *velocity, void *parameter);

/* Where there is a weight decay, p = parameter * (1 - learning_rate * weight_decay) if it is
 * decoupled, else g = gradient + weight_decay * parameter;
 * first = beta1 * first + (1 - beta1) * g; second = beta2 * second + ((1 - beta2) * g) * g;
 * parameter = p - step_size * (first / (sqrt(second) * second_factor + eps)) */
typedef void kael_nn_adam_function(int64_t count, const kael_descent_step *step,
                                   const void *gradient, void *first, void *second,
                                   void *parameter);

/* One element type's kernels on one instruction set. */
typedef struct kael_nn_kernels {
    kael_nn_relu_backward_function *relu_backward;
    kael_nn_add_bias_function *add_bias;
    kael_nn_sgd_function *sgd;
    kael_nn_adam_function *adam;
} kael_nn_kernels;

#endif
