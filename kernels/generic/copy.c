#include "kernels/interleave.h"

#define SET generic
#include "kernels/copy_set.h"
