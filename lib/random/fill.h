/* Filling tensors with random numbers. */
#ifndef KAEL_RANDOM_FILL_H
#define KAEL_RANDOM_FILL_H

#include "kael/random.h"
#include "kernels/random.h"

/* A distribution for one dtype, ready to run. */
typedef struct kael_random_plan {
    kael_random_fill *fill;
    int64_t per_block; /* elements: 2 or 4 */
    union {
        kael_random_uniform_parameters uniform;
        kael_random_normal_parameters normal;
        kael_random_integers_parameters integers;
        kael_random_bernoulli_parameters bernoulli;
    } parameters;
} kael_random_plan;

/* Checks the arguments that every function has: not NULL; *out becomes NULL. */
KAEL_NODISCARD kael_status kael_random_begin(kael_tensor **out, const kael_generator *generator);
KAEL_NODISCARD kael_status kael_random_begin_into(const kael_tensor *out,
                                                  const kael_generator *generator);

/* Makes a tensor of the plan's dtype and moves the generator on. */
KAEL_NODISCARD kael_status kael_random_fill_new(kael_tensor **out, kael_generator *generator,
                                                const kael_random_plan *plan, kael_dtype dtype,
                                                int64_t ndim, const int64_t *shape);

/* The same into a tensor of the plan's dtype. */
KAEL_NODISCARD kael_status kael_random_fill_into(kael_tensor *out, kael_generator *generator,
                                                 const kael_random_plan *plan);

#endif
