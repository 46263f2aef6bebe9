/* A fold of one integer type that wraps in 64 bits, so that no order changes it. Included once per
 * type and fold by reduce_integer_template.h, which defines T, TYPE, FOLD, IDENTITY and COMBINE as
 * reduce_fold_template.h has them. The state holds one number per output. */
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
        uint64_t total = totals[i];
        for (int64_t k = 0; k < panel->count; ++k) {
            total = COMBINE(total, (uint64_t)x[k]);
        }
        totals[i] = total;
    }
}

static KAEL_NEVER_INLINE void NAME(add_columns)(const kael_panel *panel, void *state) {
    uint64_t *totals = state;
    const int64_t stride = panel->stride;
    int64_t k = 0;
    for (; k + 4 <= panel->count; k += 4) {
        const T *x = (const T *)panel->data + k * stride;
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < panel->width; ++j) {
            const uint64_t low = COMBINE((uint64_t)x[j], (uint64_t)x[j + stride]);
            const uint64_t high = COMBINE((uint64_t)x[j + 2 * stride], (uint64_t)x[j + 3 * stride]);
            totals[j] = COMBINE(totals[j], COMBINE(low, high));
        }
    }
    for (; k < panel->count; ++k) {
        const T *x = (const T *)panel->data + k * stride;
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < panel->width; ++j) {
            totals[j] = COMBINE(totals[j], (uint64_t)x[j]);
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
