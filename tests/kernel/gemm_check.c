/* The kernels of the matrix product against the oracle, with operands that end at unreadable pages
 * and outputs compared together with their surroundings. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "kernel_check.h"
#include "kernels/gemm.h"
#include "linalg/kernel_choice.h"
#include "oracle/matmul_compare.h"
#include "oracle/matmul_values.h"

enum {
    ARENA_BYTES = 4 << 20,
    MARGIN = 80, /* elements around an output that must stay as they are */
    PANEL_ALIGNMENT = 64,
};

typedef struct gemm_check {
    kernel_check *check;
    const kael_gemm_kernel *kernel;
    matmul_type type;
    matmul_values values;
    bool in_place; /* the record also has kernels that read operands in place */
    arena a;
    arena b;
    arena out;
    void *expected;
    uint64_t turn; /* varies the parameters that are not enumerated */
} gemm_check;

static const kael_gemm_chains chain_lists[] = {
    {1, 0, 0}, {1, 1, 0}, {8, 1, 3}, {1, 2, 0}, {8, 0, 1},  {3, 5, 2},  {1, 7, 0},  {8, 0, 7},
    {2, 3, 2}, {4, 4, 1}, {5, 0, 4}, {6, 8, 0}, {2, 17, 1}, {1, 33, 0}, {7, 12, 5}, {8, 9, 4},
};
static const kael_gemm_chains long_chain_lists[] = {
    {1, 130, 0}, {1, 511, 0}, {8, 64, 0}, {8, 129, 5}, {3, 100, 1},
};

enum {
    CHAIN_LISTS = sizeof chain_lists / sizeof chain_lists[0],
    LONG_CHAIN_LISTS = sizeof long_chain_lists / sizeof long_chain_lists[0],
};

/* Where a one- or two-dimensional operand lies relative to its pointer, in elements. */
typedef struct extent {
    int64_t lowest;
    int64_t end;
} extent;

static int64_t chain_steps(const kael_gemm_chains *chains, int64_t chain) {
    return chains->length + (chain < chains->longer ? 1 : 0);
}

static int64_t total_steps(const kael_gemm_chains *chains) {
    return chains->count * chains->length + chains->longer;
}

/* One more than the largest k that the chains take. */
static int64_t k_end(const kael_gemm_chains *chains, int64_t step) {
    int64_t end = 0;
    for (int64_t chain = 0; chain < chains->count; ++chain) {
        const int64_t steps = chain_steps(chains, chain);
        if (steps > 0 && chain + (steps - 1) * step + 1 > end) {
            end = chain + (steps - 1) * step + 1;
        }
    }
    return end;
}

static extent strided_extent(int64_t rows, int64_t row_stride, int64_t columns,
                             int64_t column_stride) {
    if (rows == 0 || columns == 0) {
        return (extent){0, 0};
    }
    const int64_t last_row = (rows - 1) * row_stride;
    const int64_t last_column = (columns - 1) * column_stride;
    return (extent){
        .lowest = (last_row < 0 ? last_row : 0) + (last_column < 0 ? last_column : 0),
        .end = (last_row > 0 ? last_row : 0) + (last_column > 0 ? last_column : 0) + 1,
    };
}

static void *place(const gemm_check *g, const arena *memory, arena_edge edge, extent where) {
    const int64_t size = (int64_t)matmul_size(g->type);
    return arena_place(memory, edge, where.lowest * size, where.end * size);
}

/* A panel against the end of its arena, as near as its alignment allows. */
static void *place_panel(const gemm_check *g, const arena *memory, int64_t elements) {
    char *panel = place(g, memory, ARENA_END, (extent){0, elements});
    return panel - (uintptr_t)panel % PANEL_ALIGNMENT;
}

static uint64_t vary(gemm_check *g, uint64_t choices) {
    return matmul_random(77, g->turn++) % choices;
}

