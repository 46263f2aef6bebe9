#include "linalg/plan.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/cache.h"
#include "kael/parallel.h"
#include "linalg/chains.h"
#include "linalg/convert.h"
#include "linalg/slots.h"
#include "memory/block.h"
#include "parallel/region.h"
#include "parallel/thread_count.h"

/* Products up to this many multiplications gain nothing from packing. */
#define DIRECT_WORK (INT64_C(64) * 64 * 64)
/* Elements of both operands that are copied for the direct kernels rather than packed. */
#define GATHERED_COUNT INT64_C(16384)
/* Elements of a matrix that are worth reading in one sweep. */
#define SWEPT_COUNT 4096.0
/* Bytes of a matrix's converted rows that stay near; where elements lie along the rows, half of a
 * core's second-level cache, since longer pieces convert faster. */
#define CONVERTED_BYTES (INT64_C(64) << 10)
/* Elements of a converted matrix that are worth another thread. */
#define CONVERTED_GRAIN (INT64_C(1) << 16)
/* Elements of c that are computed before they are converted. */
#define STRIP_COUNT (INT64_C(4) << 20)

/* ---- The choice ---- */

/* The direct kernels read b and c along their rows. */
static bool has_unit_rows(int64_t columns, int64_t column_stride) {
    return column_stride == 1 || columns == 1;
}

static bool is_small(const kael_product *product) {
    return (double)product->rows * (double)product->columns * (double)product->inner <=
           (double)DIRECT_WORK;
}

/* Packing pays when a packed panel is used often enough: b by several tiles of rows. */
static bool packing_pays(const kael_product *product, const kael_gemm_kernel *kernel) {
    return product->rows > kernel->mr && !is_small(product);
}

/* A row times a large matrix. Exchanged, it is a product with a column, which sweeps the matrix
 * once; the direct kernels would go down it a few columns at a time. */
static bool sweeps_columns(const kael_product *product) {
    return product->rows == 1 && product->columns > 1 &&
           (double)product->columns * (double)product->inner >= SWEPT_COUNT;
}

static bool is_direct(const kael_product *product, const kael_gemm_kernel *kernel) {
    return !sweeps_columns(product) && has_unit_rows(product->columns, product->b.stride) &&
           has_unit_rows(product->columns, product->c_column_stride) &&
           product->a_conversion == NULL && product->b_conversion == NULL &&
           !packing_pays(product, kernel);
}

static bool is_gathered(const kael_product *product) {
    return has_unit_rows(product->columns, product->c_column_stride) && is_small(product) &&
           (product->rows + product->columns) * product->inner <= GATHERED_COUNT;
}

/* The way of the product as it stands; KAEL_WAY_PACKED also means that exchanging rows and columns
 * may be better. */
static kael_product_way way_of(const kael_product *product, const kael_gemm_kernel *kernel) {
    if (product->columns == 1) {
        return product->a_conversion == NULL ? KAEL_WAY_MATVEC : KAEL_WAY_CONVERTED_MATVEC;
    }
    return is_direct(product, kernel) ? KAEL_WAY_DIRECT : KAEL_WAY_PACKED;
}

static bool choose_as_it_stands(kael_product_plan *plan) {
    plan->way = way_of(&plan->product, plan->kernels.builtin);
    return plan->way != KAEL_WAY_PACKED;
}

static bool choose_gathered(kael_product_plan *plan) {
    if (!is_gathered(&plan->product)) {
        return false;
    }
    plan->way = KAEL_WAY_GATHERED;
    return true;
}

static void transpose(kael_product_plan *plan) {
    plan->product = kael_product_transposed(&plan->product);
    plan->transposed = !plan->transposed;
}

static void choose(kael_product_plan *plan, const kael_product *product) {
    plan->product = *product;
    plan->transposed = false;
    if (product->inner == 0) {
        plan->way = KAEL_WAY_SCALE;
        return;
    }
    if (choose_as_it_stands(plan)) {
        return;
    }
    transpose(plan);
    if (choose_as_it_stands(plan) || choose_gathered(plan)) {
        return;
    }
    transpose(plan);
    if (!choose_gathered(plan)) {
        plan->way = KAEL_WAY_PACKED;
    }
}

