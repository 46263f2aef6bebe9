/* One fold in double of one element type. Included once per fold by reduce_float_template.h, which
 * defines T, TYPE and LOAD(p), the conversion of a vector of elements; and
 *   FOLD            the name of the fold
 *   IDENTITY        what it starts from
 *   COMBINE(a, b)   joins two partial results
 *   STEP(a, x, p)   folds an element, given its output's parameter, onto a; of vectors and of
 * doubles alike HAS_PARAMETERS  1 if it depends on the parameter
 */
#define NAME(base) KAEL_REDUCE_JOIN(KAEL_REDUCE_JOIN(base, FOLD), TYPE)

/* Folds `octets` groups of eight elements onto each of `groups` octets of lanes. Where `ahead` is
 * not 0, what lies so many elements further on will be needed soon. */
static KAEL_ALWAYS_INLINE void NAME(fold)(int groups, int64_t octets, const T *x,
                                          int64_t group_stride, int64_t octet_stride,
                                          const kael_octet *parameters, double *lanes,
                                          int64_t ahead) {
    enum { LINE = 64 / sizeof(T) };
    (void)parameters;
    kael_octet sums[KAEL_REDUCE_GROUPS];
    for (int g = 0; g < groups; ++g) {
        sums[g] = kael_octet_load(lanes + g * KAEL_REDUCE_LANES);
    }
    for (int64_t o = 0; o < octets; ++o) {
        for (int i = 0; i < groups * KAEL_REDUCE_LANES && ahead != 0; i += LINE) {
            kael_prefetch(x, (ahead + i) * (int64_t)sizeof(T));
        }
        for (int g = 0; g < groups; ++g) {
            for (int v = 0; v < KAEL_OCTET_VECTORS; ++v) {
                const kael_doubles element = LOAD(x + g * group_stride + v * KAEL_DOUBLES);
                sums[g].v[v] = STEP(sums[g].v[v], element, parameters[g].v[v]);
            }
        }
        x += octet_stride;
    }
    for (int g = 0; g < groups; ++g) {
        kael_octet_store(lanes + g * KAEL_REDUCE_LANES, sums[g]);
    }
}

static void NAME(begin)(int64_t width, void *state) {
    double *lanes = state;
    for (int64_t i = 0; i < width * KAEL_REDUCE_LANES; ++i) {
        lanes[i] = IDENTITY;
    }
}

/* Several rows at a time, since the steps of one depend on each other. */
static void NAME(add_rows)(const kael_panel *panel, void *state) {
    const T *x = panel->data;
    double *lanes = state;
    const int64_t octets = panel->count / KAEL_REDUCE_LANES;
    kael_octet parameters[KAEL_REDUCE_GROUPS] = {0};
    int64_t i = 0;
    for (; i + KAEL_REDUCE_GROUPS <= panel->width; i += KAEL_REDUCE_GROUPS) {
        for (int g = 0; g < KAEL_REDUCE_GROUPS && HAS_PARAMETERS; ++g) {
            parameters[g] = kael_octet_of(panel->parameters[i + g]);
        }
        NAME(fold)
        (KAEL_REDUCE_GROUPS, octets, x + i * panel->stride, panel->stride, KAEL_REDUCE_LANES,
         parameters, lanes + i * KAEL_REDUCE_LANES, 0);
    }
    for (; i < panel->width; ++i) {
        if (HAS_PARAMETERS) {
            parameters[0] = kael_octet_of(panel->parameters[i]);
        }
        NAME(fold)
        (1, octets, x + i * panel->stride, 0, KAEL_REDUCE_LANES, parameters,
         lanes + i * KAEL_REDUCE_LANES, 0);
    }
}

/* Folds `octets` rows of `width` adjacent elements each onto as many lanes. Those that are needed
 * next begin `next` elements further on. */
static KAEL_ALWAYS_INLINE void NAME(add_lane)(int64_t octets, int64_t width, const T *x,
                                              int64_t stride, int64_t next, const double *p,
                                              double *lanes) {
    enum {
        GROUPS_WIDTH = KAEL_REDUCE_GROUPS * KAEL_REDUCE_LANES,
        AHEAD = KAEL_REDUCE_AHEAD / sizeof(T)
    };
    kael_octet parameters[KAEL_REDUCE_GROUPS] = {0};
    int64_t j = 0;
    for (; j + GROUPS_WIDTH <= width; j += GROUPS_WIDTH) {
        for (int g = 0; g < KAEL_REDUCE_GROUPS && HAS_PARAMETERS; ++g) {
            parameters[g] = kael_octet_load(p + j + g * KAEL_REDUCE_LANES);
        }
        NAME(fold)
        (KAEL_REDUCE_GROUPS, octets, x + j, KAEL_REDUCE_LANES, stride, parameters, lanes + j,
         j + AHEAD < width ? AHEAD : next + AHEAD - width);
    }
    for (; j + KAEL_REDUCE_LANES <= width; j += KAEL_REDUCE_LANES) {
        if (HAS_PARAMETERS) {
            parameters[0] = kael_octet_load(p + j);
        }
        NAME(fold)(1, octets, x + j, 0, stride, parameters, lanes + j, 0);
    }
    for (; j < width; ++j) {
        for (int64_t o = 0; o < octets; ++o) {
            lanes[j] = STEP(lanes[j], (double)x[j + o * stride], p[j]);
        }
    }
}

