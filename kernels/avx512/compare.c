#define SET avx512
#include "kernels/compare_set.h"
