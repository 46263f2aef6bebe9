#define SET neon
#include "kernels/compare_set.h"
