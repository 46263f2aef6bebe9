#include "tensor/iterator.h"

#include <stdalign.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kernels/copy.h"
#include "tensor/tensor.h"

/* Bytes of a dense copy of one operand's tile: those of all operands fit in the first cache. */
#define TILE_BYTES 8192

/* Elements along the output's dense dimension in the tile of a transposed operand. */
#define TRANSPOSED_TILE 64

static int64_t magnitude(int64_t stride) {
    return stride < 0 ? -stride : stride;
}

static int64_t byte_stride(const kael_tensor *tensor, int64_t dim_from_end, int64_t element_size) {
    const int64_t dim = tensor->ndim - 1 - dim_from_end;
    return dim < 0 || tensor->sizes[dim] == 1 ? 0 : kael_tensor_strides(tensor)[dim] * element_size;
}

static void collect_dimensions(kael_iterator *iterator, const kael_tensor *const *tensors) {
    const kael_tensor *out = tensors[0];
    for (int64_t i = 0; i < out->ndim; ++i) {
        const int64_t size = out->sizes[out->ndim - 1 - i];
        if (size == 1) {
            continue;
        }
        iterator->shape[iterator->ndim] = size;
        for (int k = 0; k < iterator->operands; ++k) {
            iterator->strides[k][iterator->ndim] =
                byte_stride(tensors[k], i, iterator->element_sizes[k]);
        }
        ++iterator->ndim;
    }
}

/* Reverses a dimension along which the first operand that moves runs backwards. */
static void orient(kael_iterator *iterator, int dim) {
    int k = 0;
    while (k < iterator->operands - 1 && iterator->strides[k][dim] == 0) {
        ++k;
    }
    if (iterator->strides[k][dim] >= 0) {
        return;
    }
    for (k = 0; k < iterator->operands; ++k) {
        iterator->data[k] += (iterator->shape[dim] - 1) * iterator->strides[k][dim];
        iterator->strides[k][dim] = -iterator->strides[k][dim];
    }
}

static void swap_dimensions(kael_iterator *iterator, int a, int b) {
    const int64_t size = iterator->shape[a];
    iterator->shape[a] = iterator->shape[b];
    iterator->shape[b] = size;
    for (int k = 0; k < iterator->operands; ++k) {
        const int64_t stride = iterator->strides[k][a];
        iterator->strides[k][a] = iterator->strides[k][b];
        iterator->strides[k][b] = stride;
    }
}

/* Whether dimension a should lie inside dimension b. */
static bool is_denser(const kael_iterator *iterator, int a, int b) {
    for (int k = 0; k < iterator->operands; ++k) {
        const int64_t stride_a = magnitude(iterator->strides[k][a]);
        const int64_t stride_b = magnitude(iterator->strides[k][b]);
        if (stride_a != 0 && stride_b != 0 && stride_a != stride_b) {
            return stride_a < stride_b;
        }
    }
    return false;
}

static void sort_dimensions(kael_iterator *iterator) {
    for (int i = 1; i < iterator->ndim; ++i) {
        for (int j = i; j > 0 && is_denser(iterator, j, j - 1); --j) {
            swap_dimensions(iterator, j, j - 1);
        }
    }
}

static bool is_mergeable(const kael_iterator *iterator, int dim, int next) {
    for (int k = 0; k < iterator->operands; ++k) {
        const int64_t *strides = iterator->strides[k];
        if (strides[next] != iterator->shape[dim] * strides[dim]) {
            return false;
        }
    }
    return true;
}

static void coalesce(kael_iterator *iterator) {
    int last = 0;
    for (int i = 1; i < iterator->ndim; ++i) {
        if (is_mergeable(iterator, last, i)) {
            iterator->shape[last] *= iterator->shape[i];
        } else {
            swap_dimensions(iterator, ++last, i);
        }
    }
    iterator->ndim = last + 1;
}

