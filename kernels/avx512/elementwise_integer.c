#include "kernels/avx2/interleave.h"

#define SET avx512
#include "kernels/elementwise_integer_set.h"
