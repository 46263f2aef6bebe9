/* One question about which elements are not zero. Included once per question by
 * reduce_truths.h for elements of one size, with
 *   T, TYPE            the elements as bits and a name
 *   MASK               the bits that make an element differ from zero: all but the sign of floats
 *   FOLD               the name of the question
 *   TOTAL_T, IDENTITY  what is known of an output, and at first
 *   STEP(note, bits)   folds an element onto a note of type T; up to 255 steps
 *   TAKE(total, note)  the total after a note
 *   COMBINE(a, b)      joins two totals
 *   IS_SETTLED(total)  whether no more elements can change it */
/* Notes are as narrow as the elements, which keeps vectors full.
 * NOLINTBEGIN(bugprone-narrowing-conversions) */
#define NAME(base) KAEL_REDUCE_JOIN(KAEL_REDUCE_JOIN(base, FOLD), TYPE)

enum {
    NAME(LINE) = 256 / sizeof(T), /* columns into which rows are cut */
    NAME(LINES) = 32,             /* read before it is seen whether the answer is known */
};

static void NAME(begin)(int64_t width, void *state) {
    TOTAL_T *totals = state;
    for (int64_t i = 0; i < width; ++i) {
        totals[i] = IDENTITY;
    }
}

static void NAME(join)(int64_t width, void *totals, const void *later) {
    TOTAL_T *out = totals;
    const TOTAL_T *others = later;
    for (int64_t i = 0; i < width; ++i) {
        out[i] = (TOTAL_T)COMBINE(out[i], others[i]);
    }
}

static KAEL_ALWAYS_INLINE void NAME(note)(int64_t rows, int64_t width, const T *x, int64_t stride,
                                          T *notes) {
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        KAEL_VECTOR_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            T note = notes[j];
            note = STEP(note, x[j] & MASK);
            note = STEP(note, x[j + stride] & MASK);
            note = STEP(note, x[j + 2 * stride] & MASK);
            notes[j] = STEP(note, x[j + 3 * stride] & MASK);
        }
        x += 4 * stride;
    }
    for (; i < rows; ++i) {
        KAEL_VECTOR_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            notes[j] = STEP(notes[j], x[j] & MASK);
        }
        x += stride;
    }
}

static KAEL_NEVER_INLINE TOTAL_T NAME(take_lines)(int64_t lines, const T *x, TOTAL_T total) {
    T notes[NAME(LINE)] = {0};
    NAME(note)(lines, NAME(LINE), x, NAME(LINE), notes);
    for (int64_t j = 0; j < NAME(LINE); ++j) {
        total = (TOTAL_T)TAKE(total, notes[j]);
    }
    return total;
}

static void NAME(add_rows)(const kael_panel *panel, void *state) {
    TOTAL_T *totals = state;
    const int64_t lines = panel->count / NAME(LINE);
    for (int64_t i = 0; i < panel->width; ++i) {
        const T *x = (const T *)panel->data + i * panel->stride;
        TOTAL_T total = totals[i];
        for (int64_t l = 0; l < lines && !IS_SETTLED(total); l += NAME(LINES)) {
            const int64_t some = lines - l < NAME(LINES) ? lines - l : NAME(LINES);
            total = NAME(take_lines)(some, x + l * NAME(LINE), total);
        }
        for (int64_t k = lines * NAME(LINE); k < panel->count; ++k) {
            const T note = STEP((T)0, x[k] & MASK);
            total = (TOTAL_T)TAKE(total, note);
        }
        totals[i] = total;
    }
}

static KAEL_NEVER_INLINE void NAME(add_columns)(const kael_panel *panel, void *state) {
    TOTAL_T *totals = state;
    const int64_t width = panel->width;
    bool all_settled = false;
    for (int64_t i = 0; i < panel->count && !all_settled; i += NAME(LINES)) {
        const int64_t rows = panel->count - i < NAME(LINES) ? panel->count - i : NAME(LINES);
        T notes[KAEL_REDUCE_WIDTH];
        memset(notes, 0, (size_t)width * sizeof *notes);
        NAME(note)(rows, width, (const T *)panel->data + i * panel->stride, panel->stride, notes);
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            totals[j] = (TOTAL_T)TAKE(totals[j], notes[j]);
        }
        all_settled = true;
        for (int64_t j = 0; j < width; ++j) {
            all_settled &= IS_SETTLED(totals[j]);
        }
    }
}

static void NAME(end)(const kael_panel *panel, const void *state, void *totals,
                      void (*add)(const kael_panel *panel, void *state)) {
    if (state == NULL) {
        NAME(begin)(panel->width, totals);
    } else {
        memcpy(totals, state, (size_t)panel->width * sizeof(TOTAL_T));
    }
    if (panel->count > 0) {
        add(panel, totals);
    }
}

static void NAME(end_rows)(const kael_panel *panel, const void *state, void *totals) {
    NAME(end)(panel, state, totals, NAME(add_rows));
}

static void NAME(end_columns)(const kael_panel *panel, const void *state, void *totals) {
    NAME(end)(panel, state, totals, NAME(add_columns));
}

static bool NAME(is_settled)(const void *total) {
    const TOTAL_T known = *(const TOTAL_T *)total;
    (void)known;
    return IS_SETTLED(known);
}

static const kael_reducer NAME(reducer) = {
    .total_size = sizeof(TOTAL_T),
    .begin = NAME(begin),
    .add = {NAME(add_rows), NAME(add_columns)},
    .end = {NAME(end_rows), NAME(end_columns)},
    .join = NAME(join),
    .is_settled = NAME(is_settled),
};

#undef NAME
#undef FOLD
#undef TOTAL_T
#undef IDENTITY
#undef STEP
#undef TAKE
#undef COMBINE
#undef IS_SETTLED

/* NOLINTEND(bugprone-narrowing-conversions) */
