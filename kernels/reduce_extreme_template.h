/* The largest or the smallest element of one type, and where it is. Included once per type and
 * direction by reduce_set.h, which defines
 *   T, TYPE            the element type and its name
 *   SIGNED_T           a signed integer type of its size
 *   IS_FLOAT           1 if there are NaN and -0
 *   IS_NAN(x)          whether an element is NaN
 *   EXTREME, ARG       the names of the two reducers
 *   WINS(a, b)         whether a is more extreme than b; false for NaN
 *   SIGNS(a, b)        for floats, the sign bit of the more extreme of two zeros from theirs
 *   WORST              the least extreme element
 *   KEY_T, KEY(x)      numbers that order the elements from the least extreme to the most, with NaN
 *                      beyond all others and the two zeros alike */
/* Row numbers and notes are as narrow as the elements, which keeps vectors full, and always fit.
 * NOLINTBEGIN(bugprone-narrowing-conversions,bugprone-too-small-loop-variable) */
#define NAME(base) KAEL_REDUCE_JOIN(KAEL_REDUCE_JOIN(base, EXTREME), TYPE)
#define BEST(a, b) (WINS(a, b) ? (a) : (b))

enum {
    NAME(LINE) = 64 / sizeof(T),    /* columns into which rows are cut */
    NAME(PIECE) = 2048 / sizeof(T), /* the most elements of a row at once */
    NAME(AHEAD) = 2048 / sizeof(T), /* fetched in advance */
    NAME(PIECES) = 16,              /* whose lines are folded together */
    NAME(ROWS) = 64,                /* their numbers fit in SIGNED_T */
};

/* Makes best[j] the most extreme of itself and of column j. NaN has an effect on notes[j] alone,
 * which becomes -1, or, if best[j] was NaN, none. Of zeros, either one is taken. */
static KAEL_ALWAYS_INLINE void NAME(scan)(int64_t rows, int64_t width, const T *x, int64_t stride,
                                          T *best, SIGNED_T *notes, int64_t ahead) {
    int64_t i = 0;
    for (; i + 8 <= rows; i += 8) {
        for (int64_t r = 0; r < 8 && ahead != 0; ++r) {
            kael_prefetch(x, (r * stride + ahead) * (int64_t)sizeof(T));
        }
        KAEL_VECTOR_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            const T a = x[j];
            const T b = x[j + stride];
            const T c = x[j + 2 * stride];
            const T d = x[j + 3 * stride];
            const T e = x[j + 4 * stride];
            const T f = x[j + 5 * stride];
            const T g = x[j + 6 * stride];
            const T h = x[j + 7 * stride];
            const T ab = BEST(a, b);
            const T cd = BEST(c, d);
            const T ef = BEST(e, f);
            const T gh = BEST(g, h);
            const T abcd = BEST(ab, cd);
            const T efgh = BEST(ef, gh);
            const T all = BEST(abcd, efgh);
            best[j] = BEST(all, best[j]);
#if IS_FLOAT
            const int unordered = __builtin_isunordered(a, b) | __builtin_isunordered(c, d) |
                                  __builtin_isunordered(e, f) | __builtin_isunordered(g, h);
            notes[j] |= unordered ? -1 : 0;
#endif
        }
        x += 8 * stride;
    }
    for (; i < rows; ++i) {
        KAEL_VECTOR_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            best[j] = BEST(x[j], best[j]);
            notes[j] |= IS_NAN(x[j]) ? -1 : 0;
        }
        x += stride;
    }
}

static KAEL_NEVER_INLINE void NAME(scan_any)(int64_t rows, int64_t width, const T *x,
                                             int64_t stride, T *best, SIGNED_T *notes) {
    NAME(scan)(rows, width, x, stride, best, notes, 0);
}

