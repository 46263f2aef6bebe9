#define SET avx512
#include "kernels/elementary_maps_set.h"
