/* The kernels of softmax.h for one element type. Included once per type by softmax_set.h, which
 * defines
 *   T     the element type
 *   TYPE  its name, f32 or f64
 *   SET   the name of the instruction set
 */
#define NAME(base) KAEL_SOFTMAX_JOIN(base, TYPE)

static KAEL_ALWAYS_INLINE T NAME(largest_of)(int64_t count, const T *row) {
    enum { WIDTH = KAEL_SOFTMAX_WIDTH, ALL = KAEL_SOFTMAX_VECTORS * WIDTH };
    T lanes[WIDTH];
    for (int64_t lane = 0; lane < WIDTH; ++lane) {
        lanes[lane] = (T)-INFINITY;
    }
    int64_t i = 0;
    if (count >= ALL) {
        T vectors[ALL];
        for (int64_t lane = 0; lane < ALL; ++lane) {
            vectors[lane] = (T)-INFINITY;
        }
        for (; i + ALL <= count; i += ALL) {
            for (int64_t lane = 0; lane < ALL; ++lane) {
                const T x = row[i + lane];
                vectors[lane] = x > vectors[lane] ? x : vectors[lane];
            }
        }
        for (int64_t v = 0; v < ALL; v += WIDTH) {
            for (int64_t lane = 0; lane < WIDTH; ++lane) {
                const T x = vectors[v + lane];
                lanes[lane] = x > lanes[lane] ? x : lanes[lane];
            }
        }
    }
    for (; i + WIDTH <= count; i += WIDTH) {
        for (int64_t lane = 0; lane < WIDTH; ++lane) {
            const T x = row[i + lane];
            lanes[lane] = x > lanes[lane] ? x : lanes[lane];
        }
    }
    T largest = (T)-INFINITY;
    for (; i < count; ++i) {
        largest = row[i] > largest ? row[i] : largest;
    }
    if (count >= WIDTH) {
        for (int64_t half = WIDTH / 2; half > 0; half /= 2) {
            for (int64_t lane = 0; lane < half; ++lane) {
                const T x = lanes[lane + half];
                lanes[lane] = x > lanes[lane] ? x : lanes[lane];
            }
        }
        largest = lanes[0] > largest ? lanes[0] : largest;
    }
    return largest;
}

static KAEL_ALWAYS_INLINE void NAME(add_eight)(const T *terms, kael_lanes *lanes) {
    for (int lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
        lanes->sums[lane] += (double)terms[lane];
    }
}

/* The sum of exp(row - largest) over one block; the terms go to `out` unless it is NULL. */
static KAEL_ALWAYS_INLINE double NAME(block_sum_of_exp)(int64_t count, const T *row, T largest,
                                                        T *out) {
    enum { WIDTH = KAEL_SOFTMAX_WIDTH, LANES = KAEL_REDUCE_LANES };
    kael_lanes lanes = {{0}};
    T terms[WIDTH];
    int64_t i = 0;
    for (; i + WIDTH <= count; i += WIDTH) {
        for (int64_t lane = 0; lane < WIDTH; ++lane) {
            terms[lane] = NAME(kael_exp)(row[i + lane] - largest);
        }
        if (out != NULL) {
            memcpy(out + i, terms, sizeof terms);
        }
        NAME(add_eight)(terms, &lanes);
        NAME(add_eight)(terms + LANES, &lanes);
    }
    const int64_t rest = count - i;
    int64_t added = 0;
    if (rest > 0) {
        for (int64_t lane = 0; lane < WIDTH; ++lane) {
            terms[lane] = 0;
        }
        for (int64_t j = 0; j < rest; ++j) {
            terms[j] = row[i + j] - largest;
        }
        for (int64_t lane = 0; lane < WIDTH; ++lane) {
            terms[lane] = NAME(kael_exp)(terms[lane]);
        }
        if (out != NULL) {
            for (int64_t j = 0; j < rest; ++j) {
                out[i + j] = terms[j];
            }
        }
        if (rest >= LANES) {
            NAME(add_eight)(terms, &lanes);
            added = LANES;
        }
    }
    double total = kael_fold_lanes(&lanes);
    for (; added < rest; ++added) {
        total += (double)terms[added];
    }
    return total;
}

