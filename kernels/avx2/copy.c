#include "kernels/avx2/interleave.h"

#define SET avx2
#include "kernels/copy_set.h"
