#define SET generic
#include "kernels/elementary_maps_set.h"