/* Pieces of rows, all of `count` elements, which are whole groups of lanes. */
typedef struct NAME(batch) {
    int64_t count;
    int64_t pieces;
    const T *data[NAME(PIECES)];
    int64_t rows[NAME(PIECES)];
    int64_t starts[NAME(PIECES)]; /* the first element's number in its row */
} NAME(batch);

/* The most extreme elements of a piece in each of `width` columns into which it is cut. Its last
 * elements, which may not fill a row of them, are taken first. */
static KAEL_ALWAYS_INLINE void NAME(scan_piece)(int64_t count, int64_t width, const T *x, T *best,
                                                SIGNED_T *notes) {
    memcpy(best, x + count - width, (size_t)width * sizeof *best);
    NAME(scan)(count / width, width, x, width, best, notes, width == NAME(LINE) ? NAME(AHEAD) : 0);
}

/* The most extreme element of each piece that is not NaN, with either sign if it is zero. Returns
 * whether there is a NaN. */
static KAEL_NEVER_INLINE bool NAME(piece_extremes)(const NAME(batch) * batch, T *extremes) {
    T lines[NAME(PIECES) * NAME(LINE)];
    T halves[NAME(PIECES) * NAME(LINE) / 2];
    SIGNED_T notes[NAME(LINE)] = {0};
    const int64_t width = batch->count < NAME(LINE) ? KAEL_REDUCE_LANES : NAME(LINE);
    for (int64_t p = 0; p < batch->pieces; ++p) {
        if (width == NAME(LINE)) {
            NAME(scan_piece)
            (batch->count, NAME(LINE), batch->data[p], lines + p * NAME(LINE), notes);
        } else {
            NAME(scan_piece)
            (batch->count, KAEL_REDUCE_LANES, batch->data[p], lines + p * KAEL_REDUCE_LANES, notes);
        }
    }
    SIGNED_T note = 0;
    for (int64_t k = 0; k < batch->pieces * width; ++k) {
        note |= IS_NAN(lines[k]) ? -1 : 0;
    }
    for (int64_t j = 0; j < width; ++j) {
        note |= notes[j];
    }
    T *from = lines;
    T *to = halves;
    for (int64_t size = batch->pieces * width; size > batch->pieces; size /= 2) {
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t k = 0; k < size / 2; ++k) {
            to[k] = BEST(from[2 * k], from[2 * k + 1]);
        }
        T *const done = to;
        to = from;
        from = done;
    }
    memcpy(extremes, from, (size_t)batch->pieces * sizeof *extremes);
    return note != 0;
}

#if IS_FLOAT
static bool NAME(has_nan)(int64_t count, const T *x) {
    SIGNED_T note = 0;
    for (int64_t k = 0; k < count; ++k) {
        note |= IS_NAN(x[k]) ? -1 : 0;
    }
    return note != 0;
}
#endif

typedef void NAME(take)(const NAME(batch) * batch, const kael_panel *panel, void *state);

/* Rows are cut into pieces of about the same length; the last one may overlap the one before. */
static KAEL_ALWAYS_INLINE void NAME(take_rows)(const kael_panel *panel, void *state,
                                               NAME(take) * take) {
    const int64_t count = panel->count;
    const int64_t per_row = (count + NAME(PIECE) - 1) / NAME(PIECE);
    NAME(batch) batch;
    batch.count = per_row <= 1 ? count
                               : ((count + per_row - 1) / per_row + KAEL_REDUCE_LANES - 1) /
                                     KAEL_REDUCE_LANES * KAEL_REDUCE_LANES;
    batch.pieces = 0;
    for (int64_t i = 0; i < panel->width; ++i) {
        const T *x = (const T *)panel->data + i * panel->stride;
        for (int64_t p = 0; p < per_row; ++p) {
            const int64_t last_start = count - batch.count;
            const int64_t start = p * batch.count < last_start ? p * batch.count : last_start;
            batch.data[batch.pieces] = x + start;
            batch.rows[batch.pieces] = i;
            batch.starts[batch.pieces] = start;
            if (++batch.pieces == NAME(PIECES)) {
                take(&batch, panel, state);
                batch.pieces = 0;
            }
        }
    }
    if (batch.pieces > 0) {
        take(&batch, panel, state);
    }
}