static double pick_alpha(gemm_check *g) {
    static const double alphas[] = {1, 1, -1, 0.3, 0x1p-100};
    static const double integers[] = {1, 1, 3};
    return g->type < MATMUL_TYPE_COUNT ? alphas[vary(g, sizeof alphas / sizeof alphas[0])]
                                       : integers[vary(g, sizeof integers / sizeof integers[0])];
}

/* A kernel takes a pointer to alpha in its own type. */
typedef union scalar {
    float f32;
    double f64;
    uint32_t u32;
    uint64_t u64;
} scalar;

static scalar scalar_of(const gemm_check *g, double value) {
    scalar result = {0};
    matmul_set(g->type, &result, 0, value);
    return result;
}

/* An output and the elements next to it, with the copy that the oracle works on. */
typedef struct output {
    char *first;
    int64_t count;
    void *data;
    void *expected; /* the copy's counterpart of `data` */
} output;

static output open_output(gemm_check *g, extent where) {
    const arena_edge edge = vary(g, 2) == 0 ? ARENA_BEGIN : ARENA_END;
    const extent around = edge == ARENA_BEGIN ? (extent){where.lowest, where.end + MARGIN}
                                              : (extent){where.lowest - MARGIN, where.end};
    output result = {.count = around.end - around.lowest};
    result.data = place(g, &g->out, edge, around);
    result.first = matmul_at(g->type, result.data, around.lowest);
    result.expected = matmul_at(g->type, g->expected, -around.lowest);
    matmul_fill(g->type, result.first, result.count, g->values, g->turn++);
    memcpy(g->expected, result.first, (size_t)result.count * matmul_size(g->type));
    return result;
}

static void compare_output(const gemm_check *g, const output *out) {
    const int64_t index = matmul_first_difference(g->type, out->first, g->expected, out->count);
    if (index >= 0) {
        char text[MATMUL_TEXT_SIZE];
        check_failed(g->check, "%s (the output begins at element %" PRId64 ")",
                     matmul_describe_difference(text, g->type, out->first, g->expected, index),
                     ((char *)out->data - out->first) / (int64_t)matmul_size(g->type));
    }
}

#define CHAINS_FORMAT "%" PRId64 " chains of %" PRId64 ", %" PRId64 " longer"
#define CHAINS_VALUES(chains) (chains)->count, (chains)->length, (chains)->longer

/* ---- packed ---- */

static int64_t pick_row_stride(gemm_check *g, int64_t columns) {
    const int64_t strides[] = {columns, g->kernel->nr + 3, -columns, -(columns + 2)};
    return strides[vary(g, 4)];
}

static void check_packed(gemm_check *g, int64_t rows, int64_t columns,
                         const kael_gemm_chains *chains) {
    const kael_gemm_kernel *kernel = g->kernel;
    const int64_t steps = total_steps(chains);
    const void *a = place_panel(g, &g->a, (steps + 1) * kernel->mr);
    const void *b = place_panel(g, &g->b, (steps + 1) * kernel->nr);
    const double alpha = pick_alpha(g);
    const scalar alpha_argument = scalar_of(g, alpha);
    const int64_t row_stride = pick_row_stride(g, columns);
    check_case(g->check,
               "%s %s packed: %" PRId64 " x %" PRId64 ", " CHAINS_FORMAT ", alpha %g, row stride "
               "%" PRId64,
               g->kernel->name, matmul_type_name(g->type), rows, columns, CHAINS_VALUES(chains),
               alpha, row_stride);
    const output out = open_output(g, strided_extent(rows, row_stride, columns, 1));
    int64_t first = 0;
    for (int64_t chain = 0; chain < chains->count; ++chain) {
        const int64_t length = chain_steps(chains, chain);
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < columns; ++j) {
                oracle_add_chain(g->type, matmul_at(g->type, out.expected, i * row_stride + j),
                                 alpha, matmul_const_at(g->type, a, first * kernel->mr + i),
                                 kernel->mr, matmul_const_at(g->type, b, first * kernel->nr + j),
                                 kernel->nr, length);
            }
        }
        first += length;
    }
    const kael_gemm_tile tile = {out.data, row_stride, rows, columns};
    /* What is prefetched need not be readable. */
    const void *next = g->a.begin - PANEL_ALIGNMENT;
    kernel->packed(chains, a, b, &alpha_argument, next, &tile);
    compare_output(g, &out);
}

