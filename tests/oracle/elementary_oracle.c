#include "oracle/elementary_oracle.h"

#include <stdlib.h>

#include "kernels/elementary.h"

#define DEFINE_ELEMENT(T, type)                                                                    \
    static T element_##type(elementary_number number, T x, T y) {                                  \
        switch (number) {                                                                          \
        case ELEMENTARY_EXP:                                                                       \
            return kael_exp_##type(x);                                                             \
        case ELEMENTARY_EXPM1:                                                                     \
            return kael_expm1_##type(x);                                                           \
        case ELEMENTARY_LOG:                                                                       \
            return kael_log_##type(x);                                                             \
        case ELEMENTARY_LOG1P:                                                                     \
            return kael_log1p_##type(x);                                                           \
        case ELEMENTARY_SIN:                                                                       \
            return kael_sin_##type(x);                                                             \
        case ELEMENTARY_COS:                                                                       \
            return kael_cos_##type(x);                                                             \
        case ELEMENTARY_TANH:                                                                      \
            return kael_tanh_##type(x);                                                            \
        case ELEMENTARY_SIGMOID:                                                                   \
            return kael_sigmoid_##type(x);                                                         \
        case ELEMENTARY_SILU:                                                                      \
            return kael_silu_##type(x);                                                            \
        case ELEMENTARY_ERF:                                                                       \
            return kael_erf_##type(x);                                                             \
        case ELEMENTARY_GELU:                                                                      \
            return kael_gelu_##type(x);                                                            \
        case ELEMENTARY_GELU_TANH:                                                                 \
            return kael_gelu_tanh_##type(x);                                                       \
        case ELEMENTARY_POW:                                                                       \
            return kael_pow_##type(x, y);                                                          \
        case ELEMENTARY_COUNT:                                                                     \
            break;                                                                                 \
        }                                                                                          \
        abort();                                                                                   \
    }
DEFINE_ELEMENT(float, f32)
DEFINE_ELEMENT(double, f64)

void elementary_oracle(elementary_number number, matmul_type type, int64_t count, const void *x,
                       const void *y, void *out) {
    for (int64_t i = 0; i < count; ++i) {
        if (type == MATMUL_F32) {
            const float *x32 = x;
            const float *y32 = y;
            ((float *)out)[i] = element_f32(number, x32[i], y32[i]);
        } else {
            const double *x64 = x;
            const double *y64 = y;
            ((double *)out)[i] = element_f64(number, x64[i], y64[i]);
        }
    }
}
