#include "kernels/nn.h"
extern const kael_nn_kernels kael_nn_f32_avx2;
extern const kael_nn_kernels kael_nn_f64_avx2;
const kael_nn_kernels kael_nn_f32_avx2 = {0};
const kael_nn_kernels kael_nn_f64_avx2 = {0};