/* The dimension along which the operand is densest; broadcast ones do not count. */
static int densest_dimension(const kael_iterator *iterator, int operand) {
    const int64_t *strides = iterator->strides[operand];
    int densest = 0;
    for (int i = 1; i < iterator->ndim; ++i) {
        if (strides[i] != 0 && magnitude(strides[i]) < magnitude(strides[densest])) {
            densest = i;
        }
    }
    return densest;
}

static void move_dimension(kael_iterator *iterator, int from, int to) {
    for (; from > to; --from) {
        swap_dimensions(iterator, from, from - 1);
    }
}

/* Puts the dense dimension of a transposed operand next to the innermost one. */
static void pair_transposed(kael_iterator *iterator) {
    for (int k = 0; k < iterator->operands; ++k) {
        const int dim = densest_dimension(iterator, k);
        if (dim > 0) {
            move_dimension(iterator, dim, 1);
            iterator->is_transposed = true;
            return;
        }
    }
}

void kael_iterator_init(kael_iterator *iterator, int operands, const kael_tensor *const *tensors) {
    iterator->operands = operands;
    iterator->ndim = 0;
    iterator->is_transposed = false;
    iterator->numel = tensors[0]->numel;
    for (int k = 0; k < operands; ++k) {
        iterator->data[k] = tensors[k]->data;
        iterator->element_sizes[k] = kael_dtype_size(tensors[k]->dtype);
    }
    if (iterator->numel == 0) {
        return;
    }
    collect_dimensions(iterator, tensors);
    if (iterator->ndim == 0) {
        iterator->shape[0] = 1;
        for (int k = 0; k < operands; ++k) {
            iterator->strides[k][0] = iterator->element_sizes[k];
        }
        iterator->ndim = 1;
        return;
    }
    for (int i = 0; i < iterator->ndim; ++i) {
        orient(iterator, i);
    }
    sort_dimensions(iterator);
    coalesce(iterator);
    pair_transposed(iterator);
}

/* A kernel with its parameters, on its way through the parallel loop. */
typedef struct walk_plan {
    const kael_iterator *iterator;
    kael_loop_kernel *kernel;
    const void *parameters;
    /* Of tiled walks: */
    kael_loop_kernel *const *copy; /* the kernels that pack operands */
    int64_t tile[2];               /* elements along dimensions 0 and 1 */
    int64_t tiles[2];
    bool packed[KAEL_MAX_OPERANDS];
} walk_plan;

/* Where a walk is. */
typedef struct walk_position {
    int64_t indices[KAEL_MAX_DIMS];
    char *data[KAEL_MAX_OPERANDS];
} walk_position;

static void step(const kael_iterator *iterator, walk_position *position, int dim, int64_t count) {
    position->indices[dim] += count;
    for (int k = 0; k < iterator->operands; ++k) {
        position->data[k] += count * iterator->strides[k][dim];
    }
}

/* Moves on along a dimension, and at its end into the next ones. */
static void advance(const kael_iterator *iterator, walk_position *position, int dim,
                    int64_t count) {
    step(iterator, position, dim, count);
    while (position->indices[dim] == iterator->shape[dim] && dim + 1 < iterator->ndim) {
        step(iterator, position, dim, -iterator->shape[dim]);
        step(iterator, position, ++dim, 1);
    }
}

static void start_at(const kael_iterator *iterator, walk_position *position) {
    for (int i = 0; i < iterator->ndim; ++i) {
        position->indices[i] = 0;
    }
    for (int k = 0; k < iterator->operands; ++k) {
        position->data[k] = iterator->data[k];
    }
}

/* Moves by `index` elements of the dimensions from `dim` on. */
static void jump(const kael_iterator *iterator, walk_position *position, int dim, int64_t index) {
    for (; dim < iterator->ndim; ++dim) {
        step(iterator, position, dim, index % iterator->shape[dim]);
        index /= iterator->shape[dim];
    }
}

