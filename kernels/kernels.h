/* The table of kernels of one instruction set. Each folder here defines one; the dispatcher in
 * lib/cpu picks. */
#ifndef KAEL_KERNELS_KERNELS_H
#define KAEL_KERNELS_KERNELS_H

#include "kernels/gemm.h"
#include "kernels/nn.h"

typedef struct kael_kernels {
    const char *name;
    const kael_gemm_kernel *gemm_f32;
    const kael_gemm_kernel *gemm_f64;
    const kael_nn_kernels *nn_f32;
    const kael_nn_kernels *nn_f64;
} kael_kernels;

#endif
