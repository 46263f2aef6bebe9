#define SET neon
#include "kernels/elementwise_float_set.h"
