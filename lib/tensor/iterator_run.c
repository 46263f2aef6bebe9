/* Running kernels along an iterator. */
#include <stdalign.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/cache.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kernels/copy.h"
#include "tensor/iterator.h"

/* Dense copies of tiles: one of ARENA_BYTES / 2, or several that share the arena; they stay in the
 * first caches. */
#define ARENA_BYTES 65536

/* Elements along dimension 0 in tiles of transposed operands: long enough to write an output in
 * runs, and few enough to read some cache lines of each row of the operand. */
#define TRANSPOSED_TILE 256

/* A kernel with its parameters, on its way through the parallel loop. */
typedef struct walk_plan {
    const kael_iterator *iterator;
    kael_loop_kernel *kernel;
    const void *parameters;
    void (*finish)(void); /* called at the end of every chunk, unless NULL */
    /* Of walks in tiles: */
    kael_loop_kernel *const *pack;   /* by the logarithm of the element size */
    kael_loop_kernel *const *unpack; /* the same for the output */
    int64_t tile[2];                 /* elements along dimensions 0 and 1 */
    int64_t tiles[2];
    bool is_packed[KAEL_MAX_OPERANDS];
    int64_t arena_offsets[KAEL_MAX_OPERANDS];
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

static void start(const kael_iterator *iterator, walk_position *position) {
    position->indices[1] = 0;
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

static void set_loop(const kael_iterator *iterator, const walk_position *position,
                     kael_loop *loop) {
    for (int k = 0; k < iterator->operands; ++k) {
        loop->data[k] = position->data[k];
        loop->inner_strides[k] = iterator->strides[k][0];
        loop->outer_strides[k] = iterator->strides[k][1];
    }
}

static bool is_one_run(const kael_loop *loop, int operands) {
    for (int k = 0; k < operands; ++k) {
        if (loop->outer_strides[k] != loop->inner * loop->inner_strides[k]) {
            return false;
        }
    }
    return true;
}

static void call(const walk_plan *walk, kael_loop *loop) {
    if (loop->outer > 1 && is_one_run(loop, walk->iterator->operands)) {
        loop->inner *= loop->outer;
        loop->outer = 1;
    }
    walk->kernel(loop, walk->parameters);
}

static void finish(const walk_plan *walk) {
    if (walk->finish != NULL) {
        walk->finish();
    }
}

/* The elements [first, last) in the order of the dimensions: the rest of a row, whole rows up to
 * the end of a plane, and so on. */
static kael_status walk_rows(int64_t first, int64_t last, void *context) {
    const walk_plan *walk = context;
    const kael_iterator *iterator = walk->iterator;
    const int64_t row_length = iterator->shape[0];
    walk_position position = {0};
    start(iterator, &position);
    jump(iterator, &position, 0, first);
    while (first < last) {
        const int64_t left = last - first;
        kael_loop loop = {0};
        loop.inner = kael_min_i64(row_length - position.indices[0], left);
        loop.outer = 1;
        if (loop.inner == row_length) {
            loop.outer = kael_min_i64(iterator->shape[1] - position.indices[1], left / row_length);
        }
        set_loop(iterator, &position, &loop);
        first += loop.inner * loop.outer;
        if (loop.inner < row_length) {
            advance(iterator, &position, 0, loop.inner);
        } else {
            advance(iterator, &position, 1, loop.outer);
        }
        call(walk, &loop);
    }
    finish(walk);
    return KAEL_OK;
}

static int size_index(int64_t element_size) {
    return __builtin_ctzll((unsigned long long)element_size);
}

/* A loop that copies operand `from` of one loop to operand `to` of another one of the same size. */
static kael_loop copying_loop(const kael_loop *out, int to, const kael_loop *in, int from) {
    kael_loop copy = {0};
    copy.inner = out->inner;
    copy.outer = out->outer;
    copy.data[0] = out->data[to];
    copy.inner_strides[0] = out->inner_strides[to];
    copy.outer_strides[0] = out->outer_strides[to];
    copy.data[1] = in->data[from];
    copy.inner_strides[1] = in->inner_strides[from];
    copy.outer_strides[1] = in->outer_strides[from];
    return copy;
}

static void call_packed(const walk_plan *walk, const kael_loop *loop, char *arena) {
    const kael_iterator *iterator = walk->iterator;
    kael_loop packed = *loop;
    for (int k = 0; k < iterator->operands; ++k) {
        if (walk->is_packed[k]) {
            const int64_t size = iterator->element_sizes[k];
            packed.data[k] = arena + walk->arena_offsets[k];
            packed.inner_strides[k] = size;
            packed.outer_strides[k] = size * loop->inner;
        }
        if (walk->is_packed[k] && k > 0) {
            const kael_loop copy = copying_loop(&packed, k, loop, k);
            walk->pack[size_index(iterator->element_sizes[k])](&copy, NULL);
        }
    }
    kael_loop called = packed;
    call(walk, &called);
    if (walk->is_packed[0]) {
        const kael_loop copy = copying_loop(loop, 0, &packed, 0);
        walk->unpack[size_index(iterator->element_sizes[0])](&copy, NULL);
    }
}

static void next_tile(const kael_iterator *iterator, walk_position *position,
                      const kael_loop *loop) {
    step(iterator, position, 1, loop->outer);
    if (position->indices[1] == iterator->shape[1]) {
        step(iterator, position, 1, -iterator->shape[1]);
        step(iterator, position, 0, loop->inner);
    }
    if (position->indices[0] == iterator->shape[0] && iterator->ndim > 2) {
        step(iterator, position, 0, -iterator->shape[0]);
        advance(iterator, position, 2, 1);
    }
}

/* Tiles are numbered along dimension 1, then dimension 0, then the others, so that transposed
 * operands are read forwards. */
static kael_status walk_tiles(int64_t first, int64_t last, void *context) {
    const walk_plan *walk = context;
    const kael_iterator *iterator = walk->iterator;
    alignas(64) char arena[ARENA_BYTES];
    walk_position position = {0};
    start(iterator, &position);
    step(iterator, &position, 1, first % walk->tiles[1] * walk->tile[1]);
    step(iterator, &position, 0, first / walk->tiles[1] % walk->tiles[0] * walk->tile[0]);
    jump(iterator, &position, 2, first / (walk->tiles[1] * walk->tiles[0]));
    for (int64_t index = first; index < last; ++index) {
        kael_loop loop = {0};
        loop.inner = kael_min_i64(walk->tile[0], iterator->shape[0] - position.indices[0]);
        loop.outer = kael_min_i64(walk->tile[1], iterator->shape[1] - position.indices[1]);
        set_loop(iterator, &position, &loop);
        call_packed(walk, &loop, arena);
        next_tile(iterator, &position, &loop);
    }
    finish(walk);
    return KAEL_OK;
}

/* Lays the dense copies out in the arena; returns the room of each in elements. */
static int64_t share_arena(walk_plan *walk) {
    const kael_iterator *iterator = walk->iterator;
    int64_t packed = 0;
    int64_t largest_size = 1;
    for (int k = 0; k < iterator->operands; ++k) {
        walk->arena_offsets[k] = packed;
        if (walk->is_packed[k]) {
            largest_size = kael_max_i64(largest_size, iterator->element_sizes[k]);
            ++packed;
        }
    }
    const int64_t share = ARENA_BYTES / kael_max_i64(2, packed) & -64;
    for (int k = 0; k < iterator->operands; ++k) {
        walk->arena_offsets[k] *= share;
    }
    return share / largest_size;
}

static void choose_tile(walk_plan *walk, int64_t room) {
    const int64_t *shape = walk->iterator->shape;
    int64_t inner = room;
    if (walk->iterator->is_transposed) {
        inner = kael_max_i64(kael_min_i64(room, TRANSPOSED_TILE), room / shape[1]);
    }
    walk->tile[0] = kael_min_i64(inner, shape[0]);
    walk->tile[1] = kael_min_i64(room / walk->tile[0], shape[1]);
    walk->tiles[0] = kael_ceil_div(shape[0], walk->tile[0]);
    walk->tiles[1] = kael_ceil_div(shape[1], walk->tile[1]);
}

static kael_status run_tiles(walk_plan *walk, int64_t grain) {
    const kael_iterator *iterator = walk->iterator;
    choose_tile(walk, share_arena(walk));
    const int64_t planes = iterator->numel / (iterator->shape[0] * iterator->shape[1]);
    const int64_t tile_numel = walk->tile[0] * walk->tile[1];
    return kael_parallel_for(0, planes * walk->tiles[0] * walk->tiles[1],
                             kael_max_i64(1, grain / tile_numel), walk_tiles, walk);
}

/* The bytes of an operand's elements; broadcast dimensions do not count. */
static int64_t bytes_of(const kael_iterator *iterator, int operand) {
    int64_t bytes = iterator->element_sizes[operand];
    for (int i = 0; i < iterator->ndim; ++i) {
        bytes *= iterator->strides[operand][i] == 0 ? 1 : iterator->shape[i];
    }
    return bytes;
}

static bool is_dense(const kael_iterator *iterator, int operand) {
    return iterator->strides[operand][0] == iterator->element_sizes[operand];
}

bool kael_iterator_should_stream(const kael_iterator *iterator) {
    const int64_t size = iterator->element_sizes[0];
    if (iterator->numel == 0 || !is_dense(iterator, 0) ||
        (uintptr_t)iterator->data[0] % (uintptr_t)size != 0) {
        return false;
    }
    int64_t bytes = 0;
    for (int k = 0; k < iterator->operands; ++k) {
        bytes += bytes_of(iterator, k);
        if (k > 0 && iterator->data[k] == iterator->data[0]) {
            return false;
        }
    }
    return bytes >= kael_streaming_threshold();
}

kael_status kael_iterator_run(const kael_iterator *iterator, int64_t grain,
                              kael_loop_kernel *kernel, const void *parameters) {
    if (iterator->numel == 0) {
        return KAEL_OK;
    }
    walk_plan walk = {.iterator = iterator, .kernel = kernel, .parameters = parameters};
    /* Kernels write dense outputs fastest themselves; it is the short runs of transposed tiles that
     * caches handle badly. */
    const bool streams = iterator->is_transposed && !iterator->kernel_streams &&
                         kael_iterator_should_stream(iterator);
    walk.is_packed[0] = streams || !is_dense(iterator, 0);
    bool packs = walk.is_packed[0];
    for (int k = 1; k < iterator->operands; ++k) {
        walk.is_packed[k] = !is_dense(iterator, k) && iterator->strides[k][0] != 0;
        packs = packs || walk.is_packed[k];
    }
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    if (streams || iterator->kernel_streams) {
        walk.finish = kernels->copy->finish_streams;
    }
    if (!packs) {
        return kael_parallel_for(0, iterator->numel, grain, walk_rows, &walk);
    }
    walk.pack = kernels->copy->copy;
    walk.unpack = streams ? kernels->copy->stream : kernels->copy->copy;
    return run_tiles(&walk, grain);
}

kael_status kael_iterator_run_strided(const kael_iterator *iterator, int64_t grain,
                                      kael_loop_kernel *kernel, const void *parameters) {
    walk_plan walk = {.iterator = iterator, .kernel = kernel, .parameters = parameters};
    return kael_parallel_for(0, iterator->numel, grain, walk_rows, &walk);
}

kael_status kael_iterator_copy(const kael_iterator *iterator, int64_t grain) {
    if (iterator->numel == 0) {
        return KAEL_OK;
    }
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const int index = size_index(iterator->element_sizes[0]);
    /* Rows of transposed tiles are best written whole, from a dense copy. */
    if (iterator->is_transposed) {
        return kael_iterator_run(iterator, grain, kernels->copy->copy[index], NULL);
    }
    const bool streams = is_dense(iterator, 1) && kael_iterator_should_stream(iterator);
    walk_plan walk = {.iterator = iterator};
    walk.kernel = streams ? kernels->copy->stream[index] : kernels->copy->copy[index];
    walk.finish = streams ? kernels->copy->finish_streams : NULL;
    return kael_parallel_for(0, iterator->numel, grain, walk_rows, &walk);
}
