/* The packed loop nest, the same for every kernel. For some columns of b and a block of the inner
 * size at a time, b is packed once for all threads. Then every task takes a chunk of rows, whose
 * packed a stays in a core's second-level cache, and some panels of b; each tile of c takes the
 * chains of the block in order. */

#include <stdatomic.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/cache.h"
#include "kael/parallel.h"
#include "linalg/chains.h"
#include "linalg/convert.h"
#include "linalg/problem.h"
#include "memory/block.h"

/* Bytes of packed b at a time. */
#define PACKED_B_BYTES (INT64_C(32) << 20)
/* Elements of b that are worth packing by another thread, in no more than so many shares: panels
 * that are packed together read longer pieces of memory. Products that are worth other threads. */
#define PACKING_GRAIN INT64_C(65536)
#define PACKING_SHARES 16
#define THREADED_WORK (INT64_C(128) * 128 * 128)
/* Tasks of a large product, enough for many threads, as long as each has TASK_WORK products; the
 * rows are cut into ROW_CHUNKS at least if every chunk has CHUNK_PANELS panels. */
#define TASKS 64
#define TASK_WORK (INT64_C(1) << 18)
#define ROW_CHUNKS 8
#define CHUNK_PANELS 4
/* The largest tile, in bytes, that is computed aside because c has no unit stride. */
#define ASIDE_BYTES 8192

/* A thread's packed rows. Tasks of the same rows find them packed when the thread goes on. */
typedef struct row_slot {
    atomic_flag busy;
    int64_t chunk; /* -1: none */
    char *panels;
    char *converted; /* room for a panel of either operand before it is packed */
} row_slot;

typedef struct loop_nest {
    const kael_product *product;
    const kael_gemm_kernel *kernel;
    int64_t threads;
    int64_t step;
    int64_t block_start; /* the block of the inner size at hand, and its chains */
    kael_gemm_chains chains;
    int64_t steps;
    int64_t a_panel_bytes;
    int64_t b_panel_bytes;
    int64_t first_column; /* the columns at hand */
    int64_t columns;
    int64_t most_columns; /* that fit */
    char *b_panels;
    int64_t row_chunks;
    int64_t column_parts;
    int64_t slot_count;
    row_slot *slots;
} loop_nest;

static int64_t row_panels(const loop_nest *nest) {
    return kael_ceil_div(nest->product->rows, nest->kernel->mr);
}

static int64_t column_panels(const loop_nest *nest) {
    return kael_ceil_div(nest->columns, nest->kernel->nr);
}

/* Where share `index` of `count` even shares begins. */
static int64_t share_start(int64_t total, int64_t index, int64_t count) {
    return index * total / count;
}

/* A panel of `steps`, one more step that kernels may read ahead, and padding to whole lines. */
static int64_t panel_size(const loop_nest *nest, int64_t width, int64_t steps) {
    return kael_round_up((steps + 1) * width * nest->kernel->element_size, KAEL_MEMORY_ALIGNMENT);
}

/* An operand and how its panels lie in memory. */
typedef struct packing {
    const kael_gemm_operand *operand;
    const kael_conversion *conversion;
    int64_t width;
    int64_t panel_bytes;
} packing;

static packing packing_of_a(const loop_nest *nest) {
    return (packing){&nest->product->a, nest->product->a_conversion, nest->kernel->mr,
                     nest->a_panel_bytes};
}

static packing packing_of_b(const loop_nest *nest) {
    return (packing){&nest->product->b, nest->product->b_conversion, nest->kernel->nr,
                     nest->b_panel_bytes};
}

static void pack(const loop_nest *nest, const packing *to, char *panels, char *converted,
                 int64_t first, int64_t count) {
    const int64_t size = nest->kernel->element_size;
    const int64_t stored_size = kael_stored_size(to->conversion, size);
    const kael_gemm_operand source =
        kael_operand_from(to->operand, stored_size, first, nest->block_start);
    if (to->conversion == NULL) {
        nest->kernel->pack(panels, to->panel_bytes / size, to->width, count, &source, &nest->chains,
                           nest->step);
        return;
    }
    for (int64_t done = 0; done < count; done += to->width) {
        const int64_t width = kael_min_i64(to->width, count - done);
        const kael_gemm_operand rest = kael_operand_from(&source, stored_size, done, 0);
        const kael_gemm_operand panel =
            kael_convert_operand(to->conversion, size, &rest, width, nest->steps,
                                 kael_operand_runs_along_indices(&rest), converted);
        nest->kernel->pack(panels, to->panel_bytes / size, to->width, width, &panel, &nest->chains,
                           nest->step);
        panels += to->panel_bytes;
    }
}