/* ---- Memory ---- */

static bool must_gather_a(const kael_product *product) {
    return product->a_conversion != NULL;
}

static bool must_gather_b(const kael_product *product) {
    return product->b_conversion != NULL || !has_unit_rows(product->columns, product->b.stride);
}

static bool must_gather_vector(const kael_product *product) {
    return product->b_conversion != NULL || product->b.k_stride != 1;
}

static int64_t element_size(const kael_product_plan *plan) {
    return plan->kernels.builtin->element_size;
}

static int64_t gathered_b_bytes(const kael_product_plan *plan) {
    const kael_product *product = &plan->product;
    return must_gather_b(product)
               ? kael_converted_bytes(product->columns, product->inner, element_size(plan))
               : 0;
}

static int64_t gathered_a_bytes(const kael_product_plan *plan) {
    const kael_product *product = &plan->product;
    return must_gather_a(product)
               ? kael_converted_bytes(product->rows, product->inner, element_size(plan))
               : 0;
}

static int64_t vector_bytes(const kael_product_plan *plan) {
    return must_gather_vector(&plan->product)
               ? kael_converted_bytes(1, plan->product.inner, element_size(plan))
               : 0;
}

/* Rows of a converted matrix at a time. */
static int64_t converted_rows(const kael_product_plan *plan) {
    const kael_product *product = &plan->product;
    const int64_t row_bytes = kael_block_length(product->inner) * element_size(plan);
    const int64_t bytes = kael_operand_runs_along_indices(&product->a)
                              ? kael_max_i64(CONVERTED_BYTES, kael_second_level_cache() / 2)
                              : CONVERTED_BYTES;
    return kael_min_i64(product->rows, kael_max_i64(1, bytes / row_bytes));
}

static int64_t converted_slot_bytes(const kael_product_plan *plan) {
    return kael_converted_bytes(converted_rows(plan), kael_block_length(plan->product.inner),
                                element_size(plan));
}

static int64_t strip_bytes(const kael_product_plan *plan) {
    return kael_round_up(plan->strip * plan->product.columns * element_size(plan),
                         KAEL_MEMORY_ALIGNMENT);
}

static int64_t workspace_bytes(const kael_product_plan *plan) {
    switch (plan->way) {
    case KAEL_WAY_MATVEC:
        return vector_bytes(plan);
    case KAEL_WAY_CONVERTED_MATVEC:
        return vector_bytes(plan) + kael_slots_bytes(plan->threads, converted_slot_bytes(plan));
    case KAEL_WAY_GATHERED:
        return gathered_a_bytes(plan) + gathered_b_bytes(plan);
    case KAEL_WAY_PACKED:
        return kael_packed_workspace(&plan->product, plan->kernels.packed, plan->threads);
    case KAEL_WAY_SCALE:
    case KAEL_WAY_DIRECT:
    case KAEL_WAY_CONVERTED_C:
    default:
        return 0;
    }
}

/* ---- Results that are converted ---- */

/* The rows [first, first + count) of the product, with results of the kernel's type in `target`,
 * which are dense in the direction that c is denser in. */
static kael_product strip_of(const kael_product *product, int64_t kernel_size, int64_t first,
                             int64_t count, void *target) {
    kael_product strip = *product;
    const int64_t a_size = kael_stored_size(strip.a_conversion, kernel_size);
    const bool by_rows = llabs(strip.c_column_stride) <= llabs(strip.c_row_stride);
    strip.rows = count;
    strip.a = kael_operand_from(&strip.a, a_size, first, 0);
    strip.c = target;
    strip.c_row_stride = by_rows ? strip.columns : 1;
    strip.c_column_stride = by_rows ? 1 : count;
    strip.c_conversion = NULL;
    return strip;
}

/* The plan of a product with converted results has one inside, of a product without.
 * NOLINTBEGIN(misc-no-recursion) */

/* The memory that a strip of `count` rows needs beside its results. */
static int64_t inner_bytes(const kael_product_plan *plan, int64_t count) {
    const kael_product strip = strip_of(&plan->product, element_size(plan), 0, count, NULL);
    kael_product_plan inner;
    kael_plan_product(&inner, &strip, &plan->kernels, plan->threads);
    return inner.workspace_bytes;
}

