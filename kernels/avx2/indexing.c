#define SET avx2
#include "kernels/indexing_set.h"