/* A tile of c that has no unit column stride is computed in a copy. */
static void run_aside(const loop_nest *nest, const kael_gemm_chains *chains, const void *a,
                      const void *b, const void *next, char *c, const kael_gemm_tile *tile) {
    _Alignas(KAEL_MEMORY_ALIGNMENT) char copy[ASIDE_BYTES];
    const int64_t size = nest->kernel->element_size;
    const int64_t row_bytes = nest->product->c_row_stride * size;
    const int64_t column_bytes = nest->product->c_column_stride * size;
    const kael_gemm_tile aside = {copy, nest->kernel->nr, tile->rows, tile->columns};
    for (int64_t i = 0; i < tile->rows; ++i) {
        for (int64_t j = 0; j < tile->columns; ++j) {
            memcpy(copy + (i * aside.row_stride + j) * size, c + i * row_bytes + j * column_bytes,
                   (size_t)size);
        }
    }
    nest->kernel->packed(chains, a, b, nest->product->alpha, next, &aside);
    for (int64_t i = 0; i < tile->rows; ++i) {
        for (int64_t j = 0; j < tile->columns; ++j) {
            memcpy(c + i * row_bytes + j * column_bytes, copy + (i * aside.row_stride + j) * size,
                   (size_t)size);
        }
    }
}

/* The rows of a slot times one panel of b: as many chains at a time as the kernel likes, while the
 * next part of the panel is on its way into the second-level cache. */
static void run_chains(const loop_nest *nest, const row_slot *slot, int64_t b_panel,
                       const kael_gemm_chains *chains, int64_t steps_before) {
    const kael_gemm_kernel *kernel = nest->kernel;
    const kael_product *product = nest->product;
    const int64_t size = kernel->element_size;
    const int64_t steps = kael_steps_before(chains, chains->count);
    const int64_t part_bytes = steps * kernel->nr * size;
    const int64_t column = b_panel * kernel->nr;
    const int64_t first = share_start(row_panels(nest), slot->chunk, nest->row_chunks) * kernel->mr;
    const int64_t last =
        kael_min_i64(share_start(row_panels(nest), slot->chunk + 1, nest->row_chunks) * kernel->mr,
                     product->rows);
    const char *a = slot->panels + steps_before * kernel->mr * size;
    const char *b =
        nest->b_panels + b_panel * nest->b_panel_bytes + steps_before * kernel->nr * size;
    const char *ahead = b + part_bytes;
    const char *ahead_end = b + 2 * part_bytes;
    char *c = kael_product_c_at(product, size, first, nest->first_column + column);
    kael_gemm_tile tile = {
        .row_stride = product->c_row_stride,
        .columns = kael_min_i64(kernel->nr, nest->columns - column),
    };
    for (int64_t row = first; row < last; row += kernel->mr) {
        const char *next = ahead < ahead_end ? ahead : b;
        tile.data = c;
        tile.rows = kael_min_i64(kernel->mr, last - row);
        if (product->c_column_stride == 1) {
            kernel->packed(chains, a, b, product->alpha, next, &tile);
        } else {
            run_aside(nest, chains, a, b, next, c, &tile);
        }
        a += nest->a_panel_bytes;
        c += kernel->mr * product->c_row_stride * size;
        ahead += steps * KAEL_MEMORY_ALIGNMENT;
    }
}

static void run_panel(const loop_nest *nest, const row_slot *slot, int64_t b_panel) {
    const kael_gemm_chains *all = &nest->chains;
    const int64_t group = kael_max_i64(1, nest->kernel->kc / kael_max_i64(1, all->length));
    for (int64_t chain = 0; chain < all->count; chain += group) {
        const kael_gemm_chains chains =
            kael_some_chains(all, chain, kael_min_i64(group, all->count - chain));
        run_chains(nest, slot, b_panel, &chains, kael_steps_before(all, chain));
    }
}

/* A free slot, one that holds the chunk already if there is one. There are as many slots as
 * threads, so one is always free. */
static row_slot *take_slot(const loop_nest *nest, int64_t chunk) {
    for (;;) {
        row_slot *free_slot = NULL;
        for (int64_t i = 0; i < nest->slot_count; ++i) {
            row_slot *slot = &nest->slots[i];
            if (atomic_flag_test_and_set_explicit(&slot->busy, memory_order_acquire)) {
                continue;
            }
            if (free_slot != NULL) {
                atomic_flag_clear_explicit(&free_slot->busy, memory_order_release);
            }
            free_slot = slot;
            if (slot->chunk == chunk) {
                break;
            }
        }
        if (free_slot != NULL) {
            return free_slot;
        }
    }
}