static KAEL_ALWAYS_INLINE T NAME(sum_of_exp)(int64_t count, const T *row, T largest, T *out) {
    if (count <= KAEL_REDUCE_BLOCK) {
        return (T)NAME(block_sum_of_exp)(count, row, largest, out);
    }
    KAEL_SUM_OF_BLOCKS(
        total, count,
        NAME(block_sum_of_exp)(size, row + begin, largest, out == NULL ? NULL : out + begin));
    return (T)total;
}

static KAEL_ALWAYS_INLINE void NAME(divide_by)(int64_t count, T total, T *out) {
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        out[i] = out[i] / total;
    }
}

static KAEL_ALWAYS_INLINE void NAME(shift_by)(int64_t count, const T *row, T largest, T log_total,
                                              T *out) {
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        out[i] = (row[i] - largest) - log_total;
    }
}

/* Runs the statement for each row x of rows, with the row of the result. */
#define FOR_EACH_ROW(rows, statement)                                                              \
    for (int64_t r_ = 0; r_ < (rows)->rows; ++r_) {                                                \
        const T *x = (const T *)(rows)->in + r_ * (rows)->in_stride;                               \
        T *y = (T *)(rows)->out + r_ * (rows)->out_stride;                                         \
        statement                                                                                  \
    }

static void NAME(softmax)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    FOR_EACH_ROW(rows, {
        const T largest = NAME(largest_of)(count, x);
        NAME(divide_by)(count, NAME(sum_of_exp)(count, x, largest, y), y);
    })
}

static void NAME(log_softmax)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    FOR_EACH_ROW(rows, {
        const T largest = NAME(largest_of)(count, x);
        const T total = NAME(sum_of_exp)(count, x, largest, NULL);
        NAME(shift_by)(count, x, largest, NAME(kael_log)(total), y);
    })
}

static double NAME(block_sum_of_products)(int64_t size, const T *a, const T *b) {
    KAEL_SUM_OF_TERMS(total, 0, size, (double)a[i] * (double)b[i])
    return total;
}

static double NAME(block_sum)(int64_t size, const T *a) {
    KAEL_SUM_OF_TERMS(total, 0, size, (double)a[i])
    return total;
}

static double NAME(sum)(int64_t count, const void *x) {
    KAEL_SUM_OF_BLOCKS(total, count, NAME(block_sum)(size, (const T *)x + begin));
    return total;
}

static void NAME(softmax_backward)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    FOR_EACH_ROW(rows, {
        const T *dy = (const T *)rows->gradient + r_ * rows->gradient_stride;
        KAEL_SUM_OF_BLOCKS(total, count, NAME(block_sum_of_products)(size, dy + begin, x + begin));
        const T sum = (T)total;
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) {
            y[i] = (dy[i] - sum) * x[i];
        }
    })
}

static void NAME(log_softmax_backward)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    FOR_EACH_ROW(rows, {
        const T *dy = (const T *)rows->gradient + r_ * rows->gradient_stride;
        const T sum = (T)NAME(sum)(count, dy);
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) {
            y[i] = dy[i] - NAME(kael_exp)(x[i]) * sum;
        }
    })
}

static void NAME(statistics)(const kael_softmax_rows *rows, void *largest, void *totals) {
    const int64_t count = rows->count;
    for (int64_t r = 0; r < rows->rows; ++r) {
        const T *x = (const T *)rows->in + r * rows->in_stride;
        const T m = NAME(largest_of)(count, x);
        ((T *)largest)[r] = m;
        ((T *)totals)[r] = NAME(sum_of_exp)(count, x, m, NULL);
    }
}

static void NAME(row_largest)(int64_t count, const void *row, void *largest) {
    *(T *)largest = NAME(largest_of)(count, row);
}

static double NAME(block_total)(int64_t count, const void *row, const void *largest, void *out) {
    return NAME(block_sum_of_exp)(count, row, *(const T *)largest, out);
}

static void NAME(divide)(int64_t count, const void *total, void *out) {
    NAME(divide_by)(count, *(const T *)total, out);
}

