#include "ops/reduction.h"

#include <stddef.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "memory/block.h"
#include "ops/reduce_panels.h"
#include "tensor/tensor.h"

enum {
    BLOCK = KAEL_REDUCE_BLOCK,
    WIDTH = KAEL_REDUCE_WIDTH,
    BLOCKS_AT_ONCE = 4, /* of one output, so that their steps overlap */
    FEWEST_ROWS = 4,    /* for the same reason */
    MOST_ROWS = 64,
    MOST_DIRECT = 4 * BLOCK, /* elements of rows at once: they stay in the second cache */
    MOST_PACKED_ROWS = 8,    /* so that runs of some length are copied */
    FEWEST_COLUMNS = 128,
    COLUMN_TILES = 8,
    /* Reading an element costs less than this part of what the grain of elementwise loops is made
     * for, and there is no output to share. */
    GRAIN = KAEL_ELEMENT_GRAIN / 8,
};

typedef struct reduce_job {
    const kael_reduction *reduction;
    const kael_reduce_plan *plan;
    const kael_reduce_pass *pass; /* the current one, when outputs have several blocks */
    kael_panel_source source;
    const char *in;
    char *out;
    kael_dtype out_dtype;
    /* An item of the loop is `tile` neighbouring outputs by `group` blocks. */
    int64_t tile;
    int64_t tiles; /* along the last kept dimension */
    int64_t width; /* up to which neighbouring tiles of columns become one */
    int64_t outers;
    int64_t blocks;
    int64_t group;
    int64_t groups;
    bool is_settled;    /* of one output: whether the blocks that are left cannot change it */
    double *parameters; /* of all outputs */
    char *totals;       /* of all outputs, for every block */
} reduce_job;

typedef struct reduce_item {
    kael_panel_outputs outputs;
    char *out;
    int64_t out_stride;
    int64_t output; /* the first one's number */
    int64_t block;
    int64_t blocks;
} reduce_item;

static reduce_item item_at(const reduce_job *job, int64_t index) {
    const kael_reduce_plan *plan = job->plan;
    const int last = plan->kept_ndim - 1;
    int64_t group;
    int64_t tile;
    if (plan->layout == KAEL_PANEL_ROWS) {
        group = index % job->groups;
        index /= job->groups;
        tile = index % job->tiles;
        index /= job->tiles;
    } else {
        tile = index % job->tiles;
        index /= job->tiles;
        group = index % job->groups;
        index /= job->groups;
    }
    const int64_t column = tile * job->tile;
    int64_t in = plan->in_offset + column * plan->kept[last].in_stride;
    int64_t out = plan->out_offset + column * plan->kept[last].out_stride;
    int64_t outer = index;
    for (int d = last - 1; d >= 0; --d) {
        const int64_t at = outer % plan->kept[d].size;
        outer /= plan->kept[d].size;
        in += at * plan->kept[d].in_stride;
        out += at * plan->kept[d].out_stride;
    }
    return (reduce_item){
        .outputs = {.data = job->in + in * job->source.in_size,
                    .width = kael_min_i64(job->tile, plan->kept[last].size - column),
                    .stride = plan->kept[last].in_stride},
        .out = job->out + out * kael_dtype_size(job->out_dtype),
        .out_stride = plan->kept[last].out_stride,
        .output = index * plan->kept[last].size + column,
        .block = group * job->group,
        .blocks = kael_min_i64(job->group, job->blocks - group * job->group),
    };
}

/* The item at `*index`, and of columns the following ones that lie beside it, as one; moves on to
 * the next. */
static reduce_item next_item(const reduce_job *job, int64_t *index, int64_t last) {
    reduce_item item = item_at(job, (*index)++);
    while (*index < last && *index % job->tiles != 0 &&
           item.outputs.width + job->tile <= job->width) {
        item.outputs.width += item_at(job, (*index)++).outputs.width;
    }
    return item;
}

/* Writes the last pass's totals to neighbouring outputs. */
static void store(const reduce_job *job, const reduce_item *item, const char *totals,
                  const kael_reducer *reducer) {
    const kael_copy_kernels *copies = job->source.copies;
    const kael_dtype total_dtype = job->reduction->total_dtype;
    const int64_t size = kael_dtype_size(job->out_dtype);
    char converted[WIDTH * 8];
    kael_loop loop = {
        .inner = item->outputs.width,
        .outer = 1,
        .data = {converted, (char *)(uintptr_t)totals},
        .inner_strides = {size, reducer->total_size},
    };
    if (job->out_dtype != total_dtype) {
        copies->convert[job->out_dtype][total_dtype](&loop, NULL);
        loop.data[1] = converted;
        loop.inner_strides[1] = size;
    }
    if (reducer->has_index) {
        loop.data[1] += offsetof(kael_arg_total, index);
    }
    loop.data[0] = item->out;
    loop.inner_strides[0] = item->out_stride * size;
    copies->copy[__builtin_ctzll((unsigned long long)size)](&loop, NULL);
}