/* ---- direct and matvec ---- */

static kael_gemm_operand place_operand(gemm_check *g, const arena *memory, int64_t count,
                                       int64_t stride, int64_t k_count, int64_t k_stride) {
    const arena_edge edge = vary(g, 2) == 0 ? ARENA_BEGIN : ARENA_END;
    const void *data = place(g, memory, edge, strided_extent(count, stride, k_count, k_stride));
    return (kael_gemm_operand){data, stride, k_stride};
}

/* Rows or columns of an operand along k, across it, repeated, spread and reversed. */
static kael_gemm_operand pick_operand(gemm_check *g, const arena *memory, int64_t count,
                                      int64_t k_count) {
    const int64_t strides[][2] = {
        {k_count, 1},
        {k_count + 3, 1},
        {1, count},
        {1, count + 2},
        {0, 1},
        {1, 0},
        {0, 0},
        {-(k_count + 1), 1},
        {k_count, -1},
        {-1, -(count + 1)},
        {2 * k_count + 1, 2},
        {3, 3 * count + 1},
    };
    const uint64_t choice = vary(g, sizeof strides / sizeof strides[0]);
    return place_operand(g, memory, count, strides[choice][0], k_count, strides[choice][1]);
}

static int64_t pick_step(gemm_check *g, const kael_gemm_chains *chains) {
    return vary(g, 3) == 0 ? chains->count + 1 : chains->count;
}

/* Every element of the output by the oracle, for operands that are read in place. */
static void expect_in_place(const gemm_check *g, const kael_gemm_chains *chains, int64_t step,
                            const kael_gemm_operand *a, const kael_gemm_operand *b, double alpha,
                            const matmul_output *out, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            void *target =
                matmul_at(g->type, out->data, i * out->row_stride + j * out->column_stride);
            for (int64_t chain = 0; chain < chains->count; ++chain) {
                oracle_add_chain(
                    g->type, target, alpha,
                    matmul_const_at(g->type, a->data, i * a->stride + chain * a->k_stride),
                    step * a->k_stride,
                    matmul_const_at(g->type, b->data, j * b->stride + chain * b->k_stride),
                    step * b->k_stride, chain_steps(chains, chain));
            }
        }
    }
}

static void clear_matrix(matmul_type type, const matmul_output *matrix, int64_t rows,
                         int64_t columns) {
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            matmul_set(type, matrix->data, i * matrix->row_stride + j * matrix->column_stride, 0);
        }
    }
}

static void check_direct(gemm_check *g, int64_t rows, int64_t columns,
                         const kael_gemm_chains *chains) {
    const int64_t step = pick_step(g, chains);
    const int64_t k_count = k_end(chains, step);
    const kael_gemm_operand a = pick_operand(g, &g->a, rows, k_count);
    const int64_t b_k_strides[] = {columns, columns + 5, 0, -(columns + 1)};
    const kael_gemm_operand b =
        place_operand(g, &g->b, columns, 1, k_count, b_k_strides[vary(g, 4)]);
    const double alpha = pick_alpha(g);
    const scalar alpha_argument = scalar_of(g, alpha);
    const int64_t row_stride = pick_row_stride(g, columns);
    const bool c_is_zero = chain_steps(chains, 0) > 0 && vary(g, 2) == 0;
    check_case(g->check,
               "%s %s direct: %" PRId64 " x %" PRId64 ", " CHAINS_FORMAT ", step %" PRId64
               ", a %" PRId64 " %" PRId64 ", b 1 %" PRId64 ", alpha %g, row stride %" PRId64 "%s",
               g->kernel->name, matmul_type_name(g->type), rows, columns, CHAINS_VALUES(chains),
               step, a.stride, a.k_stride, b.k_stride, alpha, row_stride,
               c_is_zero ? ", c zero" : "");
    const output out = open_output(g, strided_extent(rows, row_stride, columns, 1));
    const matmul_output expected = {out.expected, row_stride, 1};
    if (c_is_zero) {
        clear_matrix(g->type, &expected, rows, columns);
    }
    expect_in_place(g, chains, step, &a, &b, alpha, &expected, rows, columns);
    const kael_gemm_tile tile = {out.data, row_stride, rows, columns};
    g->kernel->direct(chains, step, &a, &b, &alpha_argument, c_is_zero, &tile);
    compare_output(g, &out);
}

