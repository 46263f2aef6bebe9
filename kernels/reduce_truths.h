/* The questions of reduce_truth_template.h about elements of one kind. Included once per kind by
 * reduce_set.h, which defines T, TYPE and MASK; undefines them. */
#define FOLD any
#define TOTAL_T uint8_t
#define IDENTITY 0
#define STEP(note, bits) ((T)((note) | (bits)))
#define TAKE(total, note) ((total) | ((note) != 0))
#define COMBINE(a, b) ((a) | (b))
#define IS_SETTLED(total) ((total) != 0)
#include "kernels/reduce_truth_template.h"

#define FOLD all
#define TOTAL_T uint8_t
#define IDENTITY 1
#define STEP(note, bits) ((T)((note) | ((bits) == 0)))
#define TAKE(total, note) ((total) & ((note) == 0))
#define COMBINE(a, b) ((a) & (b))
#define IS_SETTLED(total) ((total) == 0)
#include "kernels/reduce_truth_template.h"

#define FOLD nonzero
#define TOTAL_T uint64_t
#define IDENTITY 0
#define STEP(note, bits) ((T)((note) + ((bits) != 0)))
#define TAKE(total, note) ((total) + (note))
#define COMBINE(a, b) ((a) + (b))
#define IS_SETTLED(total) false
#include "kernels/reduce_truth_template.h"

#undef T
#undef TYPE
#undef MASK
