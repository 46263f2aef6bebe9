#define SET neon
#include "kernels/nn_set.h"
