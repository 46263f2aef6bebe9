#define SET avx512
#include "kernels/elementwise_table.h"
