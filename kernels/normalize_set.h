/* Defines the tables kael_normalize_f32_<set> and kael_normalize_f64_<set> of one instruction set,
 * whose normalize.c includes its vectors of doubles, defines SET and includes this. */
#ifndef KAEL_KERNELS_NORMALIZE_SET_H
#define KAEL_KERNELS_NORMALIZE_SET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/normalize.h"
#include "kernels/octets.h"

#define KAEL_NORMALIZE_JOIN_(a, b) a##_##b
#define KAEL_NORMALIZE_JOIN(a, b) KAEL_NORMALIZE_JOIN_(a, b)

/* Rows whose sums overlap, since the steps of one wait for each other. */
enum { KAEL_NORMALIZE_ROWS = 4 };

#define T float
#define TYPE f32
#include "kernels/normalize_template.h"
#undef TYPE
#undef T

#define T double
#define TYPE f64
#include "kernels/normalize_template.h"
#undef TYPE
#undef T

#endif