static bool is_dense(const kael_loop *loop, int operands) {
    for (int k = 0; k < operands; ++k) {
        if (loop->outer_strides[k] != loop->inner * loop->inner_strides[k]) {
            return false;
        }
    }
    return true;
}

static void call(const walk_plan *walk, kael_loop *loop) {
    if (loop->outer > 1 && is_dense(loop, walk->iterator->operands)) {
        loop->inner *= loop->outer;
        loop->outer = 1;
    }
    walk->kernel(loop, walk->parameters);
}

static void set_loop(const kael_iterator *iterator, const walk_position *position,
                     kael_loop *loop) {
    for (int k = 0; k < iterator->operands; ++k) {
        loop->data[k] = position->data[k];
        loop->inner_strides[k] = iterator->strides[k][0];
        loop->outer_strides[k] = iterator->ndim > 1 ? iterator->strides[k][1] : 0;
    }
}

static kael_status walk_rows(int64_t first, int64_t last, void *context) {
    const walk_plan *walk = context;
    const kael_iterator *iterator = walk->iterator;
    const int64_t row_length = iterator->shape[0];
    walk_position position;
    start_at(iterator, &position);
    jump(iterator, &position, 0, first);
    while (first < last) {
        const int64_t left = last - first;
        kael_loop loop;
        loop.outer = 1;
        if (position.indices[0] > 0 || left < row_length || iterator->ndim == 1) {
            loop.inner = kael_min(row_length - position.indices[0], left);
        } else {
            loop.inner = row_length;
            loop.outer = kael_min(iterator->shape[1] - position.indices[1], left / row_length);
        }
        first += loop.inner * loop.outer;
        set_loop(iterator, &position, &loop);
        if (loop.inner < row_length) {
            advance(iterator, &position, 0, loop.inner);
        } else if (iterator->ndim > 1) {
            advance(iterator, &position, 1, loop.outer);
        }
        call(walk, &loop);
    }
    return KAEL_OK;
}

typedef union tile_buffer {
    alignas(64) char bytes[TILE_BYTES];
} tile_buffer;

static int size_index(int64_t element_size) {
    return __builtin_ctzll((unsigned long long)element_size);
}

/* Copies one operand's part of the loop into the buffer, or back from it. */
static void copy_tile(const walk_plan *walk, const kael_loop *loop, int operand,
                      tile_buffer *buffer, bool back) {
    const int64_t size = walk->iterator->element_sizes[operand];
    const int in = back ? 0 : 1;
    kael_loop copy = {.inner = loop->inner, .outer = loop->outer};
    copy.data[in] = loop->data[operand];
    copy.inner_strides[in] = loop->inner_strides[operand];
    copy.outer_strides[in] = loop->outer_strides[operand];
    copy.data[1 - in] = buffer->bytes;
    copy.inner_strides[1 - in] = size;
    copy.outer_strides[1 - in] = size * loop->inner;
    walk->copy[size_index(size)](&copy, NULL);
}

static void call_packed(const walk_plan *walk, const kael_loop *loop) {
    const kael_iterator *iterator = walk->iterator;
    tile_buffer buffers[KAEL_MAX_OPERANDS];
    kael_loop packed = *loop;
    for (int k = 0; k < iterator->operands; ++k) {
        if (walk->packed[k]) {
            packed.data[k] = buffers[k].bytes;
            packed.inner_strides[k] = iterator->element_sizes[k];
            packed.outer_strides[k] = iterator->element_sizes[k] * loop->inner;
            if (k > 0) {
                copy_tile(walk, loop, k, &buffers[k], false);
            }
        }
    }
    call(walk, &packed);
    if (walk->packed[0]) {
        copy_tile(walk, loop, 0, &buffers[0], true);
    }
}

/* Tiles are numbered along dimension 1, then dimension 0, then the others: transposed operands are
 * read forwards. */