static void check_matvec(gemm_check *g, int64_t rows, const kael_gemm_chains *chains) {
    const int64_t step = pick_step(g, chains);
    const int64_t k_count = k_end(chains, step);
    const kael_gemm_operand a = pick_operand(g, &g->a, rows, k_count);
    const kael_gemm_operand x = place_operand(g, &g->b, 1, 0, k_count, 1);
    const double alpha = pick_alpha(g);
    const scalar alpha_argument = scalar_of(g, alpha);
    const int64_t out_strides[] = {1, 3, -1, -2};
    const int64_t out_stride = out_strides[vary(g, 4)];
    check_case(g->check,
               "%s %s matvec: %" PRId64 " rows, " CHAINS_FORMAT ", step %" PRId64 ", a %" PRId64
               " %" PRId64 ", alpha %g, out stride %" PRId64,
               g->kernel->name, matmul_type_name(g->type), rows, CHAINS_VALUES(chains), step,
               a.stride, a.k_stride, alpha, out_stride);
    const output out = open_output(g, strided_extent(rows, out_stride, 1, 0));
    const matmul_output expected = {out.expected, out_stride, 0};
    expect_in_place(g, chains, step, &a, &x, alpha, &expected, rows, 1);
    g->kernel->matvec(rows, chains, step, &a, x.data, &alpha_argument, out.data, out_stride);
    compare_output(g, &out);
}

/* ---- pack ---- */

static void expect_packed(const gemm_check *g, char *panel, int64_t panel_width, int64_t width,
                          const kael_gemm_operand *source, int64_t first,
                          const kael_gemm_chains *chains, int64_t step) {
    for (int64_t chain = 0; chain < chains->count; ++chain) {
        for (int64_t t = 0; t < chain_steps(chains, chain); ++t) {
            const int64_t k = chain + t * step;
            memset(panel, 0, (size_t)panel_width * matmul_size(g->type));
            for (int64_t i = 0; i < width; ++i) {
                const int64_t at = (first + i) * source->stride + k * source->k_stride;
                memcpy(matmul_at(g->type, panel, i), matmul_const_at(g->type, source->data, at),
                       matmul_size(g->type));
            }
            panel = matmul_at(g->type, panel, panel_width);
        }
    }
}

