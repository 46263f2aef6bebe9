#define SET generic
#include "kernels/elementwise_float_set.h"
