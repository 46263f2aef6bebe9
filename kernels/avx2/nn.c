#define SET avx2
#include "kernels/nn_set.h"
