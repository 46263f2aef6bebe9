#include "linalg/convert.h"

#include <stdlib.h>

#include "core/checked.h"
#include "kael/parallel.h"
#include "memory/block.h"

/* Elements between the rows of a converted operand beyond its steps, so that rows of a power of two
 * do not all fall on the same lines of the cache. */
#define ROW_GAP 16
/* Elements at a time that go through a dense copy because they are not dense. */
#define DENSE_COUNT 256
#define CACHE_LINE 64
/* Rows that are fetched ahead while as many are cast: rows of at most so many bytes, further apart
 * than that. */
#define PREFETCHED_ROWS 16
#define PREFETCHED_BYTES 1024
/* Elements of c that are worth another thread. */
#define CONVERSION_GRAIN INT64_C(65536)

int64_t kael_converted_bytes(int64_t indices, int64_t steps, int64_t kernel_size) {
    return kael_round_up(indices * (steps + ROW_GAP) * kernel_size, KAEL_MEMORY_ALIGNMENT);
}

bool kael_operand_runs_along_indices(const kael_gemm_operand *operand) {
    return llabs(operand->stride) < llabs(operand->k_stride);
}

/* Two levels of elements whose strides are in bytes; the inner one comes first. */
typedef struct view {
    char *data;
    int64_t size;
    int64_t strides[2];
} view;

/* Kernels promise not to write inputs. */
static char *input(const void *data) {
    return (char *)(uintptr_t)data;
}

static void run_kernel(kael_loop_kernel *kernel, int64_t inner, int64_t outer, const view *to,
                       const view *from) {
    const kael_loop loop = {
        .inner = inner,
        .outer = outer,
        .data = {to->data, from->data},
        .inner_strides = {to->strides[0], from->strides[0]},
        .outer_strides = {to->strides[1], from->strides[1]},
    };
    kernel(&loop, NULL);
}

static bool is_dense(const view *v) {
    return v->strides[0] == v->size;
}

/* Kernels that cast want dense elements on both sides: others go through a dense copy. */
static void cast_row(const kael_conversion *conversion, int64_t count, view to, view from) {
    _Alignas(KAEL_MEMORY_ALIGNMENT) char to_memory[DENSE_COUNT * sizeof(int64_t)];
    _Alignas(KAEL_MEMORY_ALIGNMENT) char from_memory[DENSE_COUNT * sizeof(int64_t)];
    const view dense_to = {to_memory, to.size, {to.size}};
    const view dense_from = {from_memory, from.size, {from.size}};
    for (int64_t left = count; left > 0; left -= DENSE_COUNT) {
        const int64_t here = kael_min_i64(DENSE_COUNT, left);
        const view *source = is_dense(&from) ? &from : &dense_from;
        const view *target = is_dense(&to) ? &to : &dense_to;
        if (source != &from) {
            run_kernel(conversion->copy[0], here, 1, source, &from);
        }
        run_kernel(conversion->cast, here, 1, target, source);
        if (target != &to) {
            run_kernel(conversion->copy[1], here, 1, &to, target);
        }
        to.data += here * to.strides[0];
        from.data += here * from.strides[0];
    }
}

/* Short pieces far from each other are nothing that processors fetch ahead by themselves. */
static bool is_scattered(int64_t inner, const view *from) {
    return inner * from->size <= PREFETCHED_BYTES && llabs(from->strides[1]) > PREFETCHED_BYTES;
}

static void prefetch_rows(int64_t inner, int64_t rows, const view *from) {
    const int64_t bytes = inner * from->size;
    for (int64_t row = 0; row < rows; ++row) {
        const char *data = from->data + row * from->strides[1];
        for (int64_t at = 0; at < bytes + CACHE_LINE; at += CACHE_LINE) {
            __builtin_prefetch(data + (at < bytes ? at : bytes - 1), 0, 3);
        }
    }
}

