#define SET generic
#include "kernels/indexing_set.h"
