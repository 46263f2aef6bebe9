#include "kernels/avx2/doubles.h"
#define SET avx2
#include "kernels/normalize_set.h"
