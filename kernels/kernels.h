/* The table of kernels of one instruction set. Each folder here defines one; the dispatcher in
 * lib/cpu picks. */
#ifndef KAEL_KERNELS_KERNELS_H
#define KAEL_KERNELS_KERNELS_H

#include "kernels/compare.h"
#include "kernels/copy.h"
#include "kernels/elementary_maps.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/indexing.h"
#include "kernels/nn.h"
#include "kernels/normalize.h"
#include "kernels/random.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

typedef struct kael_kernels {
    const char *name;
    const kael_gemm_kernel *gemm_f32;
    const kael_gemm_kernel *gemm_f64;
    /* Wrapping integers; signed ones have the same bits. */
    const kael_gemm_kernel *gemm_u32;
    const kael_gemm_kernel *gemm_u64;
    /* The 4 x 4 scalar step of the ladder, with the instructions of this set. */
    const kael_gemm_kernel *gemm_f32_scalar;
    const kael_gemm_kernel *gemm_f64_scalar;
    const kael_nn_kernels *nn_f32;
    const kael_nn_kernels *nn_f64;
    const kael_elementary_maps *elementary_f32;
    const kael_elementary_maps *elementary_f64;
    const kael_copy_kernels *copy;
    const kael_elementwise_set *elementwise;
    const kael_indexing_kernels *indexing;
    const kael_compare_kernels *compare;
    const kael_random_kernels *random;
    const kael_reduce_kernels *reduce;
    const kael_normalize_kernels *normalize_f32;
    const kael_normalize_kernels *normalize_f64;
    const kael_softmax_kernels *softmax_f32;
    const kael_softmax_kernels *softmax_f64;
} kael_kernels;

#endif