/* All rows at a time, unless there are so many results that the longer side is cut. */
static void plan_strips(kael_product_plan *plan, const kael_product *product) {
    plan->way = KAEL_WAY_CONVERTED_C;
    plan->transposed = product->columns > product->rows;
    plan->product = plan->transposed ? kael_product_transposed(product) : *product;
    const int64_t most = kael_max_i64(1, STRIP_COUNT / plan->product.columns);
    const int64_t rows = plan->product.rows;
    plan->strip = kael_ceil_div(rows, kael_ceil_div(rows, most));
    const int64_t rest = rows % plan->strip;
    plan->workspace_bytes =
        strip_bytes(plan) +
        kael_max_i64(inner_bytes(plan, plan->strip), rest > 0 ? inner_bytes(plan, rest) : 0);
}

static kael_status run_strip(const kael_product_plan *plan, const kael_product *product,
                             int64_t first, char *workspace) {
    const int64_t count = kael_min_i64(plan->strip, product->rows - first);
    kael_product part = *product;
    part.rows = count;
    part.c = kael_product_c_at(product, product->c_conversion->stored_size, first, 0);
    const kael_product strip = strip_of(product, element_size(plan), first, count, workspace);
    kael_product_plan inner;
    kael_plan_product(&inner, &strip, &plan->kernels, plan->threads);
    KAEL_TRY(
        kael_run_plan(&inner, strip.a.data, strip.b.data, strip.c, workspace + strip_bytes(plan)));
    return kael_convert_c(&part, element_size(plan), strip.c, strip.c_row_stride,
                          strip.c_column_stride, plan->threads);
}

static kael_status run_strips(const kael_product_plan *plan, const kael_product *product,
                              char *workspace) {
    for (int64_t first = 0; first < product->rows; first += plan->strip) {
        KAEL_TRY(run_strip(plan, product, first, workspace));
    }
    return KAEL_OK;
}

/* ---- Operands that are converted ---- */

static void gather_b(const kael_product_plan *plan, kael_product *product, void *target) {
    const kael_conversion copying = {.copy = {plan->kernels.copy},
                                     .stored_size = element_size(plan)};
    const bool casts = product->b_conversion != NULL;
    product->b = kael_convert_operand(casts ? product->b_conversion : &copying, element_size(plan),
                                      &product->b, product->columns, product->inner,
                                      product->columns > 1, target);
}

static kael_status run_gathered(const kael_product_plan *plan, kael_product *product,
                                char *workspace) {
    const int64_t size = element_size(plan);
    if (must_gather_b(product)) {
        gather_b(plan, product, workspace);
    }
    if (must_gather_a(product)) {
        product->a = kael_convert_operand(
            product->a_conversion, size, &product->a, product->rows, product->inner,
            kael_operand_runs_along_indices(&product->a), workspace + gathered_b_bytes(plan));
    }
    return kael_product_direct(product, plan->kernels.builtin, plan->threads);
}

typedef struct converted_matvec {
    const kael_product *product;
    const kael_gemm_kernel *kernel;
    int64_t rows; /* at a time */
    kael_slots slots;
} converted_matvec;

/* Some rows of the product, converted in `memory` one block of the inner size at a time. */
static void run_converted_rows(const converted_matvec *job, int64_t first, int64_t rows,
                               void *memory) {
    const kael_product *product = job->product;
    const int64_t size = job->kernel->element_size;
    const int64_t stored_size = product->a_conversion->stored_size;
    const int64_t step = kael_chain_step(product->inner);
    const int64_t block = kael_block_length(product->inner);
    for (int64_t start = 0; start < product->inner; start += block) {
        const int64_t length = kael_min_i64(block, product->inner - start);
        const kael_gemm_chains chains = kael_block_chains(length, step);
        const kael_gemm_operand stored = kael_operand_from(&product->a, stored_size, first, start);
        const kael_gemm_operand a =
            kael_convert_operand(product->a_conversion, size, &stored, rows, length,
                                 kael_operand_runs_along_indices(&stored), memory);
        job->kernel->matvec(rows, &chains, step, &a, (const char *)product->b.data + start * size,
                            product->alpha, kael_product_c_at(product, size, first, 0),
                            product->c_row_stride);
    }
}

