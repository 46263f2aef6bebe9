#include "kernels/neon/doubles.h"
#define SET neon
#include "kernels/reduce_set.h"
