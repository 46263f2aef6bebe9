/* The reducers of one floating point type. Included once per type by reduce_set.h, which defines
 *   T, TYPE    the element type and its name, f32 or f64
 *   LOAD(p)    a vector of doubles from as many elements
 *   SIGNED_T, BITS_T  integer types of its size
 */
#define FOLD sum
#define IDENTITY 0.0
#define COMBINE(a, b) ((a) + (b))
#define STEP(a, x, p) COMBINE(a, x)
#define HAS_PARAMETERS 0
#include "kernels/reduce_fold_template.h"

#define FOLD product
#define IDENTITY 1.0
#define COMBINE(a, b) ((a) * (b))
#define STEP(a, x, p) COMBINE(a, x)
#define HAS_PARAMETERS 0
#include "kernels/reduce_fold_template.h"

#define FOLD squares
#define IDENTITY 0.0
#define COMBINE(a, b) ((a) + (b))
#define STEP(a, x, p) ((a) + (x) * (x))
#define HAS_PARAMETERS 0
#include "kernels/reduce_fold_template.h"

#define FOLD deviations
#define IDENTITY 0.0
#define COMBINE(a, b) ((a) + (b))
#define STEP(a, x, p) KAEL_FUSED((x) - (p), (x) - (p), a)
#define HAS_PARAMETERS 1
#include "kernels/reduce_fold_template.h"

#define BITS(x) KAEL_REDUCE_JOIN(kael_bits, TYPE)(x)
#define FROM_BITS(x) KAEL_REDUCE_JOIN(kael_from_bits, TYPE)(x)

/* Sign and magnitude as a number in two's complement, negated if `direction` is -1; NaN is beyond
 * all others. */
static KAEL_ALWAYS_INLINE SIGNED_T KAEL_REDUCE_JOIN(kael_order, TYPE)(T x, SIGNED_T direction) {
    const BITS_T sign_bit = BITS((T)-0.0);
    const SIGNED_T infinity = (SIGNED_T)BITS((T)INFINITY);
    const SIGNED_T greatest = (SIGNED_T)(sign_bit - 1);
    const SIGNED_T magnitude = (SIGNED_T)(BITS(x) & ~sign_bit);
    const SIGNED_T sign = ((SIGNED_T)BITS(x) < 0 ? -1 : 0) ^ direction;
    const SIGNED_T number = (magnitude ^ sign) - sign;
    return magnitude > infinity ? greatest : number;
}

#define IS_FLOAT 1
#define IS_NAN(x) __builtin_isunordered(x, x)
#define LEAST ((T)-INFINITY)
#define GREATEST ((T)INFINITY)
#define KEY_T SIGNED_T
#define UNORDERED_KEY ((SIGNED_T)(BITS((T)-0.0) - 1))
#define ORDER(x, direction) KAEL_REDUCE_JOIN(kael_order, TYPE)(x, direction)
#include "kernels/reduce_extremes.h"
#undef BITS
#undef FROM_BITS
#undef IS_FLOAT
#undef IS_NAN
#undef LEAST
#undef GREATEST
#undef KEY_T
#undef UNORDERED_KEY
#undef ORDER
