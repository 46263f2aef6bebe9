/* Optimisers: they move parameters against the gradients that kael_backward has collected in them.
 *
 * Parameters are leaves that require a gradient, of a floating point dtype and any layout with
 * distinct elements. An optimiser holds them, and state of its own for each: in f32 for f16 and
 * bf16, which are computed like f32 and rounded once a step. A step has the same bits for any
 * number of threads and any instruction set; it counts as a write to the parameters, so a graph
 * that has saved one can then no longer be walked back. Parameters without a gradient stay as they
 * are.
 *
 * Errors: VALUE for NULL, parameters that share elements, one that repeats elements, and numbers
 * outside of what a field says; STATE for a tensor that is no leaf which requires a gradient;
 * MEMORY. On an error *out is NULL, and nothing has changed. One thread at a time may use an
 * optimiser. */
#ifndef KAEL_OPTIM_H
#define KAEL_OPTIM_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

typedef struct kael_optimizer kael_optimizer;

typedef struct kael_sgd_options {
    double learning_rate; /* at least 0 */
    double momentum;      /* at least 0 and below 1 */
    double weight_decay;  /* at least 0 */
    bool nesterov;        /* needs a momentum */
} kael_sgd_options;

typedef struct kael_adam_options {
    double learning_rate; /* at least 0; 1e-3 suits many */
    double beta1;         /* at least 0 and below 1; 0.9 */
    double beta2;         /* at least 0 and below 1; 0.999 */
    double eps;           /* positive, in f32 too unless all parameters are f64; 1e-8 */
    double weight_decay;  /* at least 0 */
    bool decoupled;       /* weight decay apart from the gradient: AdamW */
} kael_adam_options;

/* Stochastic gradient descent, each operation rounded:
 *   g = gradient + weight_decay * parameter;  velocity = momentum * velocity + g
 *   parameter = parameter - learning_rate * velocity, or with nesterov
 *   parameter = parameter - learning_rate * (g + momentum * velocity)
 * The velocity is 0 at first. */
KAEL_API KAEL_NODISCARD kael_status kael_sgd_create(kael_optimizer **out, int64_t count,
                                                    kael_tensor *const *parameters,
                                                    const kael_sgd_options *options);

/* Adam (Kingma and Ba 2015), and AdamW (Loshchilov and Hutter 2019) if decoupled, each operation
 * rounded; t counts the steps from 1, and a power is t products from 1:
 *   g = gradient + weight_decay * parameter,
 *   or if decoupled parameter = parameter * (1 - learning_rate * weight_decay) and g = gradient
 *   first = beta1 * first + (1 - beta1) * g;  second = beta2 * second + ((1 - beta2) * g) * g
 *   parameter = parameter - learning_rate / (1 - beta1^t)
 *                           * (first / (sqrt(second) * (1 / sqrt(1 - beta2^t)) + eps)) */
KAEL_API KAEL_NODISCARD kael_status kael_adam_create(kael_optimizer **out, int64_t count,
                                                     kael_tensor *const *parameters,
                                                     const kael_adam_options *options);

/* NULL is fine. */
KAEL_API void kael_optimizer_release(kael_optimizer *optimizer);

/* Moves all parameters that have a gradient. */
KAEL_API KAEL_NODISCARD kael_status kael_optimizer_step(kael_optimizer *optimizer);

/* Drops the gradients of all parameters. */
KAEL_API KAEL_NODISCARD kael_status kael_optimizer_zero_grad(kael_optimizer *optimizer);

/* The learning rate of the steps to come, for schedules. */
KAEL_API KAEL_NODISCARD kael_status kael_optimizer_set_learning_rate(kael_optimizer *optimizer,
                                                                     double learning_rate);

KAEL_END_DECLS

#endif
