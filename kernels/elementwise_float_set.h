/* Defines kael_elementwise_f32_<set> and kael_elementwise_f64_<set> of one instruction set, whose
 * elementwise_float.c includes a header of interleave_stream, defines SET and includes this. */
#ifndef KAEL_KERNELS_ELEMENTWISE_FLOAT_SET_H
#define KAEL_KERNELS_ELEMENTWISE_FLOAT_SET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary_maps.h"
#include "kernels/elementwise.h"
#define KAEL_STREAMS (parameters != NULL)
#include "kernels/elementwise_loops.h"

#define KAEL_ELEMENTWISE_JOIN_(a, b) a##_##b
#define KAEL_ELEMENTWISE_JOIN(a, b) KAEL_ELEMENTWISE_JOIN_(a, b)

enum { KAEL_ELEMENTWISE_SPREAD = 256 };

#define T float
#define TYPE f32
#define C(function) function##f
#define HAS_FMA_TO_ODD 0
#include "kernels/elementwise_float_template.h"
#undef HAS_FMA_TO_ODD
#undef C
#undef TYPE
#undef T

#define T double
#define TYPE f64
#define C(function) function
#define HAS_FMA_TO_ODD 1
#include "kernels/elementwise_float_template.h"
#undef HAS_FMA_TO_ODD
#undef C
#undef TYPE
#undef T

#endif
