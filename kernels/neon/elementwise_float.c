#include "kernels/interleave.h"

#define SET neon
#include "kernels/elementwise_float_set.h"
