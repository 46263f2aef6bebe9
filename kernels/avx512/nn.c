#include "kernels/nn.h"
extern const kael_nn_kernels kael_nn_f32_avx512;
extern const kael_nn_kernels kael_nn_f64_avx512;
const kael_nn_kernels kael_nn_f32_avx512 = {0};
const kael_nn_kernels kael_nn_f64_avx512 = {0};
