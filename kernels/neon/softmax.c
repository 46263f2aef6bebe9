#define SET neon
#include "kernels/softmax_set.h"
