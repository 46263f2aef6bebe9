#include "kernels/avx512/doubles.h"
#define SET avx512
#include "kernels/normalize_set.h"
