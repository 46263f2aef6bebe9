#define SET avx512
#include "kernels/elementwise_float_set.h"
