/* Plain C for every machine, one lane at a time. */
#include <stdint.h>

#define LANES uint64_t
#define LANES_COUNT 1
#define l_broadcast(x) ((uint64_t)(x))
#define l_from(x) (x)
#define l_load(p) (*(p))
#define l_save(p, a) (*(p) = (a))
#define l_add(a, b) ((a) + (b))
#define l_xor(a, b) ((a) ^ (b))
#define l_multiply(a, b) ((uint64_t)(uint32_t)(a) * (uint32_t)(b))
#define l_upper(a) ((a) >> 32)
#define l_store(p, w0, w1, w2, w3)                                                                 \
    ((p)[0] = (uint32_t)(w0) | (w1) << 32, (p)[1] = (uint32_t)(w2) | (w3) << 32)

#define SET generic
#include "kernels/random_set.h"
