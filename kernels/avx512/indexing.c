#define SET avx512
#include "kernels/indexing_set.h"
