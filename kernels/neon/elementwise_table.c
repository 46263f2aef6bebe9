#define SET neon
#include "kernels/elementwise_table.h"
