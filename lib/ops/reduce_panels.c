#include "ops/reduce_panels.h"

#include <stddef.h>

#include "core/checked.h"

enum {
    LANES = KAEL_REDUCE_LANES,
    PACKED = KAEL_PACKED_WIDTH * LANES, /* elements of a panel: they stay in the first cache */
    PACKED_BYTES = PACKED * 8,
};

typedef struct packing_buffers {
    _Alignas(64) char elements[PACKED_BYTES];
    _Alignas(64) char converted[PACKED_BYTES];
} packing_buffers;

static const kael_reduce_dim *innermost(const kael_reduce_plan *plan) {
    static const kael_reduce_dim none = {.size = 1};
    return plan->reduced_ndim == 0 ? &none : &plan->reduced[plan->reduced_ndim - 1];
}

/* Whether panels are made of contiguous lines: elements of an output or neighbouring outputs. */
static bool has_lines(const kael_reduce_plan *plan) {
    const kael_reduce_dim *run = innermost(plan);
    const kael_reduce_dim *kept = &plan->kept[plan->kept_ndim - 1];
    return plan->layout == KAEL_PANEL_ROWS ? run->in_stride == 1 || run->size == 1
                                           : kept->in_stride == 1 || kept->size == 1;
}

/* Panels begin and end where runs do, or at whole groups of lanes inside. */
bool kael_panels_are_direct(const kael_panel_source *source, const kael_reduce_pass *pass) {
    const kael_reduce_plan *plan = source->plan;
    return source->in_dtype == source->panel_dtype && pass->map == NULL && has_lines(plan) &&
           (plan->reduced_ndim <= 1 || innermost(plan)->size % LANES == 0);
}

/* Elements from an output's first one to element number `index`. */
static int64_t offset_of(const kael_reduce_plan *plan, int64_t index) {
    int64_t offset = 0;
    for (int d = plan->reduced_ndim - 1; d >= 0; --d) {
        const kael_reduce_dim *dim = &plan->reduced[d];
        offset += (d == 0 ? index : index % dim->size) * dim->in_stride;
        index /= dim->size;
    }
    return offset;
}

/* Elements from element number `index` to the end of its run. */
static int64_t rest_of_run(const kael_reduce_plan *plan, int64_t index) {
    const int64_t size = innermost(plan)->size;
    return plan->reduced_ndim <= 1 ? size - index : size - index % size;
}

/* A part of the elements, as lines of runs: `lines` runs of `length` elements. */
typedef struct run_lines {
    int64_t length;
    int64_t lines;
    int64_t line_stride;
} run_lines;

/* What of elements first ... first + count - 1 can be copied at once. */
static run_lines lines_at(const kael_reduce_plan *plan, int64_t first, int64_t count) {
    const int64_t run = innermost(plan)->size;
    if (plan->reduced_ndim < 2 || first % run != 0 || count < 2 * run) {
        return (run_lines){kael_min_i64(count, rest_of_run(plan, first)), 1, 0};
    }
    const kael_reduce_dim *outer = &plan->reduced[plan->reduced_ndim - 2];
    const int64_t row = first / run;
    const int64_t rest = outer->size - (plan->reduced_ndim == 2 ? row : row % outer->size);
    return (run_lines){run, kael_min_i64(count / run, rest), outer->in_stride};
}

static void copy(const kael_panel_source *source, int64_t inner, int64_t outer, char *to,
                 int64_t to_inner, int64_t to_outer, const char *from, int64_t from_inner,
                 int64_t from_outer) {
    const int64_t size = source->in_size;
    const kael_loop loop = {
        .inner = inner,
        .outer = outer,
        .data = {to, (char *)(uintptr_t)from},
        .inner_strides = {to_inner * size, from_inner * size},
        .outer_strides = {to_outer * size, from_outer * size},
    };
    source->copies->copy[__builtin_ctzll((unsigned long long)size)](&loop, NULL);
}

/* Copies elements of one output, `stride` elements apart in the buffer. */
static void gather_output(const kael_panel_source *source, const char *data, int64_t first,
                          int64_t count, char *buffer, int64_t stride) {
    const kael_reduce_plan *plan = source->plan;
    const int64_t step = innermost(plan)->in_stride;
    while (count > 0) {
        const run_lines part = lines_at(plan, first, count);
        const char *from = data + offset_of(plan, first) * source->in_size;
        copy(source, part.length, part.lines, buffer, stride, stride * part.length, from, step,
             part.line_stride);
        const int64_t copied = part.length * part.lines;
        buffer += copied * stride * source->in_size;
        first += copied;
        count -= copied;
    }
}

/* Copies elements of all outputs, element by element of the logical order. */
static void gather_columns(const kael_panel_source *source, const kael_panel_outputs *outputs,
                           int64_t first, int64_t count, char *buffer) {
    const kael_reduce_plan *plan = source->plan;
    const int64_t step = innermost(plan)->in_stride;
    while (count > 0) {
        const int64_t rows = kael_min_i64(count, rest_of_run(plan, first));
        const char *from = outputs->data + offset_of(plan, first) * source->in_size;
        copy(source, outputs->width, rows, buffer, 1, outputs->width, from, outputs->stride, step);
        buffer += rows * outputs->width * source->in_size;
        first += rows;
        count -= rows;
    }
}