static T NAME(extreme_of_two)(T a, T b) {
#if IS_FLOAT
    if (__builtin_isunordered(a, b)) {
        return (T)NAN;
    }
    if (a == 0 && b == 0) {
        return FROM_BITS(SIGNS(BITS(a), BITS(b)));
    }
#endif
    return BEST(a, b);
}

#if IS_FLOAT
/* The most extreme of zeros, and of elements that are less extreme. */
static T NAME(extreme_zero)(int64_t count, const T *x) {
    BITS_T signs = BITS(x[0]);
    for (int64_t k = 0; k < count; ++k) {
        signs = SIGNS(signs, BITS(x[k]));
    }
    return FROM_BITS(signs & BITS((T)-0.0));
}

/* The same for the columns whose extreme is zero. */
static void NAME(extreme_zeros)(int64_t rows, int64_t width, const T *x, int64_t stride, T *best) {
    BITS_T signs[KAEL_REDUCE_WIDTH];
    memcpy(signs, best, (size_t)width * sizeof(T));
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < width; ++j) {
            signs[j] = SIGNS(signs[j], BITS(x[i * stride + j]));
        }
    }
    for (int64_t j = 0; j < width; ++j) {
        best[j] = best[j] == 0 ? FROM_BITS(signs[j] & BITS((T)-0.0)) : best[j];
    }
}
#endif

static void NAME(begin)(int64_t width, void *state) {
    T *best = state;
    for (int64_t j = 0; j < width; ++j) {
        best[j] = WORST;
    }
}

static void NAME(join)(int64_t width, void *totals, const void *later) {
    T *best = totals;
    const T *others = later;
    for (int64_t j = 0; j < width; ++j) {
        best[j] = NAME(extreme_of_two)(best[j], others[j]);
    }
}

static void NAME(take_extremes)(const NAME(batch) * batch, const kael_panel *panel, void *state) {
    (void)panel;
    T *best = state;
    T extremes[NAME(PIECES)];
    const bool unordered = NAME(piece_extremes)(batch, extremes);
    for (int64_t p = 0; p < batch->pieces; ++p) {
        T extreme = extremes[p];
#if IS_FLOAT
        if (unordered && NAME(has_nan)(batch->count, batch->data[p])) {
            extreme = (T)NAN;
        } else if (extreme == 0) {
            extreme = NAME(extreme_zero)(batch->count, batch->data[p]);
        }
#else
        (void)unordered;
#endif
        best[batch->rows[p]] = NAME(extreme_of_two)(best[batch->rows[p]], extreme);
    }
}

static void NAME(add_rows)(const kael_panel *panel, void *state) {
    NAME(take_rows)(panel, state, NAME(take_extremes));
}

/* Up to ROWS rows, whose elements stay in the cache. */
static void NAME(add_some_columns)(int64_t rows, int64_t width, const T *x, int64_t stride,
                                   T *best) {
    SIGNED_T notes[KAEL_REDUCE_WIDTH];
    memset(notes, 0, (size_t)width * sizeof *notes);
    NAME(scan_any)(rows, width, x, stride, best, notes);
#if IS_FLOAT
    SIGNED_T zeros = 0;
    for (int64_t j = 0; j < width; ++j) {
        best[j] = notes[j] != 0 ? (T)NAN : best[j];
        zeros |= best[j] == 0 ? -1 : 0;
    }
    if (zeros != 0) {
        NAME(extreme_zeros)(rows, width, x, stride, best);
    }
#endif
}

static KAEL_NEVER_INLINE void NAME(add_any_columns)(int64_t rows, int64_t width, const T *x,
                                                    int64_t stride, T *best) {
    for (int64_t i = 0; i < rows; i += NAME(ROWS)) {
        const int64_t some = rows - i < NAME(ROWS) ? rows - i : NAME(ROWS);
        NAME(add_some_columns)(some, width, x + i * stride, stride, best);
    }
}