static void NAME(shift)(int64_t count, const void *row, const void *largest, const void *log_total,
                        void *out) {
    NAME(shift_by)(count, row, *(const T *)largest, *(const T *)log_total, out);
}

static void NAME(scaled_softmax)(const kael_softmax_rows *rows, const void *largest,
                                 const void *totals, const void *scales) {
    const int64_t count = rows->count;
    FOR_EACH_ROW(rows, {
        const T m = ((const T *)largest)[r_];
        const T total = ((const T *)totals)[r_];
        const T scale = ((const T *)scales)[r_];
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) {
            y[i] = NAME(kael_exp)(x[i] - m) / total * scale;
        }
    })
}

static void NAME(target_losses)(const kael_softmax_rows *rows, const int64_t *targets,
                                const void *largest, const void *log_totals, void *losses) {
    for (int64_t r = 0; r < rows->rows; ++r) {
        const T *x = (const T *)rows->in + r * rows->in_stride;
        const T log_total = ((const T *)log_totals)[r];
        const T m = ((const T *)largest)[r];
        ((T *)losses)[r] = targets[r] < 0 ? 0 : log_total - (x[targets[r]] - m);
    }
}

/* ---- losses with terms of all classes ---- */

#define WEIGHT(i) (weights == NULL ? 1.0 : (double)weights[i])
#define PROBABILITY(i, otherwise)                                                                  \
    (probabilities == NULL ? (otherwise)                                                           \
                           : targets->keep * (double)probabilities[i] + targets->share)

static double NAME(block_target_sum)(int64_t first, int64_t size,
                                     const kael_softmax_targets *targets) {
    const T *weights = targets->weights;
    const T *probabilities = targets->probabilities;
    KAEL_SUM_OF_TERMS(total, first, size, WEIGHT(i) * PROBABILITY(i, 1.0))
    return total;
}

static double NAME(target_sum)(int64_t count, const kael_softmax_targets *targets) {
    KAEL_SUM_OF_BLOCKS(total, count, NAME(block_target_sum)(begin, size, targets));
    return total;
}

static double NAME(block_loss_sum)(int64_t first, int64_t size, const T *row, T largest,
                                   T log_total, const kael_softmax_targets *targets) {
    const T *weights = targets->weights;
    const T *probabilities = targets->probabilities;
    KAEL_SUM_OF_TERMS(total, first, size,
                      WEIGHT(i) * PROBABILITY(i, 1.0) * (double)(log_total - (row[i] - largest)))
    return total;
}

static double NAME(loss_sum)(int64_t count, const void *row, const void *largest,
                             const void *log_total, const kael_softmax_targets *targets) {
    KAEL_SUM_OF_BLOCKS(total, count,
                       NAME(block_loss_sum)(begin, size, row, *(const T *)largest,
                                            *(const T *)log_total, targets));
    return total;
}

static void NAME(subtract_targets)(int64_t count, double scale, const kael_softmax_targets *targets,
                                   void *out) {
    const T *weights = targets->weights;
    const T *probabilities = targets->probabilities;
    T *y = out;
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        y[i] -= (T)(scale * (WEIGHT(i) * PROBABILITY(i, targets->share)));
    }
}

extern const kael_softmax_kernels KAEL_SOFTMAX_JOIN(NAME(kael_softmax), SET);
const kael_softmax_kernels KAEL_SOFTMAX_JOIN(NAME(kael_softmax), SET) = {
    .softmax = NAME(softmax),
    .log_softmax = NAME(log_softmax),
    .softmax_backward = NAME(softmax_backward),
    .log_softmax_backward = NAME(log_softmax_backward),
    .statistics = NAME(statistics),
    .row_largest = NAME(row_largest),
    .block_total = NAME(block_total),
    .divide = NAME(divide),
    .shift = NAME(shift),
    .scaled_softmax = NAME(scaled_softmax),
    .target_losses = NAME(target_losses),
    .sum = NAME(sum),
    .target_sum = NAME(target_sum),
    .loss_sum = NAME(loss_sum),
    .subtract_targets = NAME(subtract_targets),
};

#undef PROBABILITY
#undef WEIGHT
#undef FOR_EACH_ROW
#undef NAME
