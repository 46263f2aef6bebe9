#include "kernels/generic/doubles.h"
#define SET generic
#include "kernels/reduce_set.h"