static void check_pack(gemm_check *g, int64_t panel_width, int64_t indices,
                       const kael_gemm_chains *chains) {
    const int64_t line = PANEL_ALIGNMENT / (int64_t)matmul_size(g->type);
    const int64_t step = pick_step(g, chains);
    const kael_gemm_operand source = pick_operand(g, &g->a, indices, k_end(chains, step));
    const int64_t panels = (indices + panel_width - 1) / panel_width;
    const int64_t panel_count = (total_steps(chains) + 1) * panel_width;
    const int64_t panel_stride = (panel_count + line - 1) / line * line;
    check_case(g->check,
               "%s %s pack: %" PRId64 " in panels of %" PRId64 ", %" PRId64 " apart, " CHAINS_FORMAT
               ", step %" PRId64 ", source %" PRId64 " %" PRId64,
               g->kernel->name, matmul_type_name(g->type), indices, panel_width, panel_stride,
               CHAINS_VALUES(chains), step, source.stride, source.k_stride);
    output out = {.count = line + panels * panel_stride + MARGIN};
    out.data = place_panel(g, &g->out, panels * panel_stride + MARGIN);
    out.first = (char *)out.data - PANEL_ALIGNMENT;
    out.expected = matmul_at(g->type, g->expected, line);
    matmul_fill(g->type, out.first, out.count, g->values, g->turn++);
    memcpy(g->expected, out.first, (size_t)out.count * matmul_size(g->type));
    for (int64_t panel = 0; panel < panels; ++panel) {
        const int64_t first = panel * panel_width;
        const int64_t width = indices - first < panel_width ? indices - first : panel_width;
        expect_packed(g, matmul_at(g->type, out.expected, panel * panel_stride), panel_width, width,
                      &source, first, chains, step);
    }
    g->kernel->pack(out.data, panel_stride, panel_width, indices, &source, chains, step);
    compare_output(g, &out);
}

/* ---- selections of cases ---- */

/* In a quick run each shape gets one list, and another one than its neighbours. */
static bool is_selected(const gemm_check *g, int64_t shape, int64_t list) {
    return !g->check->quick || (shape * 5 + list) % CHAIN_LISTS == 0;
}

static bool is_long_shape(const gemm_check *g, int64_t shape) {
    return shape % (g->check->quick ? 131 : 7) == 0;
}

static void check_tile(gemm_check *g, int64_t rows, int64_t columns,
                       const kael_gemm_chains *chains) {
    check_packed(g, rows, columns, chains);
    if (g->in_place) {
        check_direct(g, rows, columns, chains);
    }
}

static void check_tiles(gemm_check *g) {
    const kael_gemm_kernel *kernel = g->kernel;
    int64_t shape = 0;
    for (int64_t rows = kernel->mr; rows >= 1; --rows) {
        for (int64_t columns = kernel->nr; columns >= 1; --columns, ++shape) {
            for (int64_t list = 0; list < CHAIN_LISTS; ++list) {
                if (is_selected(g, shape, list)) {
                    check_tile(g, rows, columns, &chain_lists[list]);
                }
            }
            if (is_long_shape(g, shape)) {
                check_tile(g, rows, columns, &long_chain_lists[vary(g, LONG_CHAIN_LISTS)]);
            }
        }
    }
}

static void check_vectors(gemm_check *g) {
    static const int64_t many_rows[] = {63, 64, 65, 127, 511, 512, 513, 1029};
    for (int64_t rows = 1; rows <= 40; ++rows) {
        for (int64_t list = 0; list < CHAIN_LISTS; ++list) {
            if (is_selected(g, rows, list)) {
                check_matvec(g, rows, &chain_lists[list]);
            }
        }
        if (is_long_shape(g, rows - 1)) {
            check_matvec(g, rows, &long_chain_lists[vary(g, LONG_CHAIN_LISTS)]);
        }
    }
    for (size_t i = 0; i < sizeof many_rows / sizeof many_rows[0]; ++i) {
        for (int64_t list = 0; list < CHAIN_LISTS; ++list) {
            if (is_selected(g, (int64_t)i, list)) {
                check_matvec(g, many_rows[i], &chain_lists[list]);
            }
        }
    }
}

