#define SET avx512
#include "kernels/nn_set.h"
