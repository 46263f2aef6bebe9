/* Digests of the matrix products. */
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
#include "oracle/matmul_layouts.h"
#include "oracle/matmul_library.h"

enum { MOST_SHAPES = 16, MOST_KINDS = 3 };

typedef struct shape {
    int64_t m;
    int64_t k;
    int64_t n;
} shape;

/* Shapes end at the first one with m = 0, kinds of values are counted. */
typedef struct shape_group {
    const char *name;
    bool quick;
    int kind_count;
    matmul_values kinds[MOST_KINDS];
    shape shapes[MOST_SHAPES];
} shape_group;

static const shape_group shape_groups[] = {
    {"small",
     true,
     3,
     {MATMUL_CANCELLING, MATMUL_TINY, MATMUL_SPECIAL},
     {{1, 1, 1}, {2, 3, 2}, {3, 1, 5}, {4, 4, 4}, {5, 3, 7}, {8, 8, 8}, {1, 9, 6}, {6, 9, 1}}},
    {"tiles",
     true,
     3,
     {MATMUL_CANCELLING, MATMUL_TINY, MATMUL_SPECIAL},
     {{7, 1, 13},
      {6, 8, 16},
      {7, 9, 17},
      {8, 12, 24},
      {13, 31, 33},
      {14, 20, 64},
      {29, 17, 49},
      {32, 10, 12},
      {33, 11, 65},
      {37, 33, 31},
      {48, 40, 50}}},
    {"chains",
     true,
     1,
     {MATMUL_CANCELLING},
     {{3, 511, 5},
      {3, 512, 5},
      {5, 513, 3},
      {2, 519, 9},
      {4, 1023, 4},
      {1, 1025, 8},
      {3, 2047, 3},
      {3, 2048, 3},
      {3, 2049, 3},
      {2, 4095, 4},
      {4, 4096, 2},
      {3, 4097, 3},
      {3, 4100, 3}}},
    {"vectors",
     true,
     2,
     {MATMUL_CANCELLING, MATMUL_TINY},
     {{1, 700, 40},
      {40, 700, 1},
      {1, 5000, 1},
      {33, 100, 1},
      {1, 100, 33},
      {130, 40, 1},
      {1, 40, 130},
      {3, 3000, 1},
      {9, 8, 1}}},
    {"long",
     false,
     2,
     {MATMUL_CANCELLING, MATMUL_TINY},
     {{3, 100003, 3}, {1, 522241, 1}, {1, 524289, 2}, {32, 20000, 32}}},
    {"large",
     false,
     1,
     {MATMUL_CANCELLING},
     {{65, 257, 31},
      {200, 600, 150},
      {401, 37, 530},
      {97, 2049, 130},
      {3, 5, 5000},
      {5000, 5, 3},
      {2, 7, 40000},
      {300, 530, 1},
      {1, 530, 300}}},
};

/* a, b and c of one case, and the number of elements of c's memory. */
typedef struct digest_operands {
    void *a;
    void *b;
    void *c;
    int64_t c_count;
} digest_operands;

static digest_operands make_operands(matmul_type type, int64_t a_count, int64_t b_count,
                                     int64_t c_count, matmul_values values) {
    const digest_operands operands = {
        .a = digest_allocate(type, a_count),
        .b = digest_allocate(type, b_count),
        .c = digest_allocate(type, c_count),
        .c_count = c_count,
    };
    matmul_fill(type, operands.a, a_count, values, 11);
    matmul_fill(type, operands.b, b_count, values, 12);
    matmul_fill(type, operands.c, c_count, values, 13);
    return operands;
}

static void finish_case(digest_run *run, matmul_type type, digest_operands *operands) {
    digest_add(run, type, operands->c, operands->c_count);
    free(operands->a);
    free(operands->b);
    free(operands->c);
}

static void run_version_case(digest_run *run, const matmul_version *version, matmul_type type,
                             const shape *s, matmul_values values) {
    digest_operands o = make_operands(type, s->m * s->k, s->k * s->n, s->m * s->n, values);
    if (run->use_oracle) {
        const matmul_problem problem = matmul_contiguous(s->m, s->k, s->n, o.a, o.b, o.c);
        oracle_gemm(type, &problem);
    } else {
        const kael_matmul_sizes sizes = {s->m, s->k, s->n};
        digest_require(version->call[type](o.a, o.b, o.c, &sizes), version->name);
    }
    finish_case(run, type, &o);
}

static void run_shapes(digest_run *run, const matmul_version *version, matmul_type type,
                       const shape_group *group) {
    digest_begin(run);
    for (int kind = 0; kind < group->kind_count; ++kind) {
        for (const shape *s = group->shapes; s < group->shapes + MOST_SHAPES && s->m > 0; ++s) {
            run_version_case(run, version, type, s, group->kinds[kind]);
        }
    }
}