/* Narrow columns without gaps become wider ones, of several rows side by side. */
static void NAME(add_columns)(const kael_panel *panel, void *state) {
    const T *x = panel->data;
    T *best = state;
    const int64_t width = panel->width;
    const int64_t sides = panel->stride == width ? KAEL_REDUCE_WIDTH / width : 1;
    const int64_t rows = panel->count / sides;
    if (sides > 1 && rows > 1) {
        T wide[KAEL_REDUCE_WIDTH];
        NAME(begin)(sides * width, wide);
        NAME(add_any_columns)(rows, sides * width, x, sides * width, wide);
        for (int64_t s = 0; s < sides; ++s) {
            NAME(join)(width, best, wide + s * width);
        }
        x += rows * sides * width;
        NAME(add_any_columns)(panel->count - rows * sides, width, x, width, best);
    } else {
        NAME(add_any_columns)(panel->count, width, x, panel->stride, best);
    }
}

static void NAME(end)(const kael_panel *panel, const void *state, void *totals,
                      int64_t output_stride, int64_t element_stride) {
    T *best = totals;
    if (state == NULL) {
        NAME(begin)(panel->width, best);
    } else {
        memcpy(best, state, (size_t)panel->width * sizeof *best);
    }
    for (int64_t k = 0; k < panel->count; ++k) {
        const T *x = (const T *)panel->data + k * element_stride;
        for (int64_t j = 0; j < panel->width; ++j) {
            best[j] = NAME(extreme_of_two)(best[j], x[j * output_stride]);
        }
    }
}

static void NAME(end_rows)(const kael_panel *panel, const void *state, void *totals) {
    NAME(end)(panel, state, totals, panel->stride, 1);
}

static void NAME(end_columns)(const kael_panel *panel, const void *state, void *totals) {
    NAME(end)(panel, state, totals, 1, panel->stride);
}

static const kael_reducer NAME(reducer) = {
    .total_size = sizeof(T),
    .begin = NAME(begin),
    .add = {NAME(add_rows), NAME(add_columns)},
    .end = {NAME(end_rows), NAME(end_columns)},
    .join = NAME(join),
};

/* The state of the arg reducer: keys and then, 8 * width bytes on, indices. */
static KAEL_ALWAYS_INLINE int64_t *NAME(arg_indices)(int64_t width, void *state) {
    return (int64_t *)state + width;
}

static void NAME(arg_begin)(int64_t width, void *state) {
    KEY_T *keys = state;
    for (int64_t j = 0; j < width; ++j) {
        keys[j] = KEY(WORST);
    }
    memset(NAME(arg_indices)(width, state), 0, (size_t)width * sizeof(int64_t));
}

/* In each of `width` columns into which a piece is cut, where the first element is that equals
 * `extreme`; beyond the whole rows of columns where there is none. */
static KAEL_ALWAYS_INLINE void NAME(find_piece)(int64_t count, int64_t width, const T *x, T extreme,
                                                const SIGNED_T *numbers, int32_t *places) {
    SIGNED_T first[NAME(LINE)];
    const int64_t lines = count / width;
    KAEL_VECTOR_ITERATIONS
    for (int64_t j = 0; j < width; ++j) {
        first[j] = (SIGNED_T)lines;
    }
    int64_t line = lines;
    for (; line >= 4; line -= 4) {
        const T *row = x + (line - 4) * width;
        const SIGNED_T a = numbers[line - 4];
        const SIGNED_T b = numbers[line - 3];
        const SIGNED_T c = numbers[line - 2];
        const SIGNED_T d = numbers[line - 1];
        KAEL_VECTOR_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            SIGNED_T at = first[j];
            at = row[j + 3 * width] == extreme ? d : at;
            at = row[j + 2 * width] == extreme ? c : at;
            at = row[j + width] == extreme ? b : at;
            first[j] = row[j] == extreme ? a : at;
        }
    }
    for (; line > 0; --line) {
        const T *row = x + (line - 1) * width;
        const SIGNED_T a = numbers[line - 1];
        KAEL_VECTOR_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            first[j] = row[j] == extreme ? a : first[j];
        }
    }
    KAEL_VECTOR_ITERATIONS
    for (int64_t j = 0; j < width; ++j) {
        places[j] = (int32_t)first[j] * (int32_t)width + (int32_t)j;
    }
}

