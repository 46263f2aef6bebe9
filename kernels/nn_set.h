/* Defines the tables kael_nn_f32_<set> and kael_nn_f64_<set> of one instruction set, whose nn.c
 * defines SET and includes this. */
#ifndef KAEL_KERNELS_NN_SET_H
#define KAEL_KERNELS_NN_SET_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/nn.h"
#include "kernels/vectorize.h"

#define KAEL_NN_JOIN_(a, b) a##_##b
#define KAEL_NN_JOIN(a, b) KAEL_NN_JOIN_(a, b)

enum { KAEL_NN_CHUNK = 256 /* elements at a time that stay in the first cache */ };

#define T float
#define TYPE f32
#define SQRT sqrtf
#define HAS_EXACT_PRODUCTS 1
#include "kernels/nn_template.h"
#undef HAS_EXACT_PRODUCTS
#undef SQRT
#undef TYPE
#undef T

#define T double
#define TYPE f64
#define SQRT sqrt
#define HAS_EXACT_PRODUCTS 0
#include "kernels/nn_template.h"
#undef HAS_EXACT_PRODUCTS
#undef SQRT
#undef TYPE
#undef T

#endif
