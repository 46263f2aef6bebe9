/* The kernels of softmax.h for one element type. Included once per type by softmax_set.h, which
 * defines
 *   T     the element type
 *   TYPE  its name, f32 or f64
 *   FMA   the C library's name of fma for it
 *   LEAST_DIVIDEND  of quotients by products
 *   SET   the name of the instruction set
 */
#define NAME(base) KAEL_SOFTMAX_JOIN(base, TYPE)

/* lanes = the larger of lanes and x; a NaN is not. */
static KAEL_ALWAYS_INLINE void NAME(raise)(const T *x, NAME(kael_vector) * lanes) {
    NAME(kael_vector) vector;
    memcpy(&vector, x, sizeof vector);
    const NAME(kael_vector_mask) is_larger = vector > *lanes;
    NAME(kael_vector_mask) new_bits;
    NAME(kael_vector_mask) old_bits;
    memcpy(&new_bits, &vector, sizeof new_bits);
    memcpy(&old_bits, lanes, sizeof old_bits);
    old_bits = (new_bits & is_larger) | (old_bits & ~is_larger);
    memcpy(lanes, &old_bits, sizeof old_bits);
}

static KAEL_ALWAYS_INLINE T NAME(larger)(T a, T b) {
    return b > a ? b : a;
}

static KAEL_ALWAYS_INLINE T NAME(largest_lane)(const NAME(kael_vector) * vector) {
    enum { WIDTH = KAEL_SOFTMAX_VECTOR_BYTES / sizeof(T) };
    T lanes[WIDTH];
    memcpy(lanes, vector, sizeof lanes);
    for (int half = WIDTH / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; ++i) {
            lanes[i] = NAME(larger)(lanes[i], lanes[i + half]);
        }
    }
    return lanes[0];
}

/* Of less than a vector. */
static KAEL_ALWAYS_INLINE T NAME(largest_of_few)(int64_t count, const T *row) {
    if (count < 8) {
        T largest = (T)-INFINITY;
        for (int64_t i = 0; i < count; ++i) {
            largest = NAME(larger)(largest, row[i]);
        }
        return largest;
    }
    T few[8];
    for (int i = 0; i < 8; ++i) {
        few[i] = NAME(larger)(row[i], row[count - 8 + i]);
    }
    for (int i = 0; i < 4; ++i) {
        few[i] = NAME(larger)(few[i], few[i + 4]);
    }
    return NAME(larger)(NAME(larger)(few[0], few[1]), NAME(larger)(few[2], few[3]));
}

/* The largest element; any element or NaN if one is NaN. */
static KAEL_ALWAYS_INLINE T NAME(largest_of)(int64_t count, const T *row) {
    enum { WIDTH = KAEL_SOFTMAX_VECTOR_BYTES / sizeof(T), VECTORS = 4 };
    if (count < WIDTH) {
        return NAME(largest_of_few)(count, row);
    }
    NAME(kael_vector) lanes[VECTORS];
    for (int v = 0; v < VECTORS; ++v) {
        lanes[v] = (NAME(kael_vector)){0} - (T)INFINITY;
    }
    int64_t i = 0;
    if (count >= 2 * KAEL_SOFTMAX_CHUNK) {
        T chunk[KAEL_SOFTMAX_CHUNK];
        for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
            chunk[j] = (T)-INFINITY;
        }
        for (; i + KAEL_SOFTMAX_CHUNK <= count; i += KAEL_SOFTMAX_CHUNK) {
            for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
                chunk[j] = NAME(larger)(chunk[j], row[i + j]);
            }
        }
        for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; j += WIDTH) {
            NAME(raise)(chunk + j, &lanes[j / WIDTH % VECTORS]);
        }
    }
    for (; i + VECTORS * WIDTH <= count; i += VECTORS * WIDTH) {
        for (int v = 0; v < VECTORS; ++v) {
            NAME(raise)(row + i + v * WIDTH, &lanes[v]);
        }
    }
    for (; i + WIDTH <= count; i += WIDTH) {
        NAME(raise)(row + i, &lanes[0]);
    }
    NAME(raise)(row + count - WIDTH, &lanes[1]);
    for (int v = 1; v < VECTORS; ++v) {
        T elements[WIDTH];
        memcpy(elements, &lanes[v], sizeof elements);
        NAME(raise)(elements, &lanes[0]);
    }
    return NAME(largest_lane)(&lanes[0]);
}

