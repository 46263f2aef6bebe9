#include "kernels/generic/doubles.h"
#define SET generic
#include "kernels/normalize_set.h"
