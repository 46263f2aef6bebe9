/* The kernels of reductions against the oracle, with panels that end at unreadable pages. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "kernel_check.h"
#include "kernels/reduce.h"
#include "oracle/matmul_values.h"
#include "oracle/reduce_oracle.h"

enum {
    ARENA_BYTES = 2 << 20,
    MOST_WIDTH = 257,
};

typedef struct reduce_check {
    kernel_check *check;
    const kael_reduce_kernels *kernels;
    const char *isa;
    kael_dtype dtype;
    arena input;
    uint64_t turn;
} reduce_check;

/* A panel and the totals of one reducer. */
typedef struct panel_case {
    kael_panel panel;
    kael_panel_layout layout;
    _Alignas(64) char state[MOST_WIDTH * KAEL_REDUCE_STATE_SIZE];
    _Alignas(64) char totals[MOST_WIDTH * KAEL_REDUCE_TOTAL_SIZE];
    double parameters[MOST_WIDTH];
} panel_case;

static panel_case current;

/* Whether element i is to be a zero: all of some runs are, and a few of others. */
static bool is_zero(uint64_t i) {
    const uint64_t run = matmul_random(11, i / 64) % 4;
    return run == 0 || (run == 1 && matmul_random(13, i) % 8 == 0);
}

/* Numbers whose f64 sums of squares do not overflow, among others; any bits elsewhere. */
static void fill(const reduce_check *r) {
    const int64_t size = kael_dtype_size(r->dtype);
    for (int64_t i = 0; i < ARENA_BYTES / size; ++i) {
        uint64_t bits = matmul_random(7, (uint64_t)i);
        if (r->dtype == KAEL_F64) {
            const double number = ldexp((double)(int64_t)bits, (int)(bits % 9) - 70);
            memcpy(&bits, &number, sizeof bits);
        } else if (r->dtype == KAEL_BOOL) {
            bits &= 1;
        }
        if (is_zero((uint64_t)i)) {
            const bool is_float = r->dtype >= KAEL_F16;
            bits = is_float ? (bits & 1) << (8 * size - 1) : 0;
        }
        memcpy(r->input.begin + i * size, &bits, (size_t)size);
    }
}

static int64_t element_offset(int64_t output, int64_t element) {
    const kael_panel *panel = &current.panel;
    return current.layout == KAEL_PANEL_ROWS ? output * panel->stride + element
                                             : output + element * panel->stride;
}

/* Adds the whole groups of lanes, in two panels if there are several, and ends with the rest. */
static void reduce_panel(const kael_reducer *reducer, kael_dtype dtype) {
    const int64_t size = kael_dtype_size(dtype);
    const kael_panel whole = current.panel;
    const int64_t groups = whole.count / KAEL_REDUCE_LANES;
    const int64_t parts[] = {groups / 2, groups - groups / 2};
    kael_panel part = whole;
    part.first = 0;
    if (groups > 0) {
        reducer->begin(whole.width, current.state);
    }
    for (int i = 0; i < 2; ++i) {
        part.count = parts[i] * KAEL_REDUCE_LANES;
        if (part.count > 0) {
            reducer->add[current.layout](&part, current.state);
        }
        part.first += part.count;
        part.data = (const char *)whole.data + element_offset(0, part.first) * size;
    }
    part.count = whole.count % KAEL_REDUCE_LANES;
    reducer->end[current.layout](&part, groups > 0 ? current.state : NULL, current.totals);
}

/* The result of one output as the operation defines it. */
static void finish(reduce_operation operation, kael_dtype dtype, int64_t output, void *result) {
    if (operation == REDUCE_ANY || operation == REDUCE_ALL) {
        memcpy(result, current.totals + output, 1);
        return;
    }
    double total;
    memcpy(&total, current.totals + output * 8, sizeof total);
    const double count = (double)current.panel.count;
    const bool is_float = dtype == KAEL_F32 || dtype == KAEL_F64;
    switch (operation) {
    case REDUCE_COUNT_NONZERO:
        memcpy(result, current.totals + output * 8, 8);
        return;
    case REDUCE_ARGMAX:
    case REDUCE_ARGMIN:
        memcpy(result, current.totals + output * 16 + 8, 8);
        return;
    case REDUCE_MAX:
    case REDUCE_MIN: {
        const int64_t size = kael_dtype_size(dtype);
        memcpy(result, current.totals + output * size, (size_t)size);
        return;
    }
    case REDUCE_VAR:
        total /= count;
        break;
    case REDUCE_NORM:
        total = sqrt(total);
        break;
    default:
        break;
    }
    if (is_float && dtype == KAEL_F32) {
        const float rounded = (float)total;
        memcpy(result, &rounded, sizeof rounded);
    } else {
        memcpy(result, &total, sizeof total);
    }
}

static bool same(kael_dtype dtype, const void *a, const void *b) {
    float f[2];
    double d[2];
    switch (dtype) {
    case KAEL_F32:
        memcpy(&f[0], a, sizeof f[0]);
        memcpy(&f[1], b, sizeof f[1]);
        return memcmp(a, b, 4) == 0 || (isnan(f[0]) && isnan(f[1]));
    case KAEL_F64:
        memcpy(&d[0], a, sizeof d[0]);
        memcpy(&d[1], b, sizeof d[1]);
        return memcmp(a, b, 8) == 0 || (isnan(d[0]) && isnan(d[1]));
    default:
        return memcmp(a, b, (size_t)kael_dtype_size(dtype)) == 0;
    }
}

