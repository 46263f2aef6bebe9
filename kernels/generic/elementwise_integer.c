#include "kernels/interleave.h"

#define SET generic
#include "kernels/elementwise_integer_set.h"
