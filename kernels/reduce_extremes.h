/* Both directions of reduce_extreme_template.h for one type. Included by the templates of the two
 * kinds of types, which define T, TYPE, SIGNED_T, IS_FLOAT; LEAST and GREATEST, the bounds of T;
 * KEY_T, UNORDERED_KEY and ORDER(x, direction), the key when direction is 0 and its reverse when it
 * is -1. */
#define EXTREME largest
#define WINS(a, b) ((a) > (b))
#define SIGNS(a, b) ((a) & (b))
#define WORST LEAST
#define KEY(x) ORDER(x, 0)
#include "kernels/reduce_extreme_template.h"
#undef EXTREME
#undef WINS
#undef SIGNS
#undef WORST
#undef KEY

#define EXTREME smallest
#define WINS(a, b) ((a) < (b))
#define SIGNS(a, b) ((a) | (b))
#define WORST GREATEST
#define KEY(x) ORDER(x, -1)
#include "kernels/reduce_extreme_template.h"
#undef EXTREME
#undef WINS
#undef SIGNS
#undef WORST
#undef KEY
