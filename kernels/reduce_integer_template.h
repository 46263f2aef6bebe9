/* The reducers of one integer type. Included once per type by reduce_set.h, which defines
 *   T, TYPE          the element type and its name
 *   SIGNED_T         a signed integer type of its size
 *   LEAST, GREATEST  its bounds
 *   SUM_T            a type that holds the sum of a block of them: narrow ones keep vectors full
 */
#define FOLD sum
#define IDENTITY 0
#define COMBINE(a, b) ((a) + (b))
#define PART_T SUM_T
#include "kernels/reduce_wrapping_template.h"

#define FOLD product
#define IDENTITY 1
#define COMBINE(a, b) ((a) * (b))
#define PART_T uint64_t
#include "kernels/reduce_wrapping_template.h"

/* The complement of a number orders the other way. */
#define IS_FLOAT 0
#define IS_NAN(x) false
#define KEY_T T
#define UNORDERED_KEY GREATEST
#define ORDER(x, direction) ((T)((x) ^ (T)(direction)))
#include "kernels/reduce_extremes.h"
#undef IS_FLOAT
#undef IS_NAN
#undef KEY_T
#undef UNORDERED_KEY
#undef ORDER
