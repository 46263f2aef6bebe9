#include "kernels/neon/doubles.h"
#define SET neon
#include "kernels/normalize_set.h"
