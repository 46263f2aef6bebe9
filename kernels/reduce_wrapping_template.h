/* A fold of one integer type that wraps in 64 bits, so that no order changes it. Included once per
 * type and fold by reduce_integer_template.h, which defines T, TYPE, FOLD, IDENTITY and COMBINE as
 * reduce_fold_template.h has them, and PART_T, a type that holds the result of a whole block. The
 * state holds one number per output. */
#define NAME(base) KAEL_REDUCE_JOIN(KAEL_REDUCE_JOIN(base, FOLD), TYPE)

static void NAME(begin)(int64_t width, void *state) {
    uint64_t *totals = state;
    for (int64_t i = 0; i < width; ++i) {
        totals[i] = IDENTITY;
    }
}

static KAEL_NEVER_INLINE void NAME(add_rows)(const kael_panel *panel, void *state) {
    uint64_t *totals = state;
    for (int64_t i = 0; i < panel->width; ++i) {
        const T *x = (const T *)panel->data + i * panel->stride;
        for (int64_t first = 0; first < panel->count; first += KAEL_REDUCE_BLOCK) {
            const int64_t rest = panel->count - first;
            const int64_t end = first + (rest < KAEL_REDUCE_BLOCK ? rest : KAEL_REDUCE_BLOCK);
            PART_T part = IDENTITY;
            for (int64_t k = first; k < end; ++k) {
                part = COMBINE(part, (PART_T)x[k]);
            }
            totals[i] = COMBINE(totals[i], (uint64_t)part);
        }
    }
}

static KAEL_NEVER_INLINE void NAME(fold_columns)(int64_t rows, int64_t width, const T *x,
                                                 int64_t stride, PART_T *parts) {
    int64_t k = 0;
    for (; k + 4 <= rows; k += 4) {
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            const PART_T low = COMBINE((PART_T)x[j], (PART_T)x[j + stride]);
            const PART_T high = COMBINE((PART_T)x[j + 2 * stride], (PART_T)x[j + 3 * stride]);
            parts[j] = COMBINE(parts[j], COMBINE(low, high));
        }
        x += 4 * stride;
    }
    for (; k < rows; ++k) {
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            parts[j] = COMBINE(parts[j], (PART_T)x[j]);
        }
        x += stride;
    }
}

static void NAME(add_columns)(const kael_panel *panel, void *state) {
    /* NOLINTNEXTLINE(misc-redundant-expression): of some types it is */
    if (sizeof(PART_T) == sizeof(uint64_t)) {
        NAME(fold_columns)(panel->count, panel->width, panel->data, panel->stride, state);
        return;
    }
    uint64_t *totals = state;
    for (int64_t first = 0; first < panel->count; first += KAEL_REDUCE_BLOCK) {
        const int64_t rest = panel->count - first;
        PART_T parts[KAEL_REDUCE_WIDTH];
        for (int64_t j = 0; j < panel->width; ++j) {
            parts[j] = IDENTITY;
        }
        NAME(fold_columns)
        (rest < KAEL_REDUCE_BLOCK ? rest : KAEL_REDUCE_BLOCK, panel->width,
         (const T *)panel->data + first * panel->stride, panel->stride, parts);
        for (int64_t j = 0; j < panel->width; ++j) {
            totals[j] = COMBINE(totals[j], (uint64_t)parts[j]);
        }
    }
}

static void NAME(end)(const kael_panel *panel, const void *state, void *totals,
                      void (*add)(const kael_panel *panel, void *state)) {
    if (state == NULL) {
        NAME(begin)(panel->width, totals);
    } else {
        memcpy(totals, state, (size_t)panel->width * sizeof(uint64_t));
    }
    add(panel, totals);
}

static void NAME(end_rows)(const kael_panel *panel, const void *state, void *totals) {
    NAME(end)(panel, state, totals, NAME(add_rows));
}

static void NAME(end_columns)(const kael_panel *panel, const void *state, void *totals) {
    NAME(end)(panel, state, totals, NAME(add_columns));
}

static void NAME(join)(int64_t width, void *totals, const void *later) {
    uint64_t *out = totals;
    const uint64_t *terms = later;
    for (int64_t j = 0; j < width; ++j) {
        out[j] = COMBINE(out[j], terms[j]);
    }
}

static const kael_reducer NAME(reducer) = {
    .total_size = sizeof(uint64_t),
    .begin = NAME(begin),
    .add = {NAME(add_rows), NAME(add_columns)},
    .end = {NAME(end_rows), NAME(end_columns)},
    .join = NAME(join),
};

#undef NAME
#undef FOLD
#undef IDENTITY
#undef COMBINE
#undef PART_T
