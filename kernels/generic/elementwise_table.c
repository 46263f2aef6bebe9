#define SET generic
#include "kernels/elementwise_table.h"
