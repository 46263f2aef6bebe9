/* Defines the tables kael_elementary_maps_f32_<set> and kael_elementary_maps_f64_<set> of one
 * instruction set, whose elementary_maps.c defines SET and includes this. */
#ifndef KAEL_KERNELS_ELEMENTARY_MAPS_SET_H
#define KAEL_KERNELS_ELEMENTARY_MAPS_SET_H

#include <stdint.h>

#include "kernels/elementary.h"
#include "kernels/elementary_maps.h"
#include "kernels/vectorize.h"

#define KAEL_MAPS_JOIN_(a, b) a##_##b
#define KAEL_MAPS_JOIN(a, b) KAEL_MAPS_JOIN_(a, b)

/* Functions that are one loop of vectors; sin and cos bring their maps. */
#define KAEL_LOOP_MAPS(X, T, type)                                                                 \
    X(exp, T, type)                                                                                \
    X(expm1, T, type)                                                                              \
    X(log, T, type)                                                                                \
    X(log1p, T, type)                                                                              \
    X(tanh, T, type)                                                                               \
    X(sigmoid, T, type)                                                                            \
    X(silu, T, type)                                                                               \
    X(erf, T, type)                                                                                \
    X(gelu, T, type)                                                                               \
    X(gelu_tanh, T, type)

#define KAEL_DEFINE_LOOP_MAP(name, T, type)                                                        \
    static inline void kael_##name##_map_##type(int64_t count, const T *in, T *out) {              \
        KAEL_INDEPENDENT_ITERATIONS                                                                \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            out[i] = kael_##name##_##type(in[i]);                                                  \
        }                                                                                          \
    }

#define KAEL_DEFINE_POW(T, type)                                                                   \
    static void pow_##type(int64_t count, const void *in_x, const void *in_y, void *out) {         \
        const T *x = in_x;                                                                         \
        const T *y = in_y;                                                                         \
        T *results = out;                                                                          \
        KAEL_INDEPENDENT_ITERATIONS                                                                \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            results[i] = kael_pow_##type(x[i], y[i]);                                              \
        }                                                                                          \
    }
KAEL_DEFINE_POW(float, f32)
KAEL_DEFINE_POW(double, f64)

KAEL_LOOP_MAPS(KAEL_DEFINE_LOOP_MAP, float, f32)
KAEL_LOOP_MAPS(KAEL_DEFINE_LOOP_MAP, double, f64)

#define KAEL_DEFINE_MAPS(name)                                                                     \
    static void name##_f32(int64_t count, const void *in, void *out) {                             \
        kael_##name##_map_f32(count, in, out);                                                     \
    }                                                                                              \
    static void name##_f64(int64_t count, const void *in, void *out) {                             \
        kael_##name##_map_f64(count, in, out);                                                     \
    }
KAEL_ELEMENTARY_MAPS(KAEL_DEFINE_MAPS)

#define KAEL_F32_MAP(name) .name = name##_f32,
extern const kael_elementary_maps KAEL_MAPS_JOIN(kael_elementary_maps_f32, SET);
const kael_elementary_maps KAEL_MAPS_JOIN(kael_elementary_maps_f32, SET) = {
    KAEL_ELEMENTARY_MAPS(KAEL_F32_MAP) KAEL_F32_MAP(pow)};

#define KAEL_F64_MAP(name) .name = name##_f64,
extern const kael_elementary_maps KAEL_MAPS_JOIN(kael_elementary_maps_f64, SET);
const kael_elementary_maps KAEL_MAPS_JOIN(kael_elementary_maps_f64, SET) = {
    KAEL_ELEMENTARY_MAPS(KAEL_F64_MAP) KAEL_F64_MAP(pow)};

#endif
