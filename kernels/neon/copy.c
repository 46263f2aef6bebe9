#include "kernels/interleave.h"

#define SET neon
#include "kernels/copy_set.h"
