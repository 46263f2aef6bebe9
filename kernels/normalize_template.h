/* The kernels of normalize.h for one element type. Included once per type by normalize_set.h, which
 * defines
 *   T     the element type
 *   TYPE  its name, f32 or f64
 *   SET   the name of the instruction set
 */
#define NAME(base) KAEL_NORMALIZE_JOIN(base, TYPE)
#define LOAD(p) NAME(kael_doubles_of)(p)

/* What is known of a group of rows, or of a group of blocks of one row. */
typedef struct NAME(group) {
    int64_t count;
    const T *x;
    int64_t x_stride;
    const T *dy;
    int64_t dy_stride;
    const T *weight;
    int64_t weight_stride;
    double center[KAEL_NORMALIZE_ROWS];
    double reciprocal[KAEL_NORMALIZE_ROWS];
    int64_t ahead; /* from the rows to those that come next, which squares fetch */
} NAME(group);

typedef double NAME(sums)[KAEL_NORMALIZE_ROWS];

/* The blocks of a row from `begin` on, as if they were rows. */
static KAEL_ALWAYS_INLINE NAME(group) NAME(blocks_of_row)(const NAME(group) * row, int64_t begin) {
    NAME(group)
    blocks = {
        .count = KAEL_REDUCE_BLOCK,
        .x = row->x + begin,
        .x_stride = KAEL_REDUCE_BLOCK,
        .dy = row->dy + begin,
        .dy_stride = KAEL_REDUCE_BLOCK,
        .weight = row->weight + begin,
        .weight_stride = KAEL_REDUCE_BLOCK,
        .ahead = row->ahead,
    };
    for (int i = 0; i < KAEL_NORMALIZE_ROWS; ++i) {
        blocks.center[i] = row->center[0];
        blocks.reciprocal[i] = row->reciprocal[0];
    }
    return blocks;
}

/* Defines NAME(SUM), which adds up over each row of a group the terms that TERM gives, for vectors
 * and for doubles alike, from an element X of the row, its gradient DY and weight W, and the row's
 * center C and reciprocal R. FETCHES: 1 if it fetches the next rows. */
