#define SET avx512
#include "kernels/softmax_set.h"