/* Columns without gaps: a group of eight rows is one long row whose lanes are those of the state.
 */
static void NAME(add_narrow_columns)(const kael_panel *panel, double *lanes) {
    const int64_t width = panel->width;
    double parameters[KAEL_REDUCE_NARROW * KAEL_REDUCE_LANES];
    for (int64_t lane = 0; lane < KAEL_REDUCE_LANES && HAS_PARAMETERS; ++lane) {
        memcpy(parameters + lane * width, panel->parameters, (size_t)width * sizeof *parameters);
    }
    NAME(add_lane)
    (panel->count / KAEL_REDUCE_LANES, width * KAEL_REDUCE_LANES, panel->data,
     width * KAEL_REDUCE_LANES, panel->count * width, parameters, lanes);
}

/* A few octets of rows at a time: their lanes stay in the cache, memory is read in order. */
static void NAME(add_columns)(const kael_panel *panel, void *state) {
    const int64_t width = panel->width;
    if (panel->stride == width && width <= KAEL_REDUCE_NARROW) {
        NAME(add_narrow_columns)(panel, state);
        return;
    }
    const T *x = panel->data;
    double *lanes = state;
    for (int64_t i = 0; i < panel->count; i += KAEL_REDUCE_ROWS) {
        const int64_t rest = panel->count - i;
        const int64_t rows = rest < KAEL_REDUCE_ROWS ? rest : KAEL_REDUCE_ROWS;
        for (int64_t lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
            const int64_t next = lane + 1 < KAEL_REDUCE_LANES ? 1 : rows - lane;
            NAME(add_lane)
            (rows / KAEL_REDUCE_LANES, width, x + (i + lane) * panel->stride,
             KAEL_REDUCE_LANES * panel->stride, next * panel->stride, panel->parameters,
             lanes + lane * width);
        }
    }
}

static void NAME(join)(int64_t width, void *totals, const void *later) {
    double *out = totals;
    const double *terms = later;
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t j = 0; j < width; ++j) {
        out[j] = COMBINE(out[j], terms[j]);
    }
}

static void NAME(end_rows)(const kael_panel *panel, const void *state, void *totals) {
    const double *lanes = state;
    double *out = totals;
    for (int64_t i = 0; i < panel->width; ++i) {
        const T *x = (const T *)panel->data + i * panel->stride;
        double total = IDENTITY;
        for (int64_t lane = 0; lane < KAEL_REDUCE_LANES && lanes != NULL; ++lane) {
            total = COMBINE(total, lanes[i * KAEL_REDUCE_LANES + lane]);
        }
        for (int64_t k = 0; k < panel->count; ++k) {
            total = STEP(total, (double)x[k], panel->parameters[i]);
        }
        out[i] = total;
    }
}

static void NAME(end_columns)(const kael_panel *panel, const void *state, void *totals) {
    const double *lanes = state;
    const int64_t width = panel->width;
    double *out = totals;
    for (int64_t j = 0; j < width; ++j) {
        out[j] = IDENTITY;
    }
    for (int64_t lane = 0; lane < KAEL_REDUCE_LANES && lanes != NULL; ++lane) {
        NAME(join)(width, out, lanes + lane * width);
    }
    for (int64_t k = 0; k < panel->count; ++k) {
        const T *x = (const T *)panel->data + k * panel->stride;
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < width; ++j) {
            out[j] = STEP(out[j], (double)x[j], panel->parameters[j]);
        }
    }
}

static const kael_reducer NAME(reducer) = {
    .total_size = sizeof(double),
    .begin = NAME(begin),
    .add = {NAME(add_rows), NAME(add_columns)},
    .end = {NAME(end_rows), NAME(end_columns)},
    .join = NAME(join),
};

#undef NAME
#undef FOLD
#undef IDENTITY
#undef COMBINE
#undef STEP
#undef HAS_PARAMETERS