/* The oracle has one result for all versions. */
static void run_versions(digest_run *run, matmul_type type, const shape_group *group) {
    bool computed = false;
    for (int i = 0; i < MATMUL_VERSION_COUNT; ++i) {
        const matmul_version *version = &matmul_versions[i];
        if (version->defined_bits) {
            if (!run->use_oracle || !computed) {
                run_shapes(run, version, type, group);
                computed = true;
            }
            char operation[64];
            snprintf(operation, sizeof operation, "matmul_%s_%s", version->name,
                     matmul_type_name(type));
            digest_end(run, operation, group->name);
        }
    }
}

static void run_gemm_case(digest_run *run, matmul_type type, const matmul_layout layouts[3],
                          const shape *s, double alpha, double beta, matmul_values values) {
    const matmul_strides a = matmul_lay_out(layouts[0], s->m, s->k);
    const matmul_strides b = matmul_lay_out(layouts[1], s->k, s->n);
    const matmul_strides c = matmul_lay_out(layouts[2], s->m, s->n);
    digest_operands o = make_operands(type, a.count, b.count, c.count, values);
    const matmul_problem problem = {
        .m = s->m,
        .n = s->n,
        .k = s->k,
        .alpha = alpha,
        .a = {matmul_at(type, o.a, a.offset), a.row, a.column},
        .b = {matmul_at(type, o.b, b.offset), b.row, b.column},
        .beta = beta,
        .c = {matmul_at(type, o.c, c.offset), c.row, c.column},
    };
    if (run->use_oracle) {
        oracle_gemm(type, &problem);
    } else {
        digest_require(library_gemm(type, &problem), "gemm");
    }
    finish_case(run, type, &o);
}

static const char *gemm_name(matmul_type type) {
    return type == MATMUL_F32 ? "gemm_f32" : "gemm_f64";
}

static void run_gemm_layouts(digest_run *run, matmul_type type, const char *name,
                             const shape *shapes, int shape_count) {
    digest_begin(run);
    for (int a = 0; a < MATMUL_INPUT_LAYOUTS; ++a) {
        for (int b = 0; b < MATMUL_INPUT_LAYOUTS; ++b) {
            const shape *s = &shapes[(a + b) % shape_count];
            const matmul_layout layouts[3] = {(matmul_layout)a, (matmul_layout)b,
                                              (matmul_layout)((a * 3 + b) % MATMUL_OUTPUT_LAYOUTS)};
            run_gemm_case(run, type, layouts, s, -0.75, 0.5, MATMUL_CANCELLING);
        }
    }
    digest_end(run, gemm_name(type), name);
}

static void run_gemm_scalars(digest_run *run, matmul_type type) {
    static const double alphas[] = {1, -1, 0.3, 0, 0x1p-100};
    static const double betas[] = {0, 1, -1, 0.7, 0x1p-120};
    static const shape shapes[] = {{6, 16, 5}, {3, 513, 4}, {25, 7, 1}, {1, 0, 3}};
    static const matmul_values kinds[] = {MATMUL_SPECIAL, MATMUL_TINY};
    static const matmul_layout layouts[3] = {MATMUL_ROW_MAJOR, MATMUL_ROW_MAJOR, MATMUL_ROW_MAJOR};
    digest_begin(run);
    for (int i = 0; i < 5 * 5 * 4 * 2; ++i) {
        run_gemm_case(run, type, layouts, &shapes[i / 2 % 4], alphas[i / 8 % 5], betas[i / 40],
                      kinds[i % 2]);
    }
    digest_end(run, gemm_name(type), "scalars");
}

static void run_gemm(digest_run *run, matmul_type type) {
    static const shape small[] = {{7, 20, 9}, {2, 600, 3}, {17, 5, 1}, {1, 30, 12}};
    static const shape large[] = {{75, 530, 70}, {150, 100, 37}, {600, 300, 1}, {1, 300, 600}};
    run_gemm_layouts(run, type, "layouts", small, 4);
    run_gemm_scalars(run, type);
    if (!run->quick) {
        run_gemm_layouts(run, type, "large-layouts", large, 4);
    }
}

void digest_matmul(digest_run *run) {
    for (int type = 0; type < MATMUL_TYPE_COUNT; ++type) {
        for (size_t i = 0; i < sizeof shape_groups / sizeof shape_groups[0]; ++i) {
            if (shape_groups[i].quick || !run->quick) {
                run_versions(run, (matmul_type)type, &shape_groups[i]);
            }
        }
        run_gemm(run, (matmul_type)type);
    }
}
