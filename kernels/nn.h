/* Kernels of neural-network layers. */
#ifndef KAEL_KERNELS_NN_H
#define KAEL_KERNELS_NN_H

#include <stdint.h>

typedef struct kael_nn_kernels {
    int unused;
} kael_nn_kernels;

#endif
