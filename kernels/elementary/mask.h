/* Choices between two numbers by bit masks. A compiler may make the choice a branch of a program of
 * its own when it is written with ?: and other conditions on the same number follow; vectors then
 * compute both branches. */
#ifndef KAEL_KERNELS_ELEMENTARY_MASK_H
#define KAEL_KERNELS_ELEMENTARY_MASK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/bits.h"

#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/mask_template.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/undefine_type.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/mask_template.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/undefine_type.h" /* NOLINT(readability-duplicate-include) */

#endif
