#define SET avx2
#include "kernels/copy_set.h"