/* Where in each piece the first element is that equals its extreme or, if that is NaN, is one. */
static KAEL_NEVER_INLINE void NAME(find)(const NAME(batch) * batch, const T *extremes,
                                         int32_t *found) {
    int32_t places[NAME(PIECES) * NAME(LINE)];
    int32_t halves[NAME(PIECES) * NAME(LINE) / 2];
    SIGNED_T numbers[NAME(PIECE) / NAME(LINE)]; /* of lines */
    const int64_t count = batch->count;
    const int64_t width = count < NAME(LINE) ? KAEL_REDUCE_LANES : NAME(LINE);
    for (int64_t line = 0; line < count / width; ++line) {
        numbers[line] = (SIGNED_T)line;
    }
    for (int64_t p = 0; p < batch->pieces; ++p) {
        const T *x = batch->data[p];
        if (width == NAME(LINE)) {
            NAME(find_piece)(count, NAME(LINE), x, extremes[p], numbers, places + p * NAME(LINE));
        } else {
            NAME(find_piece)
            (count, KAEL_REDUCE_LANES, x, extremes[p], numbers, places + p * KAEL_REDUCE_LANES);
        }
    }
    const int32_t *least = kael_least_places(batch->pieces, width, places, halves);
    for (int64_t p = 0; p < batch->pieces; ++p) {
        const T *x = batch->data[p];
        const bool is_nan = IS_NAN(extremes[p]);
        const int32_t whole = (int32_t)(count / width * width);
        int32_t k = is_nan ? 0 : least[p] < whole ? least[p] : whole;
        while (is_nan ? !IS_NAN(x[k]) : !(x[k] == extremes[p])) {
            ++k;
        }
        found[p] = k;
    }
}

/* Of neighbouring pieces of one row, only the last that is beyond all before is looked into. */
static void NAME(arg_take)(const NAME(batch) * batch, const kael_panel *panel, void *state) {
    KEY_T *keys = state;
    int64_t *indices = NAME(arg_indices)(panel->width, state);
    T extremes[NAME(PIECES)];
    int32_t found[NAME(PIECES)];
    NAME(batch) winners;
    winners.count = batch->count;
    winners.pieces = 0;
    const bool unordered = NAME(piece_extremes)(batch, extremes);
    for (int64_t p = 0; p < batch->pieces; ++p) {
        const int64_t row = batch->rows[p];
        T extreme = extremes[p];
#if IS_FLOAT
        if (unordered && NAME(has_nan)(batch->count, batch->data[p])) {
            extreme = (T)NAN;
        }
#else
        (void)unordered;
#endif
        const KEY_T key = KEY(extreme);
        if (key > keys[row]) {
            keys[row] = key;
            const int64_t at = winners.pieces;
            const int64_t w = at > 0 && winners.rows[at - 1] == row ? at - 1 : at;
            winners.data[w] = batch->data[p];
            winners.rows[w] = row;
            winners.starts[w] = batch->starts[p];
            extremes[w] = extreme;
            winners.pieces = w + 1;
        }
    }
    NAME(find)(&winners, extremes, found);
    for (int64_t w = 0; w < winners.pieces; ++w) {
        indices[winners.rows[w]] = panel->first + winners.starts[w] + found[w];
    }
}

static void NAME(arg_add_rows)(const kael_panel *panel, void *state) {
    NAME(take_rows)(panel, state, NAME(arg_take));
}