static void release_slot(row_slot *slot) {
    atomic_flag_clear_explicit(&slot->busy, memory_order_release);
}

/* Packs the panels [first, last) of b. */
static kael_status pack_b(int64_t first, int64_t last, void *context) {
    const loop_nest *nest = context;
    const packing to = packing_of_b(nest);
    row_slot *slot = take_slot(nest, -1);
    pack(nest, &to, nest->b_panels + first * to.panel_bytes, slot->converted,
         nest->first_column + first * to.width,
         kael_min_i64(last * to.width, nest->columns) - first * to.width);
    release_slot(slot);
    return KAEL_OK;
}

static void fill_slot(const loop_nest *nest, row_slot *slot, int64_t chunk) {
    if (slot->chunk == chunk) {
        return;
    }
    const packing to = packing_of_a(nest);
    const int64_t first = share_start(row_panels(nest), chunk, nest->row_chunks) * to.width;
    const int64_t last = share_start(row_panels(nest), chunk + 1, nest->row_chunks) * to.width;
    pack(nest, &to, slot->panels, slot->converted, first,
         kael_min_i64(last, nest->product->rows) - first);
    slot->chunk = chunk;
}

/* Tasks of one chunk of rows follow each other. */
static kael_status run_tasks(int64_t first, int64_t last, void *context) {
    const loop_nest *nest = context;
    const int64_t panels = column_panels(nest);
    for (int64_t task = first; task < last; ++task) {
        const int64_t chunk = task / nest->column_parts;
        const int64_t part = task % nest->column_parts;
        row_slot *slot = take_slot(nest, chunk);
        fill_slot(nest, slot, chunk);
        const int64_t end = share_start(panels, part + 1, nest->column_parts);
        for (int64_t panel = share_start(panels, part, nest->column_parts); panel < end; ++panel) {
            run_panel(nest, slot, panel);
        }
        release_slot(slot);
    }
    return KAEL_OK;
}

/* The columns and the block at hand. */
static kael_status multiply_block(loop_nest *nest) {
    const int64_t work = nest->product->rows * nest->columns * nest->steps;
    const int64_t wanted =
        kael_min_i64(kael_ceil_div(TASKS, nest->row_chunks), work / TASK_WORK / nest->row_chunks);
    nest->column_parts = kael_max_i64(1, kael_min_i64(wanted, column_panels(nest)));
    for (int64_t i = 0; i < nest->slot_count; ++i) {
        nest->slots[i].chunk = -1;
    }
    const int64_t panels = column_panels(nest);
    const int64_t tasks = nest->row_chunks * nest->column_parts;
    if (nest->threads == 1 || work < THREADED_WORK) {
        KAEL_TRY(pack_b(0, panels, nest));
        return run_tasks(0, tasks, nest);
    }
    const int64_t grain =
        kael_max_i64(PACKING_GRAIN / (nest->steps * nest->kernel->nr), panels / PACKING_SHARES);
    KAEL_TRY(kael_parallel_for(0, panels, kael_max_i64(1, grain), pack_b, nest));
    return kael_parallel_for(0, tasks, 1, run_tasks, nest);
}

static kael_status multiply_columns(loop_nest *nest) {
    const int64_t inner = nest->product->inner;
    const int64_t block = kael_block_length(inner);
    for (int64_t start = 0; start < inner; start += block) {
        nest->block_start = start;
        nest->steps = kael_min_i64(block, inner - start);
        nest->chains = kael_block_chains(nest->steps, nest->step);
        nest->a_panel_bytes = panel_size(nest, nest->kernel->mr, nest->steps);
        nest->b_panel_bytes = panel_size(nest, nest->kernel->nr, nest->steps);
        KAEL_TRY(multiply_block(nest));
    }
    return KAEL_OK;
}

static kael_status multiply(loop_nest *nest) {
    const int64_t columns = nest->product->columns;
    KAEL_TRY(kael_product_scale_c(nest->product, nest->kernel->element_size, nest->threads));
    for (int64_t first = 0; first < columns; first += nest->most_columns) {
        nest->first_column = first;
        nest->columns = kael_min_i64(nest->most_columns, columns - first);
        KAEL_TRY(multiply_columns(nest));
    }
    return KAEL_OK;
}

