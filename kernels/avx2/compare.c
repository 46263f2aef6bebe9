#define SET avx2
#include "kernels/compare_set.h"
