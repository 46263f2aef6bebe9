#include "kernels/avx2/interleave.h"

#define SET avx512
#include "kernels/copy_set.h"
