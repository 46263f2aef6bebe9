#include "kernels/nn.h"
extern const kael_nn_kernels kael_nn_f32_generic;
extern const kael_nn_kernels kael_nn_f64_generic;
const kael_nn_kernels kael_nn_f32_generic = {0};
const kael_nn_kernels kael_nn_f64_generic = {0};
