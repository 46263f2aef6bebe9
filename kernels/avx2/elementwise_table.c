#define SET avx2
#include "kernels/elementwise_table.h"