static void compare(const reduce_check *r, reduce_operation operation) {
    const int64_t size = kael_dtype_size(r->dtype);
    char *elements = malloc((size_t)(current.panel.count * size + 1));
    for (int64_t j = 0; j < current.panel.width && elements != NULL; ++j) {
        for (int64_t k = 0; k < current.panel.count; ++k) {
            memcpy(elements + k * size,
                   (const char *)current.panel.data + element_offset(j, k) * size, (size_t)size);
        }
        uint64_t expected = 0;
        uint64_t actual = 0;
        oracle_reduce(operation, r->dtype, elements, current.panel.count, 0, &expected);
        finish(operation, r->dtype, j, &actual);
        if (!same(reduce_result_dtype(operation, r->dtype), &actual, &expected)) {
            check_failed(r->check, "output %" PRId64 " is %#" PRIx64 ", not %#" PRIx64, j, actual,
                         expected);
            break;
        }
    }
    free(elements);
}

static const kael_reducer *reducer_of(const reduce_check *r, reduce_operation operation) {
    switch (operation) {
    case REDUCE_SUM:
        return r->kernels->sum[r->dtype];
    case REDUCE_PROD:
        return r->kernels->product[r->dtype];
    case REDUCE_NORM:
        return r->kernels->squares[r->dtype];
    case REDUCE_VAR:
        return r->kernels->deviations[r->dtype];
    case REDUCE_MAX:
        return r->kernels->largest[r->dtype];
    case REDUCE_MIN:
        return r->kernels->smallest[r->dtype];
    case REDUCE_ARGMAX:
        return r->kernels->argmax[r->dtype];
    case REDUCE_ARGMIN:
        return r->kernels->argmin[r->dtype];
    case REDUCE_ANY:
        return r->kernels->any[r->dtype];
    case REDUCE_ALL:
        return r->kernels->all[r->dtype];
    case REDUCE_COUNT_NONZERO:
        return r->kernels->nonzero[r->dtype];
    default:
        return NULL;
    }
}

/* The means are the parameters of the deviations. */
static void set_means(const reduce_check *r) {
    reduce_panel(r->kernels->sum[r->dtype], r->dtype);
    for (int64_t j = 0; j < current.panel.width; ++j) {
        double total;
        memcpy(&total, current.totals + j * 8, sizeof total);
        current.parameters[j] = total / (double)current.panel.count;
    }
}

static void check_panel(reduce_check *r, kael_panel_layout layout, int64_t width, int64_t count) {
    const int64_t gap = (int64_t)(matmul_random(3, r->turn++) % 2) * 3;
    const int64_t line = layout == KAEL_PANEL_ROWS ? count : width;
    const int64_t lines = layout == KAEL_PANEL_ROWS ? width : count;
    const int64_t extent = (lines - 1) * (line + gap) + line;
    const arena_edge edge = r->turn % 2 == 0 ? ARENA_BEGIN : ARENA_END;
    current.layout = layout;
    current.panel = (kael_panel){
        .data = arena_place(&r->input, edge, 0, extent * kael_dtype_size(r->dtype)),
        .width = width,
        .count = count,
        .stride = line + gap,
        .parameters = current.parameters,
    };
    for (reduce_operation o = REDUCE_SUM; o < REDUCE_OPERATIONS; ++o) {
        const kael_reducer *reducer = reducer_of(r, o);
        if (reducer != NULL) {
            check_case(r->check, "%s reduce %s %s: %s, %" PRId64 " x %" PRId64 ", gap %" PRId64,
                       r->isa, reduce_name(o), kael_dtype_name(r->dtype),
                       layout == KAEL_PANEL_ROWS ? "rows" : "columns", width, count, gap);
            if (o == REDUCE_VAR) {
                set_means(r);
            }
            reduce_panel(reducer, r->dtype);
            compare(r, o);
        }
    }
}

static void check_dtype(reduce_check *r) {
    static const int64_t widths[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 40, 100, MOST_WIDTH};
    static const int64_t counts[] = {1, 7, 8, 9, 24, 31, 33, 64, 65, 140, 523, 4200};
    fill(r);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (size_t j = r->check->quick ? i % 3 : 0; j < sizeof widths / sizeof widths[0];
             j += r->check->quick ? 3 : 1) {
            if (widths[j] * (counts[i] + 3) * 8 < ARENA_BYTES) {
                check_panel(r, KAEL_PANEL_ROWS, widths[j], counts[i]);
                check_panel(r, KAEL_PANEL_COLUMNS, widths[j], counts[i]);
            }
        }
    }
    for (reduce_operation o = REDUCE_SUM; o < REDUCE_OPERATIONS; ++o) {
        r->check->kernels += reducer_of(r, o) != NULL;
    }
}

void check_reduce_kernels(kernel_check *check, const kael_kernels *kernels) {
    reduce_check r = {
        .check = check,
        .kernels = kernels->reduce,
        .isa = kernels->name,
        .input = arena_open(ARENA_BYTES),
    };
    check_case(check, "%s reduce", kernels->name);
    if (r.kernels == NULL) {
        check_failed(check, "the table lacks the record");
    }
    for (int dtype = KAEL_BOOL; dtype <= KAEL_F64 && r.kernels != NULL; ++dtype) {
        const bool is_converted = dtype == KAEL_F16 || dtype == KAEL_BF16;
        if (is_converted != (r.kernels->sum[dtype] == NULL)) {
            check_failed(check, "the table lacks %s", kael_dtype_name((kael_dtype)dtype));
        } else {
            r.dtype = (kael_dtype)dtype;
            check_dtype(&r);
        }
    }
    arena_close(&r.input);
}
