/* Kernels of reductions.
 *
 * A reduction walks the elements of each of its outputs in their logical order, in blocks of
 * KAEL_REDUCE_BLOCK. A block's result comes from a state that panels of elements are added to; the
 * results of neighbouring blocks are joined in pairs, an odd last one carried, until one is left.
 *
 * The definition of a floating point sum, or of another fold in double: in a block eight lanes,
 * lane l folding the elements l, l + 8, l + 16 ... from the identity (0 of a sum, 1 of a product);
 * the block's result folds onto the identity the lanes from the first to the last and then the
 * elements beyond the last whole group of lanes. The other reducers are exact in any order. */
#ifndef KAEL_KERNELS_REDUCE_H
#define KAEL_KERNELS_REDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/dtypes.h"

enum {
    KAEL_REDUCE_BLOCK = 16384,
    KAEL_REDUCE_LANES = 8,
    KAEL_REDUCE_WIDTH = 1024,    /* the most outputs of a panel */
    KAEL_REDUCE_STATE_SIZE = 64, /* bytes per output; states are aligned to as many */
    KAEL_REDUCE_TOTAL_SIZE = 16, /* the most bytes of an output's result */
};

/* How a panel lies in memory: rows have each output's elements side by side, and their first ones
 * `stride` elements apart; columns have the outputs side by side and successive elements of an
 * output `stride` apart. */
typedef enum kael_panel_layout {
    KAEL_PANEL_ROWS,
    KAEL_PANEL_COLUMNS,
    KAEL_PANEL_LAYOUTS
} kael_panel_layout;

/* Elements number first ... first + count - 1 of each of `width` outputs. */
typedef struct kael_panel {
    const void *data;
    int64_t width;
    int64_t count;
    int64_t stride;
    int64_t first;
    const double *parameters; /* one per output, where the reducer has any */
} kael_panel;

/* One reduction of elements of one type. */
typedef struct kael_reducer {
    int64_t total_size; /* bytes of a result */
    bool has_index;     /* results are kael_arg_total */
    void (*begin)(int64_t width, void *state);
    /* Adds a panel of whole groups of lanes. */
    void (*add[KAEL_PANEL_LAYOUTS])(const kael_panel *panel, void *state);
    /* Adds the panel, fewer elements than there are lanes, and writes the results. The state may be
     * NULL when nothing was added to it. */
    void (*end[KAEL_PANEL_LAYOUTS])(const kael_panel *panel, const void *state, void *totals);
    /* Joins the results of a block to those of the blocks before it. */
    void (*join)(int64_t width, void *totals, const void *later);
    /* Whether no further elements can change a result; or NULL where they always can. */
    bool (*is_settled)(const void *total);
} kael_reducer;

/* The result of argmax and argmin: `key` orders the elements and is the reducer's own. */
typedef struct kael_arg_total {
    uint64_t key;
    int64_t index;
} kael_arg_total;

/* Replaces the elements of a contiguous panel of doubles by terms to reduce. */
typedef void kael_panel_map(const kael_panel *panel, kael_panel_layout layout, double *elements);

/* Tables by dtype number, NULL where an operation converts its elements first: the 16-bit floats to
 * f32, exactly. bool is reduced as numbers 0 and 1. Results:
 *   sum, product            f64 of floats; i64 or u64, wrapping, of integers
 *   squares                 f64: the sum of x * x
 *   deviations              f64: the sum of d * d for d = x - parameter, added by fma
 *   largest, smallest       the element type; NaN wins and -0 is less than +0
 *   argmax, argmin          kael_arg_total: the first of equals, among which are -0 and +0; the
 *                           first NaN if there is one
 *   any, all                bool: whether any element, or every one, is not zero
 *   nonzero                 i64: how many are not; these three have all types */
typedef struct kael_reduce_kernels {
    const kael_reducer *sum[KAEL_DTYPE_COUNT];
    const kael_reducer *product[KAEL_DTYPE_COUNT];
    const kael_reducer *squares[KAEL_DTYPE_COUNT];
    const kael_reducer *deviations[KAEL_DTYPE_COUNT];
    const kael_reducer *largest[KAEL_DTYPE_COUNT];
    const kael_reducer *smallest[KAEL_DTYPE_COUNT];
    const kael_reducer *argmax[KAEL_DTYPE_COUNT];
    const kael_reducer *argmin[KAEL_DTYPE_COUNT];
    const kael_reducer *any[KAEL_DTYPE_COUNT];
    const kael_reducer *all[KAEL_DTYPE_COUNT];
    const kael_reducer *nonzero[KAEL_DTYPE_COUNT];
    kael_panel_map *magnitude;     /* |x| */
    kael_panel_map *scaled_square; /* (x * parameter) * (x * parameter) */
    kael_panel_map *shifted_exp;   /* exp(x - parameter) */
} kael_reduce_kernels;

#endif
