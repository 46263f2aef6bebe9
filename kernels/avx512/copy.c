#define SET avx512
#include "kernels/copy_set.h"