/* out = x - m, elsewhere. */
static KAEL_ALWAYS_INLINE void NAME(subtract)(int64_t count, const T *x, T m, T *out) {
    KAEL_MAP_SHORT(count, out[i] = x[i] - m)
}

/* shifted = x - m and terms = exp(shifted) of one chunk. Few rows have elements so small that exp
 * needs all its care. */
static KAEL_ALWAYS_INLINE void NAME(chunk_exp)(const T *x, T m, T *shifted, T *terms) {
    uint32_t is_small = 0;
    for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
        shifted[j] = x[j] - m;
        is_small |= shifted[j] <= NAME(KAEL_LEAST_MODERATE) ? 1 : 0;
    }
    if (is_small == 0) {
        for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
            terms[j] = NAME(kael_exp_moderate)(shifted[j]);
        }
    } else {
        for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
            terms[j] = NAME(kael_exp)(shifted[j]);
        }
    }
}

/* Where a chunk's elements are read: in the row, or, where it is not whole, in `padded`. */
static KAEL_ALWAYS_INLINE const T *NAME(chunk_at)(const T *x, int64_t size, T padding, T *padded) {
    if (size == KAEL_SOFTMAX_CHUNK) {
        return x;
    }
    for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
        padded[j] = padding;
    }
    KAEL_MAP_SHORT(size, padded[i] = x[i])
    return padded;
}

static KAEL_ALWAYS_INLINE int64_t NAME(chunk_size)(int64_t left) {
    return left < KAEL_SOFTMAX_CHUNK ? left : KAEL_SOFTMAX_CHUNK;
}

static KAEL_ALWAYS_INLINE void NAME(write_chunk)(int64_t size, const T *elements, T *out) {
    if (size == KAEL_SOFTMAX_CHUNK) {
        memcpy(out, elements, KAEL_SOFTMAX_CHUNK * sizeof *out);
    } else {
        KAEL_MAP_SHORT(size, out[i] = elements[i])
    }
}

/* What goes to `out` along with a row's total. */
enum { NAME(WRITE_NOTHING), NAME(WRITE_TERMS), NAME(WRITE_SHIFTED) };

/* The sum of exp(row - largest) over one block. What is `ahead`, unless NULL, comes to the cache
 * meanwhile. */
static KAEL_ALWAYS_INLINE double NAME(block_sum_of_exp)(int64_t count, const T *row, T largest,
                                                        int written, T *out, const T *ahead) {
    enum { CHUNK = KAEL_SOFTMAX_CHUNK, LANES = KAEL_REDUCE_LANES };
    _Alignas(64) T padded[CHUNK];
    _Alignas(64) T shifted[CHUNK];
    _Alignas(64) T terms[CHUNK];
    kael_lanes lanes = {{{0}}};
    int64_t size = 0;
    int64_t added = 0;
    for (int64_t i = 0; i < count; i += CHUNK) {
        size = NAME(chunk_size)(count - i);
        if (ahead != NULL) {
            for (int64_t j = 0; j < CHUNK; j += 64 / (int64_t)sizeof(T)) {
                __builtin_prefetch(ahead + i + (j < size ? j : 0), 0, 2);
            }
        }
        NAME(chunk_exp)(NAME(chunk_at)(row + i, size, largest, padded), largest, shifted, terms);
        if (written != NAME(WRITE_NOTHING)) {
            NAME(write_chunk)(size, written == NAME(WRITE_TERMS) ? terms : shifted, out + i);
        }
        for (added = 0; added + LANES <= size; added += LANES) {
            NAME(kael_add_eight)(terms + added, &lanes);
        }
    }
    double total = kael_fold_lanes(&lanes);
    for (; added < size; ++added) {
        total += (double)terms[added];
    }
    return total;
}

