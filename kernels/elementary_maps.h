/* The functions of elementary.h over arrays of float or double, in one table per type and
 * instruction set. */
#ifndef KAEL_KERNELS_ELEMENTARY_MAPS_H
#define KAEL_KERNELS_ELEMENTARY_MAPS_H

#include <stdint.h>

#define KAEL_ELEMENTARY_MAPS(X)                                                                    \
    X(exp)                                                                                         \
    X(expm1)                                                                                       \
    X(log)                                                                                         \
    X(log1p)                                                                                       \
    X(sin)                                                                                         \
    X(cos)                                                                                         \
    X(tanh)                                                                                        \
    X(sigmoid)                                                                                     \
    X(silu)                                                                                        \
    X(erf)                                                                                         \
    X(gelu)                                                                                        \
    X(gelu_tanh)

/* out[i] = f(in[i]); out may be in. */
typedef void kael_map_function(int64_t count, const void *in, void *out);

/* out[i] = f(a[i], b[i]); out may be a or b. */
typedef void kael_map_pairs_function(int64_t count, const void *a, const void *b, void *out);

typedef struct kael_elementary_maps {
#define KAEL_DECLARE_MAP(name) kael_map_function *name;
    KAEL_ELEMENTARY_MAPS(KAEL_DECLARE_MAP)
#undef KAEL_DECLARE_MAP
    kael_map_pairs_function *pow;
} kael_elementary_maps;

#endif