static void cast_scattered_rows(const kael_conversion *conversion, int64_t inner, int64_t outer,
                                view to, view from) {
    for (int64_t left = outer; left > 0; left -= PREFETCHED_ROWS) {
        const int64_t here = kael_min_i64(PREFETCHED_ROWS, left);
        const view next = {
            from.data + here * from.strides[1], from.size, {from.strides[0], from.strides[1]}};
        prefetch_rows(inner, kael_min_i64(PREFETCHED_ROWS, left - here), &next);
        run_kernel(conversion->cast, inner, here, &to, &from);
        from.data = next.data;
        to.data += here * to.strides[1];
    }
}

static void convert(const kael_conversion *conversion, int64_t inner, int64_t outer, const view *to,
                    const view *from) {
    if (conversion->cast == NULL) {
        run_kernel(conversion->copy[0], inner, outer, to, from);
        return;
    }
    if (is_dense(to) && (is_dense(from) || from->strides[0] == 0)) {
        if (is_scattered(inner, from)) {
            cast_scattered_rows(conversion, inner, outer, *to, *from);
        } else {
            run_kernel(conversion->cast, inner, outer, to, from);
        }
        return;
    }
    view to_row = *to;
    view from_row = *from;
    for (int64_t row = 0; row < outer; ++row) {
        cast_row(conversion, inner, to_row, from_row);
        to_row.data += to->strides[1];
        from_row.data += from->strides[1];
    }
}

kael_gemm_operand kael_convert_operand(const kael_conversion *conversion, int64_t kernel_size,
                                       const kael_gemm_operand *source, int64_t indices,
                                       int64_t steps, bool along_indices, void *target) {
    const int64_t stored_size = conversion->stored_size;
    const int64_t index_stride = source->stride * stored_size;
    const int64_t k_stride = source->k_stride * stored_size;
    view from = {input(source->data), stored_size, {k_stride, index_stride}};
    view to = {target, kernel_size, {kernel_size, (steps + ROW_GAP) * kernel_size}};
    if (along_indices) {
        from.strides[0] = index_stride;
        from.strides[1] = k_stride;
        to.strides[1] = indices * kernel_size;
        convert(conversion, indices, steps, &to, &from);
        return (kael_gemm_operand){target, 1, indices};
    }
    convert(conversion, steps, indices, &to, &from);
    return (kael_gemm_operand){target, steps + ROW_GAP, 1};
}

/* c and what it is converted from, with the dense direction of the latter inside. */
typedef struct c_job {
    const kael_conversion *conversion;
    int64_t inner;
    view to;
    view from;
} c_job;

static kael_status convert_c_lines(int64_t first, int64_t last, void *context) {
    const c_job *job = context;
    view to = job->to;
    view from = job->from;
    to.data += first * to.strides[1];
    from.data += first * from.strides[1];
    convert(job->conversion, job->inner, last - first, &to, &from);
    return KAEL_OK;
}

kael_status kael_convert_c(const kael_product *product, int64_t kernel_size, const void *from,
                           int64_t row_stride, int64_t column_stride, int64_t threads) {
    const int64_t stored_size = product->c_conversion->stored_size;
    const int inside = column_stride == 1 ? 1 : 0;
    const int64_t counts[2] = {product->rows, product->columns};
    const int64_t from_strides[2] = {row_stride * kernel_size, column_stride * kernel_size};
    const int64_t to_strides[2] = {product->c_row_stride * stored_size,
                                   product->c_column_stride * stored_size};
    c_job job = {
        .conversion = product->c_conversion,
        .inner = counts[inside],
        .to = {product->c, stored_size, {to_strides[inside], to_strides[1 - inside]}},
        .from = {input(from), kernel_size, {from_strides[inside], from_strides[1 - inside]}},
    };
    const int64_t lines = counts[1 - inside];
    const int64_t grain = kael_max_i64(1, CONVERSION_GRAIN / job.inner);
    if (threads == 1 || lines <= grain) {
        return convert_c_lines(0, lines, &job);
    }
    return kael_parallel_for(0, lines, grain, convert_c_lines, &job);
}