static KAEL_ALWAYS_INLINE T NAME(sum_of_exp)(int64_t count, const T *row, T largest, int written,
                                             T *out, const T *ahead) {
    if (count <= KAEL_REDUCE_BLOCK) {
        return (T)NAME(block_sum_of_exp)(count, row, largest, written, out, ahead);
    }
    KAEL_SUM_OF_BLOCKS(total, count,
                       NAME(block_sum_of_exp)(size, row + begin, largest, written,
                                              out == NULL ? NULL : out + begin,
                                              ahead == NULL ? NULL : ahead + begin));
    return (T)total;
}

/* The row after row r, if there is one. */
static KAEL_ALWAYS_INLINE const T *NAME(next_row)(const kael_softmax_rows *rows, int64_t r) {
    return r + 1 < rows->rows ? (const T *)rows->in + (r + 1) * rows->in_stride : NULL;
}

/* out = terms / total of one chunk, for terms up to 1 and a total from 1 on; out may be terms.
 *
 * With y = 1 / total, rounded, each step q += (term - q total) y leaves q nearer to the quotient,
 * and one from a q off by no more than a unit in the last place rounds correctly (Markstein, IBM
 * Journal of Research and Development 34, 1990) where the remainder is exact: where the dividend is
 * not so small, nor the divisor so large, that it is subnormal. */
static KAEL_ALWAYS_INLINE void NAME(divide_chunk)(const T *terms, T total, T inverse, T *out) {
#if KAEL_SOFTMAX_HAS_FMA
    uint32_t is_small = 0;
    for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
        is_small |= terms[j] < LEAST_DIVIDEND ? 1 : 0;
    }
    if (is_small == 0 && total < (T)KAEL_SOFTMAX_MOST_DIVISOR) {
        KAEL_SHORT_LOOP
        for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
            const T first = terms[j] * inverse;
            const T second = FMA(FMA(-first, total, terms[j]), inverse, first);
            out[j] = FMA(FMA(-second, total, terms[j]), inverse, second);
        }
        return;
    }
#else
    (void)inverse;
#endif
    KAEL_SHORT_LOOP
    for (int64_t j = 0; j < KAEL_SOFTMAX_CHUNK; ++j) {
        out[j] = terms[j] / total;
    }
}