#define DEFINE_SUM(SUM, FETCHES, TERM)                                                             \
    static KAEL_ALWAYS_INLINE void NAME(SUM##_of_block)(const NAME(group) * group, int rows,       \
                                                        int64_t size, double *totals) {            \
        kael_octet lanes[KAEL_NORMALIZE_ROWS] = {0};                                               \
        int64_t i = 0;                                                                             \
        for (; i + KAEL_REDUCE_LANES <= size; i += KAEL_REDUCE_LANES) {                            \
            for (int row = 0; row < rows; ++row) {                                                 \
                const T *x = group->x + row * group->x_stride + i;                                 \
                const T *dy = group->dy + row * group->dy_stride + i;                              \
                const T *weight = group->weight + row * group->weight_stride + i;                  \
                for (int v = 0; v < KAEL_OCTET_VECTORS; ++v) {                                     \
                    const int64_t j = v * KAEL_DOUBLES;                                            \
                    lanes[row].v[v] += TERM(LOAD(x + j), LOAD(dy + j), LOAD(weight + j),           \
                                            group->center[row], group->reciprocal[row]);           \
                }                                                                                  \
                (void)dy;                                                                          \
                (void)weight;                                                                      \
                if (FETCHES) {                                                                     \
                    kael_prefetch(x, group->ahead *(int64_t)sizeof(T));                            \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        for (int row = 0; row < rows; ++row) {                                                     \
            totals[row] = kael_fold_lanes(&lanes[row]);                                            \
            for (int64_t j = i; j < size; ++j) {                                                   \
                totals[row] += TERM((double)group->x[row * group->x_stride + j],                   \
                                    (double)group->dy[row * group->dy_stride + j],                 \
                                    (double)group->weight[row * group->weight_stride + j],         \
                                    group->center[row], group->reciprocal[row]);                   \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    /* A row of many blocks; several of them overlap. */                                           \
    static double NAME(SUM##_of_long_row)(const NAME(group) * row) {                               \
        kael_block_sums sums;                                                                      \
        sums.depth = sums.count = 0;                                                               \
        NAME(sums) totals;                                                                         \
        for (int64_t begin = 0; begin < row->count;) {                                             \
            const NAME(group) blocks = NAME(blocks_of_row)(row, begin);                            \
            const int64_t left = row->count - begin;                                               \
            int taken = 1;                                                                         \
            if (left >= KAEL_NORMALIZE_ROWS * KAEL_REDUCE_BLOCK) {                                 \
                taken = KAEL_NORMALIZE_ROWS;                                                       \
                NAME(SUM##_of_block)(&blocks, KAEL_NORMALIZE_ROWS, KAEL_REDUCE_BLOCK, totals);     \
            } else if (left >= 3 * KAEL_REDUCE_BLOCK) {                                            \
                taken = 3;                                                                         \
                NAME(SUM##_of_block)(&blocks, 3, KAEL_REDUCE_BLOCK, totals);                       \
            } else {                                                                               \
                NAME(SUM##_of_block)                                                               \
                (&blocks, 1, left < KAEL_REDUCE_BLOCK ? left : KAEL_REDUCE_BLOCK, totals);         \
            }                                                                                      \
            for (int i = 0; i < taken; ++i) {                                                      \
                kael_block_sums_add(&sums, totals[i]);                                             \
            }                                                                                      \
            begin += taken * KAEL_REDUCE_BLOCK;                                                    \
        }                                                                                          \
        return kael_block_sums_total(&sums);                                                       \
    }                                                                                              \
                                                                                                   \
    static KAEL_ALWAYS_INLINE void NAME(SUM)(const NAME(group) * group, int rows,                  \
                                             double *totals) {                                     \
        if (rows == 1 && group->count > KAEL_REDUCE_BLOCK) {                                       \
            totals[0] = NAME(SUM##_of_long_row)(group);                                            \
        } else {                                                                                   \
            NAME(SUM##_of_block)(group, rows, group->count, totals);                               \
        }                                                                                          \
    }

#define ELEMENT(X, DY, W, C, R) (X)
#define SQUARE(X, DY, W, C, R) (((X) - (C)) * ((X) - (C)))
#define GRADIENT(X, DY, W, C, R) (DY)
#define GRADIENT_H(X, DY, W, C, R) ((DY) * (((X) - (C)) * (R)))
#define WEIGHTED(X, DY, W, C, R) ((DY) * (W))
#define WEIGHTED_H(X, DY, W, C, R) ((DY) * (W) * (((X) - (C)) * (R)))

DEFINE_SUM(sum_of_elements, 0, ELEMENT)
DEFINE_SUM(sum_of_squares, 1, SQUARE)
DEFINE_SUM(sum_of_gradients, 0, GRADIENT)
DEFINE_SUM(sum_of_gradients_h, 0, GRADIENT_H)
DEFINE_SUM(sum_of_weighted, 0, WEIGHTED)
DEFINE_SUM(sum_of_weighted_h, 0, WEIGHTED_H)

static KAEL_ALWAYS_INLINE void NAME(find_statistics)(NAME(group) * group, int rows, bool centered,
                                                     double eps) {
    const double count = (double)group->count;
    NAME(sums) totals;
    for (int row = 0; row < rows; ++row) {
        group->center[row] = 0;
    }
    if (centered) {
        NAME(sum_of_elements)(group, rows, totals);
        for (int row = 0; row < rows; ++row) {
            group->center[row] = totals[row] / count;
        }
    }
    NAME(sum_of_squares)(group, rows, totals);
    for (int row = 0; row < rows; ++row) {
        group->reciprocal[row] = 1 / sqrt(totals[row] / count + eps);
    }
}

/* y[i] = EXPRESSION for all i. */
#define FOR_ALL(EXPRESSION)                                                                        \
    do {                                                                                           \
        KAEL_INDEPENDENT_ITERATIONS                                                                \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            y[i] = EXPRESSION;                                                                     \
        }                                                                                          \
    } while (0)

#define H_EXACT (((double)x[i] - center) * reciprocal)
#define H ((T)H_EXACT)

static KAEL_ALWAYS_INLINE void NAME(write_row)(const kael_normalize_rows *rows, const T *x,
                                               double center, double reciprocal, T *y) {
    const int64_t count = rows->count;
    const T *weight = rows->weight;
    const T *bias = rows->bias;
    if (weight == NULL && bias == NULL) {
        FOR_ALL(H);
    } else if (bias == NULL) {
        FOR_ALL(H * weight[i]);
    } else if (weight == NULL) {
        FOR_ALL(H + bias[i]);
    } else {
        FOR_ALL(H * weight[i] + bias[i]);
    }
}

static KAEL_ALWAYS_INLINE void NAME(write_gradient)(const kael_normalize_rows *rows, const T *x,
                                                    const T *dy, double center, double reciprocal,
                                                    double a, double b, T *y) {
    const int64_t count = rows->count;
    const T *weight = rows->weight;
    if (weight == NULL) {
        FOR_ALL((T)((((double)dy[i] - a) - H_EXACT * b) * reciprocal));
    } else {
        FOR_ALL((T)((((double)dy[i] * (double)weight[i] - a) - H_EXACT * b) * reciprocal));
    }
}

static KAEL_ALWAYS_INLINE NAME(group)
    NAME(group_at)(const kael_normalize_rows *rows, int64_t first, int size) {
    const T *x = (const T *)rows->in + first * rows->in_stride;
    const bool has_gradient = rows->gradient != NULL;
    /* What a sum does not need is read from x, and left out by the compiler. */
    return (NAME(group)){
        .count = rows->count,
        .x = x,
        .x_stride = rows->in_stride,
        .dy = has_gradient ? (const T *)rows->gradient + first * rows->gradient_stride : x,
        .dy_stride = has_gradient ? rows->gradient_stride : rows->in_stride,
        .weight = rows->weight != NULL ? rows->weight : x,
        .ahead = size * rows->in_stride,
    };
}

static KAEL_ALWAYS_INLINE void NAME(normalize_group)(const kael_normalize_rows *rows, int64_t first,
                                                     int size, bool centered) {
    NAME(group) group = NAME(group_at)(rows, first, size);
    NAME(find_statistics)(&group, size, centered, rows->eps);
    for (int row = 0; row < size; ++row) {
        NAME(write_row)
        (rows, group.x + row * group.x_stride, group.center[row], group.reciprocal[row],
         (T *)rows->out + (first + row) * rows->out_stride);
    }
}

static KAEL_ALWAYS_INLINE void NAME(backward_group)(const kael_normalize_rows *rows, int64_t first,
                                                    int size, bool centered) {
    NAME(group) group = NAME(group_at)(rows, first, size);
    NAME(find_statistics)(&group, size, centered, rows->eps);
    NAME(sums) a = {0};
    NAME(sums) b;
    if (rows->weight == NULL) {
        if (centered) {
            NAME(sum_of_gradients)(&group, size, a);
        }
        NAME(sum_of_gradients_h)(&group, size, b);
    } else {
        if (centered) {
            NAME(sum_of_weighted)(&group, size, a);
        }
        NAME(sum_of_weighted_h)(&group, size, b);
    }
    const double count = (double)rows->count;
    for (int row = 0; row < size; ++row) {
        NAME(write_gradient)
        (rows, group.x + row * group.x_stride, group.dy + row * group.dy_stride, group.center[row],
         group.reciprocal[row], a[row] / count, b[row] / count,
         (T *)rows->out + (first + row) * rows->out_stride);
    }
}

/* Defines the kernel FUNCTION, which treats groups of rows by GROUP. */
#define DEFINE_KERNEL(FUNCTION, GROUP, CENTERED)                                                   \
    static void NAME(FUNCTION)(const kael_normalize_rows *rows) {                                  \
        /* The blocks of long rows overlap instead. */                                             \
        const int64_t grouped = rows->count <= KAEL_REDUCE_BLOCK ? rows->rows : 0;                 \
        int64_t row = 0;                                                                           \
        for (; row + KAEL_NORMALIZE_ROWS <= grouped; row += KAEL_NORMALIZE_ROWS) {                 \
            NAME(GROUP)(rows, row, KAEL_NORMALIZE_ROWS, CENTERED);                                 \
        }                                                                                          \
        for (; row < rows->rows; ++row) {                                                          \
            NAME(GROUP)(rows, row, 1, CENTERED);                                                   \
        }                                                                                          \
    }

DEFINE_KERNEL(layer_norm, normalize_group, true)
DEFINE_KERNEL(rms_norm, normalize_group, false)
DEFINE_KERNEL(layer_norm_backward, backward_group, true)
DEFINE_KERNEL(rms_norm_backward, backward_group, false)

extern const kael_normalize_kernels KAEL_NORMALIZE_JOIN(NAME(kael_normalize), SET);
const kael_normalize_kernels KAEL_NORMALIZE_JOIN(NAME(kael_normalize), SET) = {
    .layer_norm = NAME(layer_norm),
    .rms_norm = NAME(rms_norm),
    .layer_norm_backward = NAME(layer_norm_backward),
    .rms_norm_backward = NAME(rms_norm_backward),
};

#undef DEFINE_KERNEL
#undef H
#undef H_EXACT
#undef FOR_ALL
#undef WEIGHTED_H
#undef WEIGHTED
#undef GRADIENT_H
#undef GRADIENT
#undef SQUARE
#undef ELEMENT
#undef DEFINE_SUM
#undef LOAD
#undef NAME
