#define SET generic
#include "kernels/gemm_integer_scalar.h"