static KAEL_ALWAYS_INLINE void NAME(divide_by)(int64_t count, T total, T *out) {
    const T inverse = 1 / total;
    int64_t done = 0;
    for (; done + KAEL_SOFTMAX_CHUNK <= count; done += KAEL_SOFTMAX_CHUNK) {
        NAME(divide_chunk)(out + done, total, inverse, out + done);
    }
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = done; i < count; ++i) {
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

/* ---- short rows, several at a time, side by side in buffers ---- */

typedef struct NAME(batch) {
    T shifted[KAEL_SOFTMAX_BUFFER + KAEL_SOFTMAX_CHUNK];      /* x - m */
    T exponentials[KAEL_SOFTMAX_BUFFER + KAEL_SOFTMAX_CHUNK]; /* of them */
    T largest[KAEL_SOFTMAX_BATCH];
    T totals[KAEL_SOFTMAX_BATCH];
} NAME(batch);

static KAEL_ALWAYS_INLINE int64_t NAME(batch_size)(int64_t count, int64_t rows_left) {
    const int64_t fit = KAEL_SOFTMAX_BUFFER / count;
    const int64_t most = fit < KAEL_SOFTMAX_BATCH ? fit : KAEL_SOFTMAX_BATCH;
    return rows_left < most ? rows_left : most;
}

/* exponentials = exp(shifted), of all rows at once. */
static KAEL_ALWAYS_INLINE void NAME(batch_exp)(int64_t elements, NAME(batch) * batch) {
    for (int64_t i = 0; i < KAEL_SOFTMAX_CHUNK; ++i) {
        batch->shifted[elements + i] = 0;
    }
    for (int64_t i = 0; i < elements; i += KAEL_SOFTMAX_CHUNK) {
        NAME(chunk_exp)(batch->shifted + i, 0, batch->shifted + i, batch->exponentials + i);
    }
}

static KAEL_ALWAYS_INLINE T NAME(short_sum)(int64_t count, const T *terms) {
    kael_lanes lanes = {{{0}}};
    int64_t i = 0;
    for (; i + KAEL_REDUCE_LANES <= count; i += KAEL_REDUCE_LANES) {
        NAME(kael_add_eight)(terms + i, &lanes);
    }
    double total = kael_fold_lanes(&lanes);
    for (; i < count; ++i) {
        total += (double)terms[i];
    }
    return (T)total;
}

/* Fills the batch with `size` rows. */
static KAEL_ALWAYS_INLINE void NAME(batch_statistics)(const kael_softmax_rows *rows, int64_t first,
                                                      int64_t size, NAME(batch) * batch) {
    const int64_t count = rows->count;
    for (int64_t r = 0; r < size; ++r) {
        const T *x = (const T *)rows->in + (first + r) * rows->in_stride;
        batch->largest[r] = NAME(largest_of)(count, x);
        NAME(subtract)(count, x, batch->largest[r], batch->shifted + r * count);
    }
    NAME(batch_exp)(size * count, batch);
    for (int64_t r = 0; r < size; ++r) {
        batch->totals[r] = NAME(short_sum)(count, batch->exponentials + r * count);
    }
}

/* Runs the statement for each batch of rows: `size` from `first` on. */
#define FOR_EACH_BATCH(rows, statement)                                                            \
    NAME(batch) batch;                                                                             \
    for (int64_t first = 0, size; first < (rows)->rows; first += size) {                           \
        size = NAME(batch_size)((rows)->count, (rows)->rows - first);                              \
        statement                                                                                  \
    }

/* Runs the statement for each row y of a batch's result, r in the batch. */
#define FOR_EACH_RESULT(rows, statement)                                                           \
    for (int64_t r = 0; r < size; ++r) {                                                           \
        T *y = (T *)(rows)->out + (first + r) * (rows)->out_stride;                                \
        statement                                                                                  \
    }

static KAEL_NEVER_INLINE void NAME(short_softmax)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    FOR_EACH_BATCH(rows, {
        NAME(batch_statistics)(rows, first, size, &batch);
        FOR_EACH_RESULT(rows, {
            const T *terms = batch.exponentials + r * count;
            const T total = batch.totals[r];
            KAEL_MAP_SHORT(count, y[i] = terms[i] / total)
        })
    })
}

static KAEL_NEVER_INLINE void NAME(short_log_softmax)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    FOR_EACH_BATCH(rows, {
        NAME(batch_statistics)(rows, first, size, &batch);
        for (int64_t r = 0; r < size; ++r) {
            batch.totals[r] = NAME(kael_log)(batch.totals[r]);
        }
        FOR_EACH_RESULT(rows, {
            const T *shifted = batch.shifted + r * count;
            const T log_total = batch.totals[r];
            KAEL_MAP_SHORT(count, y[i] = shifted[i] - log_total)
        })
    })
}

static KAEL_NEVER_INLINE void NAME(short_statistics)(const kael_softmax_rows *rows, T *largest,
                                                     T *totals) {
    FOR_EACH_BATCH(rows, {
        NAME(batch_statistics)(rows, first, size, &batch);
        memcpy(largest + first, batch.largest, (size_t)size * sizeof(T));
        memcpy(totals + first, batch.totals, (size_t)size * sizeof(T));
    })
}