static kael_status run_converted_matvec_rows(int64_t first, int64_t last, void *context) {
    const converted_matvec *job = context;
    const int64_t slot = kael_slots_take(&job->slots);
    for (int64_t row = first; row < last; row += job->rows) {
        run_converted_rows(job, row, kael_min_i64(job->rows, last - row),
                           kael_slots_memory(&job->slots, slot));
    }
    kael_slots_give(&job->slots, slot);
    return KAEL_OK;
}

static kael_status run_matvec(const kael_product_plan *plan, kael_product *product,
                              char *workspace) {
    const kael_gemm_kernel *kernel = plan->kernels.builtin;
    if (must_gather_vector(product)) {
        gather_b(plan, product, workspace);
    }
    if (plan->way == KAEL_WAY_MATVEC) {
        return kael_product_matvec(product, kernel, plan->threads);
    }
    KAEL_TRY(kael_product_scale_c(product, kernel->element_size, plan->threads));
    converted_matvec job = {.product = product, .kernel = kernel, .rows = converted_rows(plan)};
    kael_slots_init(&job.slots, plan->threads, converted_slot_bytes(plan),
                    workspace + vector_bytes(plan));
    const int64_t grain = kael_max_i64(1, CONVERTED_GRAIN / product->inner);
    if (plan->threads == 1 || product->rows <= grain) {
        return run_converted_matvec_rows(0, product->rows, &job);
    }
    return kael_parallel_for(0, product->rows, grain, run_converted_matvec_rows, &job);
}

/* ---- Plans ---- */

void kael_plan_product(kael_product_plan *plan, const kael_product *product,
                       const kael_gemm_choice *kernels, int64_t threads) {
    plan->kernels = *kernels;
    plan->threads = threads;
    if (product->c_conversion != NULL) {
        plan_strips(plan, product);
        return;
    }
    choose(plan, product);
    plan->workspace_bytes = workspace_bytes(plan);
}

kael_status kael_run_plan(const kael_product_plan *plan, const void *a, const void *b, void *c,
                          void *workspace) {
    kael_product product = plan->product;
    product.a.data = plan->transposed ? b : a;
    product.b.data = plan->transposed ? a : b;
    product.c = c;
    switch (plan->way) {
    case KAEL_WAY_MATVEC:
    case KAEL_WAY_CONVERTED_MATVEC:
        return run_matvec(plan, &product, workspace);
    case KAEL_WAY_DIRECT:
        return kael_product_direct(&product, plan->kernels.builtin, plan->threads);
    case KAEL_WAY_GATHERED:
        return run_gathered(plan, &product, workspace);
    case KAEL_WAY_PACKED:
        return kael_product_packed(&product, plan->kernels.packed, plan->threads, workspace);
    case KAEL_WAY_CONVERTED_C:
        return run_strips(plan, &product, workspace);
    case KAEL_WAY_SCALE:
    default:
        return kael_product_scale_c(&product, element_size(plan), plan->threads);
    }
}

kael_status kael_product_threads(int64_t *threads) {
    int count = 1;
    KAEL_TRY(kael_thread_count(&count));
    *threads = kael_inside_parallel_region() ? 1 : count;
    return KAEL_OK;
}

kael_status kael_product_any(const kael_product *product, const kael_gemm_choice *kernels,
                             int64_t threads) {
    if (product->inner > 0 && way_of(product, kernels->builtin) == KAEL_WAY_DIRECT) {
        return kael_product_direct(product, kernels->builtin, threads);
    }
    kael_product_plan plan;
    kael_plan_product(&plan, product, kernels, threads);
    kael_block memory;
    KAEL_TRY(kael_block_allocate(&memory, plan.workspace_bytes));
    const kael_status status =
        kael_run_plan(&plan, product->a.data, product->b.data, product->c, memory.data);
    kael_block_release(&memory);
    return status;
}

/* NOLINTEND(misc-no-recursion) */