static kael_status walk_tiles(int64_t first, int64_t last, void *context) {
    const walk_plan *walk = context;
    const kael_iterator *iterator = walk->iterator;
    const int64_t shape1 = iterator->ndim > 1 ? iterator->shape[1] : 1;
    for (int64_t index = first; index < last; ++index) {
        const int64_t begin1 = index % walk->tiles[1] * walk->tile[1];
        const int64_t begin0 = index / walk->tiles[1] % walk->tiles[0] * walk->tile[0];
        walk_position position;
        start_at(iterator, &position);
        jump(iterator, &position, 2, index / (walk->tiles[0] * walk->tiles[1]));
        step(iterator, &position, 0, begin0);
        if (iterator->ndim > 1) {
            step(iterator, &position, 1, begin1);
        }
        kael_loop loop;
        loop.inner = kael_min(walk->tile[0], iterator->shape[0] - begin0);
        loop.outer = kael_min(walk->tile[1], shape1 - begin1);
        set_loop(iterator, &position, &loop);
        if (walk->copy != NULL) {
            call_packed(walk, &loop);
        } else {
            call(walk, &loop);
        }
    }
    return KAEL_OK;
}

static void choose_tile(walk_plan *walk) {
    const kael_iterator *iterator = walk->iterator;
    int64_t size = 1;
    for (int k = 0; k < iterator->operands; ++k) {
        size = kael_max(size, iterator->element_sizes[k]);
    }
    const int64_t room = TILE_BYTES / size;
    const int64_t shape1 = iterator->ndim > 1 ? iterator->shape[1] : 1;
    int64_t inner = iterator->is_transposed ? TRANSPOSED_TILE : room;
    if (iterator->is_transposed && shape1 < room / inner) {
        inner = room / shape1;
    }
    walk->tile[0] = kael_min(inner, iterator->shape[0]);
    walk->tile[1] = kael_min(room / walk->tile[0], shape1);
    walk->tiles[0] = kael_ceil_div(iterator->shape[0], walk->tile[0]);
    walk->tiles[1] = kael_ceil_div(shape1, walk->tile[1]);
}

static kael_status run_tiles(walk_plan *walk, int64_t grain) {
    const kael_iterator *iterator = walk->iterator;
    choose_tile(walk);
    const int64_t shape1 = iterator->ndim > 1 ? iterator->shape[1] : 1;
    const int64_t planes = iterator->numel / (iterator->shape[0] * shape1);
    return kael_parallel_for(0, planes * walk->tiles[0] * walk->tiles[1],
                             kael_max(1, grain / (walk->tile[0] * walk->tile[1])), walk_tiles,
                             walk);
}

/* Whether a kernel cannot take the operand as it is. */
static bool needs_packing(const kael_iterator *iterator, int operand) {
    const int64_t stride = iterator->strides[operand][0];
    return stride != iterator->element_sizes[operand] && (stride != 0 || operand == 0);
}

kael_status kael_iterator_run(const kael_iterator *iterator, int64_t grain,
                              kael_loop_kernel *kernel, const void *parameters) {
    if (iterator->numel == 0) {
        return KAEL_OK;
    }
    walk_plan walk = {.iterator = iterator, .kernel = kernel, .parameters = parameters};
    bool packs = false;
    for (int k = 0; k < iterator->operands; ++k) {
        walk.packed[k] = needs_packing(iterator, k);
        packs = packs || walk.packed[k];
    }
    if (!packs) {
        return kael_parallel_for(0, iterator->numel, grain, walk_rows, &walk);
    }
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    walk.copy = kernels->copy->copy;
    return run_tiles(&walk, grain);
}

kael_status kael_iterator_run_strided(const kael_iterator *iterator, int64_t grain,
                                      kael_loop_kernel *kernel, const void *parameters) {
    if (iterator->numel == 0) {
        return KAEL_OK;
    }
    walk_plan walk = {.iterator = iterator, .kernel = kernel, .parameters = parameters};
    return iterator->is_transposed ? run_tiles(&walk, grain)
                                   : kael_parallel_for(0, iterator->numel, grain, walk_rows, &walk);
}