/* Turns a reducer's totals into the pass's, which `parameters` keeps for the next one. Returns
 * whether it was the last. */
static bool finish_pass(const kael_reduction *reduction, int number, int64_t width,
                        double *parameters, void *totals) {
    const kael_reduce_pass *pass = &reduction->passes[number];
    const bool is_last = number + 1 == reduction->pass_count ||
                         (pass->suffices != NULL && pass->suffices(width, totals));
    if (pass->finish != NULL) {
        pass->finish(reduction, width, parameters, totals);
    }
    if (!is_last) {
        memcpy(parameters, totals, (size_t)width * sizeof *parameters);
    }
    return is_last;
}

/* All passes over outputs of one block each, whose elements stay in a cache in between. */
static kael_status reduce_outputs(int64_t first, int64_t last, void *context) {
    const reduce_job *job = context;
    const kael_reduction *reduction = job->reduction;
    _Alignas(64) char totals[WIDTH * KAEL_REDUCE_TOTAL_SIZE];
    double parameters[WIDTH];
    while (first < last) {
        const reduce_item item = next_item(job, &first, last);
        int number = 0;
        do {
            kael_panels_reduce(&job->source, &reduction->passes[number], &item.outputs, 0,
                               job->plan->count, parameters, totals);
        } while (!finish_pass(reduction, number++, item.outputs.width, parameters, totals));
        store(job, &item, totals, reduction->passes[number - 1].reducer);
    }
    return KAEL_OK;
}

/* One pass over several whole blocks of one output, side by side as if of several outputs. */
static void reduce_group(const reduce_job *job, const reduce_item *item) {
    _Alignas(64) char totals[BLOCKS_AT_ONCE * KAEL_REDUCE_TOTAL_SIZE];
    double parameters[BLOCKS_AT_ONCE];
    const int64_t size = job->pass->reducer->total_size;
    for (int64_t b = 0; b < item->blocks; ++b) {
        parameters[b] = job->parameters[item->output];
    }
    const kael_panel_outputs blocks = {
        .data = item->outputs.data + item->block * BLOCK * job->source.in_size,
        .width = item->blocks,
        .stride = BLOCK,
    };
    kael_panels_reduce(&job->source, job->pass, &blocks, 0, BLOCK, parameters, totals);
    for (int64_t b = 0; b < item->blocks; ++b) {
        if (job->pass->reducer->has_index) {
            ((kael_arg_total *)(void *)totals)[b].index += (item->block + b) * BLOCK;
        }
        memcpy(job->totals + ((item->block + b) * job->plan->outputs + item->output) * size,
               totals + b * size, (size_t)size);
    }
}

/* Leaves the blocks out and says that they hold nothing. */
static void skip_blocks(const reduce_job *job, const reduce_item *item) {
    const kael_reducer *reducer = job->pass->reducer;
    const kael_panel nothing = {.width = 1};
    for (int64_t b = item->block; b < item->block + item->blocks; ++b) {
        reducer->end[KAEL_PANEL_ROWS](&nothing, NULL, job->totals + b * reducer->total_size);
    }
}

/* Threads may learn late of what others have found, which costs time but changes nothing. */
static void note_settled(reduce_job *job, const reduce_item *item) {
    const kael_reducer *reducer = job->pass->reducer;
    for (int64_t b = item->block; b < item->block + item->blocks; ++b) {
        if (reducer->is_settled(job->totals + b * reducer->total_size)) {
            __atomic_store_n(&job->is_settled, true, __ATOMIC_RELAXED);
        }
    }
}

/* One pass over blocks of outputs. */
static kael_status reduce_blocks(int64_t first, int64_t last, void *context) {
    reduce_job *job = context;
    const int64_t size = job->pass->reducer->total_size;
    const bool may_settle = job->pass->reducer->is_settled != NULL && job->plan->outputs == 1;
    while (first < last) {
        const reduce_item item = next_item(job, &first, last);
        if (may_settle && __atomic_load_n(&job->is_settled, __ATOMIC_RELAXED)) {
            skip_blocks(job, &item);
            continue;
        }
        const int64_t whole = job->plan->count / BLOCK - item.block;
        if (job->group > 1 && item.blocks > 1 && whole >= item.blocks) {
            reduce_group(job, &item);
        } else {
            for (int64_t b = item.block; b < item.block + item.blocks; ++b) {
                kael_panels_reduce(&job->source, job->pass, &item.outputs, b * BLOCK,
                                   kael_min_i64(BLOCK, job->plan->count - b * BLOCK),
                                   job->parameters + item.output,
                                   job->totals + (b * job->plan->outputs + item.output) * size);
            }
        }
        if (may_settle) {
            note_settled(job, &item);
        }
    }
    return KAEL_OK;
}