/* Every width of a last panel, alone and behind full ones. */
static void check_packing(gemm_check *g) {
    const int64_t panel_widths[] = {g->kernel->mr, g->kernel->nr, 1, 3, 4, 6, 8, 12, 16, 24, 32};
    int64_t shape = 0;
    for (size_t i = 0; i < sizeof panel_widths / sizeof panel_widths[0]; ++i) {
        for (int64_t width = panel_widths[i]; width >= 1; --width, ++shape) {
            for (int64_t list = 0; list < CHAIN_LISTS; ++list) {
                if (is_selected(g, shape, list)) {
                    const int64_t full_panels = (shape + list) % 3;
                    check_pack(g, panel_widths[i], full_panels * panel_widths[i] + width,
                               &chain_lists[list]);
                }
            }
            if (is_long_shape(g, shape)) {
                check_pack(g, panel_widths[i], width, &long_chain_lists[vary(g, LONG_CHAIN_LISTS)]);
            }
        }
    }
}

static void check_values(gemm_check *g) {
    const int64_t count = ARENA_BYTES / (int64_t)matmul_size(g->type);
    matmul_fill(g->type, g->a.begin, count, g->values, 1);
    matmul_fill(g->type, g->b.begin, count, g->values, 2);
    check_tiles(g);
    check_packing(g);
    if (g->in_place) {
        check_vectors(g);
    }
}

static bool is_complete(kernel_check *check, const char *owner, const char *type,
                        const kael_gemm_kernel *kernel, int64_t element_size, bool in_place) {
    check_case(check, "%s gemm %s", owner, type);
    if (kernel == NULL) {
        check_failed(check, "there is no record");
        return false;
    }
    if (kernel->packed == NULL || kernel->pack == NULL ||
        (in_place && (kernel->direct == NULL || kernel->matvec == NULL))) {
        check_failed(check, "the record lacks a function");
        return false;
    }
    if (kernel->name == NULL || kernel->element_size != element_size || kernel->mr < 1 ||
        kernel->nr < 1 || kernel->kc < 1) {
        check_failed(check, "the record lacks a name or a size");
        return false;
    }
    return true;
}

static void check_record(kernel_check *check, const char *owner, const kael_gemm_kernel *kernel,
                         matmul_type type, bool in_place) {
    static const matmul_values kinds[] = {MATMUL_SPECIAL, MATMUL_CANCELLING, MATMUL_TINY};
    if (!is_complete(check, owner, matmul_type_name(type), kernel, (int64_t)matmul_size(type),
                     in_place)) {
        return;
    }
    gemm_check g = {
        .check = check,
        .kernel = kernel,
        .type = type,
        .in_place = in_place,
        .a = arena_open(ARENA_BYTES),
        .b = arena_open(ARENA_BYTES),
        .out = arena_open(ARENA_BYTES),
        .expected = malloc(ARENA_BYTES),
    };
    const bool one_kind = check->quick || type >= MATMUL_TYPE_COUNT;
    const size_t kind_count = one_kind ? 1 : sizeof kinds / sizeof kinds[0];
    for (size_t i = 0; i < kind_count; ++i) {
        g.values = kinds[i];
        check_values(&g);
    }
    check->kernels += in_place ? 4 : 2;
    free(g.expected);
    arena_close(&g.a);
    arena_close(&g.b);
    arena_close(&g.out);
}

void check_gemm_kernels(kernel_check *check, const kael_kernels *kernels) {
    check_record(check, kernels->name, kernels->gemm_f32, MATMUL_F32, true);
    check_record(check, kernels->name, kernels->gemm_f64, MATMUL_F64, true);
    check_record(check, kernels->name, kernels->gemm_u32, MATMUL_U32, true);
    check_record(check, kernels->name, kernels->gemm_u64, MATMUL_U64, true);
    check_record(check, kernels->name, kernels->gemm_f32_scalar, MATMUL_F32, true);
    check_record(check, kernels->name, kernels->gemm_f64_scalar, MATMUL_F64, true);
}

void check_blis_kernels(kernel_check *check) {
    check_record(check, "blis", kael_gemm_blis_kernel(KAEL_F32), MATMUL_F32, false);
    check_record(check, "blis", kael_gemm_blis_kernel(KAEL_F64), MATMUL_F64, false);
}
