/* tanh, sigmoid, silu and the tanh form of gelu: quotients of sums with exp, carried with their
 * rounding errors so that hardly more than the last rounding is lost. */
#ifndef KAEL_KERNELS_ELEMENTARY_LOGISTIC_H
#define KAEL_KERNELS_ELEMENTARY_LOGISTIC_H

#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"
#include "kernels/elementary/exp.h"
#include "kernels/elementary/mask.h"
#include "kernels/elementary/sum.h"

#define TANH_IS_ONE 9.5f
#define TANH_IS_NEARLY_ONE 6.0f
#define LOGISTIC_IS_LINEAR 120.0f
#define GELU_TANH_IS_LINEAR 12.0f
#define GELU_TANH_FACTOR 0x1.988454p0f
#define GELU_TANH_FACTOR_LOW -0x1.857936p-25f
#define GELU_TANH_CUBIC 0x1.2444f2p-4f
#define GELU_TANH_CUBIC_LOW 0x1.49b16ap-29f
#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/logistic_template.h"

#include "kernels/elementary/undefine_type.h"
#undef GELU_TANH_CUBIC_LOW
#undef GELU_TANH_CUBIC
#undef GELU_TANH_FACTOR_LOW
#undef GELU_TANH_FACTOR
#undef GELU_TANH_IS_LINEAR
#undef LOGISTIC_IS_LINEAR
#undef TANH_IS_NEARLY_ONE
#undef TANH_IS_ONE

#define TANH_IS_ONE 20.0
#define TANH_IS_NEARLY_ONE 15.0
#define LOGISTIC_IS_LINEAR 770.0
#define GELU_TANH_IS_LINEAR 23.0
#define GELU_TANH_FACTOR 0x1.9884533d43651p0
#define GELU_TANH_FACTOR_LOW -0x1.cbc0d30ebfd15p-54
#define GELU_TANH_CUBIC 0x1.2444f2a4d8b4bp-4
#define GELU_TANH_CUBIC_LOW -0x1.6c843a29d1c7p-61
#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/logistic_template.h"

#include "kernels/elementary/undefine_type.h"
#undef GELU_TANH_CUBIC_LOW
#undef GELU_TANH_CUBIC
#undef GELU_TANH_FACTOR_LOW
#undef GELU_TANH_FACTOR
#undef GELU_TANH_IS_LINEAR
#undef LOGISTIC_IS_LINEAR
#undef TANH_IS_NEARLY_ONE
#undef TANH_IS_ONE

#endif