/* Joins neighbouring blocks in pairs, an odd last one carried, until the first holds the total. */
static void join_blocks(const kael_reducer *reducer, char *totals, int64_t blocks,
                        int64_t outputs) {
    const int64_t size = outputs * reducer->total_size;
    for (; blocks > 1; blocks = kael_ceil_div(blocks, 2)) {
        for (int64_t pair = 0; pair < blocks / 2; ++pair) {
            reducer->join(outputs, totals + 2 * pair * size, totals + (2 * pair + 1) * size);
            memmove(totals + pair * size, totals + 2 * pair * size, (size_t)size);
        }
        if (blocks % 2 == 1) {
            memmove(totals + blocks / 2 * size, totals + (blocks - 1) * size, (size_t)size);
        }
    }
}

static kael_status reduce_passes(reduce_job *job, int64_t items, int64_t grain) {
    const kael_reduction *reduction = job->reduction;
    int number = 0;
    do {
        job->pass = &reduction->passes[number];
        KAEL_TRY(kael_parallel_for(0, items, grain, reduce_blocks, job));
        join_blocks(job->pass->reducer, job->totals, job->blocks, job->plan->outputs);
    } while (!finish_pass(reduction, number++, job->plan->outputs, job->parameters, job->totals));
    job->group = job->blocks;
    job->groups = 1;
    const int64_t size = job->pass->reducer->total_size;
    for (int64_t index = 0; index < job->outers * job->tiles; ++index) {
        const reduce_item item = item_at(job, index);
        store(job, &item, job->totals + item.output * size, job->pass->reducer);
    }
    return KAEL_OK;
}

/* Memory for the totals of all blocks, of any pass, and for parameters. */
static kael_status allocate_totals(kael_block *block, int64_t *parameter_bytes,
                                   const reduce_job *job) {
    int64_t size = 0;
    for (int p = 0; p < job->reduction->pass_count; ++p) {
        size = kael_max_i64(size, job->reduction->passes[p].reducer->total_size);
    }
    *parameter_bytes = kael_round_up(job->plan->outputs * (int64_t)sizeof(double), 64);
    return kael_block_allocate(block, *parameter_bytes + job->blocks * job->plan->outputs * size);
}

static bool is_direct(const reduce_job *job) {
    bool all = true;
    for (int p = 0; p < job->reduction->pass_count; ++p) {
        all &= kael_panels_are_direct(&job->source, &job->reduction->passes[p]);
    }
    return all;
}

/* Columns enough for memory to be read in long runs, but several tiles where possible. */
static int64_t column_tile(int64_t columns) {
    int64_t tile = FEWEST_COLUMNS;
    while (tile < WIDTH && tile * 2 * COLUMN_TILES <= columns) {
        tile *= 2;
    }
    return tile;
}

static void divide_outputs(reduce_job *job) {
    const kael_reduce_plan *plan = job->plan;
    const int64_t last = plan->kept[plan->kept_ndim - 1].size;
    const bool direct = is_direct(job);
    job->blocks = kael_ceil_div(plan->count, BLOCK);
    job->group = 1;
    job->width = 0;
    if (plan->layout == KAEL_PANEL_COLUMNS) {
        job->width = direct ? WIDTH : KAEL_PACKED_WIDTH;
        job->tile = kael_min_i64(job->width, column_tile(last));
    } else if (job->blocks > 1 && direct && plan->reduced_ndim == 1) {
        job->tile = 1;
        job->group = BLOCKS_AT_ONCE;
    } else {
        job->tile =
            kael_max_i64(FEWEST_ROWS, direct ? kael_min_i64(MOST_ROWS, MOST_DIRECT / plan->count)
                                             : kael_min_i64(MOST_PACKED_ROWS, BLOCK / plan->count));
    }
    job->groups = kael_ceil_div(job->blocks, job->group);
    job->tiles = kael_ceil_div(last, job->tile);
    job->outers = plan->outputs / last;
}

kael_status kael_reduction_run(const kael_reduction *reduction, const kael_reduce_plan *plan,
                               kael_tensor *out, const kael_tensor *tensor) {
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    reduce_job job = {
        .reduction = reduction,
        .plan = plan,
        .source = {.plan = plan,
                   .in_dtype = tensor->dtype,
                   .panel_dtype = reduction->panel_dtype,
                   .in_size = kael_dtype_size(tensor->dtype),
                   .copies = kernels->copy},
        .in = tensor->data,
        .out = out->data,
        .out_dtype = out->dtype,
    };
    divide_outputs(&job);
    const int64_t items = job.outers * job.tiles * job.groups;
    const int64_t item_elements =
        kael_min_i64(job.tile, plan->outputs) * kael_min_i64(plan->count, job.group * BLOCK);
    const int64_t grain = kael_max_i64(1, GRAIN / item_elements);
    if (job.blocks == 1) {
        return kael_parallel_for(0, items, grain, reduce_outputs, &job);
    }
    kael_block block;
    int64_t parameter_bytes;
    KAEL_TRY(allocate_totals(&block, &parameter_bytes, &job));
    job.parameters = block.data;
    job.totals = (char *)block.data + parameter_bytes;
    const kael_status status = reduce_passes(&job, items, grain);
    kael_block_release(&block);
    return status;
}
