#include "kernels/interleave.h"

#define SET neon
#include "kernels/elementwise_integer_set.h"