/* Converts `outer` lines of `inner` contiguous elements, `stride` elements apart. */
static void convert(const kael_panel_source *source, int64_t inner, int64_t outer, const char *from,
                    int64_t stride, packing_buffers *buffers) {
    const int64_t size = kael_dtype_size(source->panel_dtype);
    const kael_loop loop = {
        .inner = inner,
        .outer = outer,
        .data = {buffers->converted, (char *)(uintptr_t)from},
        .inner_strides = {size, source->in_size},
        .outer_strides = {inner * size, stride * source->in_size},
    };
    source->copies->convert[source->panel_dtype][source->in_dtype](&loop, NULL);
}

/* Copies the elements of a panel to where they are contiguous. */
static void gather(const kael_panel_source *source, const kael_panel_outputs *outputs,
                   int64_t first, int64_t count, char *buffer) {
    if (source->plan->layout == KAEL_PANEL_COLUMNS) {
        gather_columns(source, outputs, first, count, buffer);
        return;
    }
    for (int64_t i = 0; i < outputs->width; ++i) {
        gather_output(source, outputs->data + i * outputs->stride * source->in_size, first, count,
                      buffer + i * count * source->in_size, 1);
    }
}

/* A panel of copies, in the panels' type. */
static kael_panel packed_panel(const kael_panel_source *source, const kael_reduce_pass *pass,
                               const kael_panel_outputs *outputs, int64_t first, int64_t count,
                               const double *parameters, packing_buffers *buffers) {
    const kael_reduce_plan *plan = source->plan;
    const bool rows = plan->layout == KAEL_PANEL_ROWS;
    const int64_t width = outputs->width;
    const bool is_converted = source->in_dtype != source->panel_dtype && width * count > 0;
    char *elements = is_converted ? buffers->converted : buffers->elements;
    if (is_converted && has_lines(plan) && count <= rest_of_run(plan, first)) {
        convert(source, rows ? count : width, rows ? width : count,
                outputs->data + offset_of(plan, first) * source->in_size,
                rows ? outputs->stride : innermost(plan)->in_stride, buffers);
    } else {
        gather(source, outputs, first, count, buffers->elements);
        if (is_converted) {
            convert(source, width * count, 1, buffers->elements, 0, buffers);
        }
    }
    const kael_panel panel = {.data = elements,
                              .width = width,
                              .count = count,
                              .stride = rows ? count : width,
                              .first = first,
                              .parameters = parameters};
    if (pass->map != NULL) {
        pass->map(&panel, plan->layout, (double *)(void *)elements);
    }
    return panel;
}

/* A panel in the tensor itself. */
static kael_panel direct_panel(const kael_panel_source *source, const kael_panel_outputs *outputs,
                               int64_t first, int64_t count, const double *parameters) {
    const kael_reduce_plan *plan = source->plan;
    return (kael_panel){
        .data = outputs->data + offset_of(plan, first) * source->in_size,
        .width = outputs->width,
        .count = count,
        .stride = plan->layout == KAEL_PANEL_ROWS ? outputs->stride : innermost(plan)->in_stride,
        .first = first,
        .parameters = parameters,
    };
}

void kael_panels_reduce(const kael_panel_source *source, const kael_reduce_pass *pass,
                        const kael_panel_outputs *outputs, int64_t first, int64_t count,
                        const double *parameters, void *totals) {
    _Alignas(KAEL_REDUCE_STATE_SIZE) char state[KAEL_REDUCE_WIDTH * KAEL_REDUCE_STATE_SIZE];
    packing_buffers buffers;
    const kael_panel_layout layout = source->plan->layout;
    const kael_reducer *reducer = pass->reducer;
    const bool direct = kael_panels_are_direct(source, pass);
    const int64_t packed_count = kael_max_i64(LANES, PACKED / outputs->width / LANES * LANES);
    const int64_t end = first + count;
    const int64_t whole_end = end - count % LANES;
    const bool has_whole = first < whole_end;
    if (has_whole) {
        reducer->begin(outputs->width, state);
    }
    while (first < whole_end) {
        const int64_t rest = whole_end - first;
        const int64_t some = kael_min_i64(
            rest, direct ? rest_of_run(source->plan, first) / LANES * LANES : packed_count);
        const kael_panel panel =
            direct ? direct_panel(source, outputs, first, some, parameters)
                   : packed_panel(source, pass, outputs, first, some, parameters, &buffers);
        reducer->add[layout](&panel, state);
        first += some;
    }
    const kael_panel tail =
        direct ? direct_panel(source, outputs, first, end - first, parameters)
               : packed_panel(source, pass, outputs, first, end - first, parameters, &buffers);
    reducer->end[layout](&tail, has_whole ? state : NULL, totals);
}
