#define SET neon
#include "kernels/elementary_maps_set.h"
