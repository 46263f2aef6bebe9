/* A network of two linear layers with a ReLU between them, trained with the cross entropy. */
#ifndef FASHION_MNIST_NETWORK_H
#define FASHION_MNIST_NETWORK_H

#include <kael/kael.h>
#include <stdint.h>

/* A parameter, its gradient, and its velocity: the optimiser's running mean of gradients. */
typedef struct parameter {
    kael_tensor *value;
    kael_tensor *gradient;
    kael_tensor *velocity;
} parameter;

enum { HIDDEN_WEIGHT, HIDDEN_BIAS, OUTPUT_WEIGHT, OUTPUT_BIAS, PARAMETERS };

typedef struct network {
    parameter parameters[PARAMETERS];
} network;

/* Values between the layers for one number of rows. */
typedef struct activations {
    int64_t rows;
    kael_tensor *input;           /* f32 [rows, inputs] */
    kael_tensor *targets;         /* i64 [rows] */
    kael_tensor *hidden;          /* f32 [rows, hidden] */
    kael_tensor *hidden_gradient; /* f32 [rows, hidden] */
    kael_tensor *logits;          /* f32 [rows, classes], then their gradient */
} activations;

/* Weights and biases uniform in +-1 / sqrt(inputs of the layer). Release also after a failure. */
kael_status network_create(network *net, int64_t inputs, int64_t hidden, int64_t classes,
                           uint64_t seed);
void network_release(network *net);

kael_status activations_create(activations *values, const network *net, int64_t rows);
void activations_release(activations *values);

/* Computes the logits of the input. */
kael_status network_forward(const network *net, activations *values);

/* One step of the optimiser on the input and targets; *losses is one loss per row, to release. */
kael_status network_train_step(network *net, activations *values, double learning_rate,
                               double momentum, kael_tensor **losses);

#endif