static KAEL_NEVER_INLINE void NAME(short_scaled_softmax)(const kael_softmax_rows *rows,
                                                         const T *largest, const T *totals,
                                                         const T *scales) {
    const int64_t count = rows->count;
    FOR_EACH_BATCH(rows, {
        for (int64_t r = 0; r < size; ++r) {
            NAME(subtract)
            (count, (const T *)rows->in + (first + r) * rows->in_stride, largest[first + r],
             batch.shifted + r * count);
        }
        NAME(batch_exp)(size * count, &batch);
        FOR_EACH_RESULT(rows, {
            const T *terms = batch.exponentials + r * count;
            const T total = totals[first + r];
            const T scale = scales[first + r];
            KAEL_MAP_SHORT(count, y[i] = terms[i] / total * scale)
        })
    })
}

#undef FOR_EACH_RESULT
#undef FOR_EACH_BATCH

static bool NAME(are_short)(const kael_softmax_rows *rows) {
    return rows->count > 0 && rows->count <= KAEL_SOFTMAX_SHORT;
}

/* ---- whole rows ---- */

static void NAME(softmax)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    if (NAME(are_short)(rows)) {
        NAME(short_softmax)(rows);
        return;
    }
    FOR_EACH_ROW(rows, {
        const T largest = NAME(largest_of)(count, x);
        NAME(divide_by)
        (count, NAME(sum_of_exp)(count, x, largest, NAME(WRITE_TERMS), y, NAME(next_row)(rows, r_)),
         y);
    })
}

static void NAME(log_softmax)(const kael_softmax_rows *rows) {
    const int64_t count = rows->count;
    if (NAME(are_short)(rows)) {
        NAME(short_log_softmax)(rows);
        return;
    }
    FOR_EACH_ROW(rows, {
        const T largest = NAME(largest_of)(count, x);
        const T log_total = NAME(kael_log)(
            NAME(sum_of_exp)(count, x, largest, NAME(WRITE_SHIFTED), y, NAME(next_row)(rows, r_)));
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t i = 0; i < count; ++i) {
            y[i] = y[i] - log_total;
        }
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
    if (NAME(are_short)(rows)) {
        NAME(short_statistics)(rows, largest, totals);
        return;
    }
    for (int64_t r = 0; r < rows->rows; ++r) {
        const T *x = (const T *)rows->in + r * rows->in_stride;
        const T m = NAME(largest_of)(count, x);
        ((T *)largest)[r] = m;
        ((T *)totals)[r] =
            NAME(sum_of_exp)(count, x, m, NAME(WRITE_NOTHING), NULL, NAME(next_row)(rows, r));
    }
}

static void NAME(row_largest)(int64_t count, const void *row, void *largest) {
    *(T *)largest = NAME(largest_of)(count, row);
}

static double NAME(block_total)(int64_t count, const void *row, const void *largest, void *out) {
    const T m = *(const T *)largest;
    return out == NULL ? NAME(block_sum_of_exp)(count, row, m, NAME(WRITE_NOTHING), NULL, NULL)
                       : NAME(block_sum_of_exp)(count, row, m, NAME(WRITE_TERMS), out, NULL);
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
    if (NAME(are_short)(rows)) {
        NAME(short_scaled_softmax)(rows, largest, totals, scales);
        return;
    }
    FOR_EACH_ROW(rows, {
        const T m = ((const T *)largest)[r_];
        const T total = ((const T *)totals)[r_];
        const T scale = ((const T *)scales)[r_];
        T padded[KAEL_SOFTMAX_CHUNK];
        T shifted[KAEL_SOFTMAX_CHUNK];
        T terms[KAEL_SOFTMAX_CHUNK];
        for (int64_t done = 0; done < count; done += KAEL_SOFTMAX_CHUNK) {
            const int64_t size = NAME(chunk_size)(count - done);
            NAME(chunk_exp)(NAME(chunk_at)(x + done, size, m, padded), m, shifted, terms);
            for (int64_t i = 0; i < KAEL_SOFTMAX_CHUNK; ++i) {
                terms[i] = terms[i] / total * scale;
            }
            NAME(write_chunk)(size, terms, y + done);
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
