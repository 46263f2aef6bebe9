#define SET avx2
#include "kernels/elementary_maps_set.h"
