#define SET avx2
#include "kernels/softmax_set.h"