static void NAME(arg_add_columns)(const kael_panel *panel, void *state) {
    KEY_T *keys = state;
    int64_t *indices = NAME(arg_indices)(panel->width, state);
    const int64_t width = panel->width;
    for (int64_t i = 0; i < panel->count; i += NAME(ROWS)) {
        const int64_t rows = panel->count - i < NAME(ROWS) ? panel->count - i : NAME(ROWS);
        SIGNED_T where[KAEL_REDUCE_WIDTH];
        memset(where, -1, (size_t)width * sizeof *where);
        /* Whole groups of lanes. */
        for (int64_t r = 0; r < rows; r += 4) {
            const T *x = (const T *)panel->data + (i + r) * panel->stride;
            const int64_t stride = panel->stride;
            KAEL_INDEPENDENT_ITERATIONS
            for (int64_t j = 0; j < width; ++j) {
                KEY_T key = keys[j];
                SIGNED_T row = where[j];
                const KEY_T a = KEY(x[j]);
                const KEY_T b = KEY(x[j + stride]);
                const KEY_T c = KEY(x[j + 2 * stride]);
                const KEY_T d = KEY(x[j + 3 * stride]);
                row = a > key ? (SIGNED_T)r : row;
                key = a > key ? a : key;
                row = b > key ? (SIGNED_T)(r + 1) : row;
                key = b > key ? b : key;
                row = c > key ? (SIGNED_T)(r + 2) : row;
                key = c > key ? c : key;
                row = d > key ? (SIGNED_T)(r + 3) : row;
                key = d > key ? d : key;
                keys[j] = key;
                where[j] = row;
            }
        }
        for (int64_t j = 0; j < width; ++j) {
            indices[j] = where[j] < 0 ? indices[j] : panel->first + i + where[j];
        }
    }
}

static void NAME(arg_end)(const kael_panel *panel, const void *state, void *totals,
                          int64_t output_stride, int64_t element_stride) {
    const KEY_T *keys = state;
    const int64_t *indices = state == NULL ? NULL : (const int64_t *)state + panel->width;
    kael_arg_total *out = totals;
    for (int64_t j = 0; j < panel->width; ++j) {
        const T *x = panel->count == 0 ? NULL : (const T *)panel->data + j * output_stride;
        KEY_T best = state == NULL ? KEY(WORST) : keys[j];
        int64_t index = state == NULL ? 0 : indices[j];
        for (int64_t k = 0; k < panel->count; ++k) {
            const KEY_T key = KEY(x[k * element_stride]);
            index = key > best ? panel->first + k : index;
            best = key > best ? key : best;
        }
        out[j] = (kael_arg_total){(uint64_t)best, index};
    }
}

static void NAME(arg_end_rows)(const kael_panel *panel, const void *state, void *totals) {
    NAME(arg_end)(panel, state, totals, panel->stride, 1);
}

static void NAME(arg_end_columns)(const kael_panel *panel, const void *state, void *totals) {
    NAME(arg_end)(panel, state, totals, 1, panel->stride);
}

static void NAME(arg_join)(int64_t width, void *totals, const void *later) {
    kael_arg_total *best = totals;
    const kael_arg_total *others = later;
    for (int64_t j = 0; j < width; ++j) {
        best[j] = (KEY_T)others[j].key > (KEY_T)best[j].key ? others[j] : best[j];
    }
}

static const kael_reducer NAME(arg_reducer) = {
    .total_size = sizeof(kael_arg_total),
    .has_index = true,
    .begin = NAME(arg_begin),
    .add = {NAME(arg_add_rows), NAME(arg_add_columns)},
    .end = {NAME(arg_end_rows), NAME(arg_end_columns)},
    .join = NAME(arg_join),
};

#undef NAME
#undef BEST

/* NOLINTEND(bugprone-narrowing-conversions,bugprone-too-small-loop-variable) */
