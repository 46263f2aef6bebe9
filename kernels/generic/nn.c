#define SET generic
#include "kernels/nn_set.h"
