#include "kernels/nn.h"
extern const kael_nn_kernels kael_nn_f32_neon;
extern const kael_nn_kernels kael_nn_f64_neon;
const kael_nn_kernels kael_nn_f32_neon = {0};
const kael_nn_kernels kael_nn_f64_neon = {0};
