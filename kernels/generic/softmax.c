#define SET generic
#include "kernels/softmax_set.h"