/* Chunks of rows: at most what half of a second-level cache holds, evenly. */
static void plan_rows(loop_nest *nest, int64_t panel_bytes) {
    const int64_t panels = row_panels(nest);
    const int64_t cached = kael_max_i64(1, kael_second_level_cache() / 2 / panel_bytes);
    const int64_t spread = kael_max_i64(CHUNK_PANELS, panels / ROW_CHUNKS);
    nest->row_chunks = kael_ceil_div(panels, kael_min_i64(cached, spread));
}

/* Columns of b: at most what PACKED_B_BYTES hold, evenly. */
static void plan_columns(loop_nest *nest, int64_t panel_bytes) {
    const int64_t panels = kael_ceil_div(nest->product->columns, nest->kernel->nr);
    const int64_t most = kael_max_i64(1, PACKED_B_BYTES / panel_bytes);
    const int64_t passes = kael_ceil_div(panels, most);
    nest->most_columns = kael_ceil_div(panels, passes) * nest->kernel->nr;
}

/* The parts of the workspace in bytes: the panels of b, then for every thread a slot's panels and
 * its room for conversions, then the slots themselves. */
typedef struct workspace_layout {
    int64_t b_panels;
    int64_t panels;
    int64_t converted;
} workspace_layout;

static int64_t converted_bytes(const loop_nest *nest, int64_t block) {
    const kael_gemm_kernel *kernel = nest->kernel;
    const bool a = nest->product->a_conversion != NULL;
    const bool b = nest->product->b_conversion != NULL;
    const int64_t width = kael_max_i64(a ? kernel->mr : 0, b ? kernel->nr : 0);
    return kael_converted_bytes(width, block, kernel->element_size);
}

static workspace_layout plan(loop_nest *nest) {
    const int64_t block =
        kael_min_i64(kael_block_length(nest->product->inner), nest->product->inner);
    const int64_t a_panel = panel_size(nest, nest->kernel->mr, block);
    const int64_t b_panel = panel_size(nest, nest->kernel->nr, block);
    plan_rows(nest, a_panel);
    plan_columns(nest, b_panel);
    return (workspace_layout){
        .b_panels = nest->most_columns / nest->kernel->nr * b_panel,
        .panels = kael_ceil_div(row_panels(nest), nest->row_chunks) * a_panel,
        .converted = converted_bytes(nest, block),
    };
}

/* One slot for every thread. */
static void lay_out(loop_nest *nest, const workspace_layout *layout, char *workspace) {
    nest->b_panels = workspace;
    char *slot_memory = workspace + layout->b_panels;
    const int64_t slot_bytes = layout->panels + layout->converted;
    nest->slots = (row_slot *)(void *)(slot_memory + nest->threads * slot_bytes);
    nest->slot_count = nest->threads;
    for (int64_t i = 0; i < nest->threads; ++i) {
        row_slot *slot = &nest->slots[i];
        atomic_flag_clear(&slot->busy);
        slot->chunk = -1;
        slot->panels = slot_memory + i * slot_bytes;
        slot->converted = slot->panels + layout->panels;
    }
}

/* `transposed` has room for the product with rows and columns exchanged, which is run if c has unit
 * stride that way only. */
static loop_nest nest_for(const kael_product *product, kael_product *transposed,
                          const kael_gemm_kernel *kernel, int64_t threads) {
    const bool transpose = product->c_column_stride != 1 && product->c_row_stride == 1;
    if (transpose) {
        *transposed = kael_product_transposed(product);
    }
    return (loop_nest){
        .product = transpose ? transposed : product,
        .kernel = kernel,
        .threads = threads,
        .step = kael_chain_step(product->inner),
    };
}

int64_t kael_packed_workspace(const kael_product *product, const kael_gemm_kernel *kernel,
                              int64_t threads) {
    kael_product transposed;
    loop_nest nest = nest_for(product, &transposed, kernel, threads);
    const workspace_layout layout = plan(&nest);
    const int64_t slot = layout.panels + layout.converted + (int64_t)sizeof(row_slot);
    return layout.b_panels + threads * slot;
}

kael_status kael_product_packed(const kael_product *product, const kael_gemm_kernel *kernel,
                                int64_t threads, void *workspace) {
    kael_product transposed;
    loop_nest nest = nest_for(product, &transposed, kernel, threads);
    const workspace_layout layout = plan(&nest);
    lay_out(&nest, &layout, workspace);
    return multiply(&nest);
}
