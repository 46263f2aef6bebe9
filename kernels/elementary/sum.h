/* Sums and products with their rounding errors. */
#ifndef KAEL_KERNELS_ELEMENTARY_SUM_H
#define KAEL_KERNELS_ELEMENTARY_SUM_H

#include <math.h>
#include <stdint.h>

#include "kernels/bits.h"

#include "kernels/elementary/type_f32.h"

#include "kernels/elementary/sum_template.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/undefine_type.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/type_f64.h"

#include "kernels/elementary/sum_template.h" /* NOLINT(readability-duplicate-include) */

#include "kernels/elementary/undefine_type.h" /* NOLINT(readability-duplicate-include) */

#endif
