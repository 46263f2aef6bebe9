#define SET neon
#include "kernels/indexing_set.h"
