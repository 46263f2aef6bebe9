/* Initialisers of weights: they fill a tensor of any floating point dtype and any layout from a
 * generator, as kael_random_uniform and kael_random_normal do, also a leaf that requires a
 * gradient, and record nothing.
 *
 * A weight has two dimensions or more: [out, in], or [out, in, d1, d2, ...] of a convolution. With
 * r = d1 * d2 * ... its fan_in is in * r, its fan_out is out * r.
 *
 * Errors: VALUE for NULL, for a gain that is not positive and finite, and those of the functions
 * named above; SHAPE for less than two dimensions; DTYPE; MEMORY. On an error the tensor has not
 * changed. */
#ifndef KAEL_INIT_H
#define KAEL_INIT_H

#include "kael/macros.h"
#include "kael/random.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* Of Glorot and Bengio (2010): variance gain^2 * 2 / (fan_in + fan_out); the uniform form is over
 * -a to a with a = gain * sqrt(6 / (fan_in + fan_out)). */
KAEL_API KAEL_NODISCARD kael_status kael_init_xavier_uniform(kael_tensor *weight,
                                                             kael_generator *generator,
                                                             double gain);
KAEL_API KAEL_NODISCARD kael_status kael_init_xavier_normal(kael_tensor *weight,
                                                            kael_generator *generator, double gain);

/* Of He, Zhang, Ren and Sun (2015): variance gain^2 / fan_in, with a gain of sqrt(2) before ReLU;
 * the uniform form is over -a to a with a = gain * sqrt(3 / fan_in). */
KAEL_API KAEL_NODISCARD kael_status kael_init_kaiming_uniform(kael_tensor *weight,
                                                              kael_generator *generator,
                                                              double gain);
KAEL_API KAEL_NODISCARD kael_status kael_init_kaiming_normal(kael_tensor *weight,
                                                             kael_generator *generator,
                                                             double gain);

KAEL_END_DECLS

#endif
