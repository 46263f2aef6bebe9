#define SET neon
#include "kernels/gemm_integer_scalar.h"
