#include "kernels/interleave.h"

#define SET generic
#include "kernels/elementwise_float_set.h"
