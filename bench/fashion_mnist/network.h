/* A network of two linear layers with a ReLU between them, trained with the cross entropy. */
#ifndef FASHION_MNIST_NETWORK_H
#define FASHION_MNIST_NETWORK_H

#include <kael/kael.h>
#include <stdint.h>

enum { HIDDEN_WEIGHT, HIDDEN_BIAS, OUTPUT_WEIGHT, OUTPUT_BIAS, PARAMETERS };

typedef struct network {
    kael_tensor *parameters[PARAMETERS]; /* require gradients */
    kael_optimizer *optimizer;           /* stochastic gradient descent */
} network;

/* What a step learns from. */
typedef struct batch {
    int64_t rows;
    kael_tensor *input;   /* f32 [rows, inputs] */
    kael_tensor *targets; /* i64 [rows] */
} batch;

/* Weights and biases uniform in +-1 / sqrt(inputs of the layer). Release also after a failure. */
kael_status network_create(network *net, int64_t inputs, int64_t hidden, int64_t classes,
                           uint64_t seed, double momentum);
void network_release(network *net);

kael_status batch_create(batch *b, int64_t rows, int64_t inputs);
void batch_release(batch *b);

/* Computes the logits of the input, to release. */
kael_status network_forward(kael_tensor **logits, const network *net, const kael_tensor *input);

/* One step of the optimiser on a batch; *losses is one loss per row, to release. */
kael_status network_train_step(network *net, const batch *b, double learning_rate,
                               kael_tensor **losses);

#endif
