#define SET generic
#include "kernels/compare_set.h"
