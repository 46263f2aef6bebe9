/* kael_gemm: scalars, strides, independence of rows and columns, and bad arguments. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/allocator.h"
#include "kael/linalg.h"
#include "matmul_fixture.h"
#include "memory/system.h"

static const matmul_layout row_major[3] = {MATMUL_ROW_MAJOR, MATMUL_ROW_MAJOR, MATMUL_ROW_MAJOR};

static const char *describe(char text[192], const matmul_shape *shape,
                            const matmul_layout layouts[3], double alpha, double beta) {
    snprintf(text, 192,
             "m %" PRId64 ", k %" PRId64 ", n %" PRId64 ", a %s, b %s, c %s, alpha %g, beta %g",
             shape->rows, shape->inner, shape->columns, matmul_layout_name(layouts[0]),
             matmul_layout_name(layouts[1]), matmul_layout_name(layouts[2]), alpha, beta);
    return text;
}

static void check_gemm(matmul_type type, const matmul_shape *shape, const matmul_layout layouts[3],
                       double alpha, double beta, matmul_values values) {
    char text[192];
    gemm_operands g = new_gemm(type, shape, layouts, alpha, beta, values);
    expect_gemm_matches_oracle(type, &g, describe(text, shape, layouts, alpha, beta));
    free_gemm(&g);
}

static matmul_shape layout_shapes[] = {
    {5, 7, 6}, {17, 33, 20}, {1, 40, 9}, {9, 40, 1}, {3, 600, 5}, {40, 30, 50}, {2, 9, 300},
};

enum { LAYOUT_SHAPES = sizeof layout_shapes / sizeof layout_shapes[0] };

ParameterizedTestParameters(Gemm, EveryLayoutHasTheDefinedBits) {
    return cr_make_param_array(matmul_shape, layout_shapes, LAYOUT_SHAPES);
}

ParameterizedTest(const matmul_shape *shape, Gemm, EveryLayoutHasTheDefinedBits) {
    for (int i = 0; i < MATMUL_INPUT_LAYOUTS * MATMUL_INPUT_LAYOUTS * MATMUL_OUTPUT_LAYOUTS; ++i) {
        const matmul_layout layouts[3] = {
            (matmul_layout)(i % MATMUL_INPUT_LAYOUTS),
            (matmul_layout)(i / MATMUL_INPUT_LAYOUTS % MATMUL_INPUT_LAYOUTS),
            (matmul_layout)(i / MATMUL_INPUT_LAYOUTS / MATMUL_INPUT_LAYOUTS),
        };
        check_gemm(i % 2 == 0 ? MATMUL_F32 : MATMUL_F64, shape, layouts, -0.75, 0.5,
                   MATMUL_CANCELLING);
    }
}

static matmul_shape large_shapes[] = {
    {150, 530, 130}, {300, 64, 260}, {20, 1100, 520}, {520, 1100, 20}, {400, 700, 1}, {1, 700, 400},
};

enum { LARGE_SHAPES = sizeof large_shapes / sizeof large_shapes[0] };

ParameterizedTestParameters(Gemm, LargeProductsInAnyLayoutHaveTheDefinedBits) {
    return cr_make_param_array(matmul_shape, large_shapes, LARGE_SHAPES);
}

ParameterizedTest(const matmul_shape *shape, Gemm, LargeProductsInAnyLayoutHaveTheDefinedBits) {
    static const matmul_layout layouts[][3] = {
        {MATMUL_COLUMN_MAJOR, MATMUL_ROW_MAJOR, MATMUL_PADDED_ROWS},
        {MATMUL_ROW_MAJOR, MATMUL_COLUMN_MAJOR, MATMUL_COLUMN_MAJOR},
        {MATMUL_REVERSED, MATMUL_SPREAD, MATMUL_SPREAD},
        {MATMUL_REPEATED_ROW, MATMUL_FLIPPED_ROWS, MATMUL_REVERSED},
        {MATMUL_PADDED_ROWS, MATMUL_REPEATED_COLUMN, MATMUL_INTERLEAVED},
    };
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; ++i) {
        check_gemm(i % 2 == 0 ? MATMUL_F32 : MATMUL_F64, shape, layouts[i], 1.5, -1,
                   MATMUL_CANCELLING);
    }
}

Test(Gemm, ScalarsAreAppliedAsDefined) {
    static const double alphas[] = {1, -1, 0.3, 0, -0.0, 0x1p-100, INFINITY, NAN};
    static const double betas[] = {0, -0.0, 1, -1, 0.7, 0x1p-120, INFINITY, NAN};
    static const matmul_shape shapes[] = {
        {6, 5, 16}, {3, 513, 4}, {25, 7, 1}, {1, 0, 3}, {2, 0, 3}, {70, 90, 60},
    };
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        for (int i = 0; i < 8 * 8 * 4; ++i) {
            check_gemm(i % 2 == 0 ? MATMUL_F32 : MATMUL_F64, &shapes[s], row_major,
                       alphas[i / 4 % 8], betas[i / 32],
                       i / 2 % 2 == 0 ? MATMUL_SPECIAL : MATMUL_TINY);
        }
    }
}

Test(Gemm, AgreesWithTheVersions) {
    static const matmul_shape shape = {67, 600, 45};
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        gemm_operands g = new_gemm(type, &shape, row_major, 1, 1, MATMUL_ORDINARY);
        for (int v = 0; v < MATMUL_VERSION_COUNT; ++v) {
            if (matmul_versions[v].defined_bits) {
                void *expected =
                    run_version(&matmul_versions[v], type, &shape, g.a, g.b, g.expected);
                memcpy(g.c, g.expected, (size_t)g.c_count * matmul_size(type));
                expect_ok(library_gemm(type, &g.problem), "gemm");
                expect_same_bits(type, g.c, expected, g.c_count, "gemm and %s",
                                 matmul_versions[v].name);
                free(expected);
            }
        }
        free_gemm(&g);
    }
}

/* ---- independence of what else is in the call ---- */

/* Rows [row, row + rows) and columns [column, column + columns) of a product, by themselves. */
static matmul_problem part_of(matmul_type type, const matmul_problem *whole, int64_t row,
                              int64_t rows, int64_t column, int64_t columns) {
    matmul_problem part = *whole;
    part.m = rows;
    part.n = columns;
    part.a.data = matmul_const_at(type, whole->a.data, row * whole->a.row_stride);
    part.b.data = matmul_const_at(type, whole->b.data, column * whole->b.column_stride);
    part.c.data =
        matmul_at(type, whole->c.data, row * whole->c.row_stride + column * whole->c.column_stride);
    return part;
}

static matmul_shape batch_shapes[] = {
    {37, 700, 29}, {130, 100, 70}, {6, 3000, 16}, {70, 520, 90}, {16, 16, 16}, {9, 511, 200},
};

enum { BATCH_SHAPES = sizeof batch_shapes / sizeof batch_shapes[0] };

/* Cuts the rows (or columns) into parts of `width` and expects the bits of the whole product. */
static void expect_parts_match(matmul_type type, const matmul_shape *shape, bool by_rows,
                               int64_t width) {
    gemm_operands g = new_gemm(type, shape, row_major, 1.5, 0.5, MATMUL_CANCELLING);
    expect_ok(library_gemm(type, &g.problem), "whole");
    const int64_t count = by_rows ? shape->rows : shape->columns;
    for (int64_t first = 0; first < count; first += width) {
        const int64_t here = first + width < count ? width : count - first;
        const matmul_problem part =
            by_rows ? part_of(type, &g.expecting, first, here, 0, shape->columns)
                    : part_of(type, &g.expecting, 0, shape->rows, first, here);
        expect_ok(library_gemm(type, &part), "part");
    }
    expect_same_bits(type, g.c, g.expected, g.c_count,
                     "%" PRId64 " x %" PRId64 " x %" PRId64 " whole and by %s of %" PRId64,
                     shape->rows, shape->inner, shape->columns, by_rows ? "rows" : "columns",
                     width);
    free_gemm(&g);
}

ParameterizedTestParameters(Gemm, RowsAndColumnsDoNotDependOnTheOthers) {
    return cr_make_param_array(matmul_shape, batch_shapes, BATCH_SHAPES);
}

ParameterizedTest(const matmul_shape *shape, Gemm, RowsAndColumnsDoNotDependOnTheOthers) {
    static const int64_t widths[] = {1, 2, 3, 7, 33};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; ++i) {
        for (int type = 0; type < MATMUL_TYPE_COUNT; ++type) {
            expect_parts_match((matmul_type)type, shape, true, widths[i]);
            expect_parts_match((matmul_type)type, shape, false, widths[i]);
        }
    }
}

Test(Gemm, TheTransposedProductHasTheSameBits) {
    for (size_t s = 0; s < BATCH_SHAPES; ++s) {
        const matmul_shape *shape = &batch_shapes[s];
        gemm_operands g = new_gemm(MATMUL_F32, shape, row_major, 1.5, 0.5, MATMUL_CANCELLING);
        expect_ok(library_gemm(MATMUL_F32, &g.problem), "a * b");
        matmul_problem transposed = g.expecting;
        transposed.m = shape->columns;
        transposed.n = shape->rows;
        transposed.a = (matmul_input){g.b, 1, shape->columns};
        transposed.b = (matmul_input){g.a, 1, shape->inner};
        transposed.c = (matmul_output){g.expected, 1, shape->columns};
        expect_ok(library_gemm(MATMUL_F32, &transposed), "b' * a'");
        expect_same_bits(MATMUL_F32, g.c, g.expected, g.c_count, "(b' * a')'");
        free_gemm(&g);
    }
}

/* Pointers that are aligned to their elements and to nothing more. */
Test(Gemm, K60_ElementAlignmentSuffices) {
    static const matmul_shape shapes[] = {{33, 33, 33}, {1, 33, 1}, {33, 40, 1}, {7, 520, 64}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const matmul_shape *shape = &shapes[s];
        for (int64_t shift = 0; shift < 16; ++shift) {
            for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
                const matmul_type type = (matmul_type)t;
                void *a = new_filled(type, shape->rows * shape->inner + shift, MATMUL_ORDINARY, 1);
                void *b = new_filled(type, shape->inner * shape->columns + 1, MATMUL_ORDINARY, 2);
                void *c =
                    new_filled(type, shape->rows * shape->columns + shift, MATMUL_ORDINARY, 3);
                const matmul_shape at_shift = *shape;
                void *expected = run_oracle(type, &at_shift, matmul_at(type, a, shift),
                                            matmul_at(type, b, 1), matmul_at(type, c, shift));
                const matmul_problem problem = matmul_contiguous(
                    shape->rows, shape->inner, shape->columns, matmul_at(type, a, shift),
                    matmul_at(type, b, 1), matmul_at(type, c, shift));
                expect_ok(library_gemm(type, &problem), "gemm");
                expect_same_bits(type, matmul_at(type, c, shift), expected,
                                 shape->rows * shape->columns, "shifted by %" PRId64, shift);
                free(a);
                free(b);
                free(c);
                free(expected);
            }
        }
    }
}

/* An odd address is an error that names the argument, for each operand that would be used. */
#define EXPECT_MISALIGNED(suffix, name, a_shift, b_shift, c_shift)                                 \
    do {                                                                                           \
        static const char zeros[64] = {0};                                                         \
        static char out[64] = {0};                                                                 \
        expect_error(kael_gemm_##suffix(2, 2, 2, 1, misplaced(zeros, a_shift), 2, 1,               \
                                        misplaced(zeros, b_shift), 2, 1, 0,                        \
                                        misplaced(out, c_shift), 2, 1),                            \
                     KAEL_ERROR_VALUE, name " multiple address", name);                            \
    } while (0)

/* An address that no element of floating point can have. */
static void *misplaced(const char *memory, int shift) {
    return (void *)((uintptr_t)memory + (uintptr_t)shift);
}

Test(Gemm, K60_MisalignedOperandsAreErrors) {
    for (int shift = 1; shift < 8; ++shift) {
        if (shift % 4 != 0) {
            EXPECT_MISALIGNED(f32, "a", shift, 0, 0);
            EXPECT_MISALIGNED(f32, "b", 0, shift, 0);
            EXPECT_MISALIGNED(f32, "c", 0, 0, shift);
        }
        EXPECT_MISALIGNED(f64, "a", shift, 0, 0);
        EXPECT_MISALIGNED(f64, "b", 0, shift, 0);
        EXPECT_MISALIGNED(f64, "c", 0, 0, shift);
    }
    static float c[4] = {1, 2, 3, 4};
    expect_ok(kael_gemm_f32(2, 2, 2, 0, misplaced("abcdefgh", 1), 2, 1, misplaced("abcdefgh", 3), 2,
                            1, 1, c, 2, 1),
              "operands that are not read");
}

/* Strides along dimensions of size 1 mean nothing, whatever they are. */
Test(Gemm, StridesOfSingleRowsAndColumnsDoNotMatter) {
    static const int64_t strides[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX / 4};
    static const matmul_shape shapes[] = {{1, 1, 1},     {1, 1, 9},    {9, 1, 1},   {9, 1, 9},
                                          {40, 1, 40},   {1, 30, 9},   {9, 30, 1},  {1, 30, 1},
                                          {100, 30, 1},  {1, 30, 400}, {1, 600, 5}, {5, 600, 1},
                                          {1, 600, 400}, {200, 1, 200}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const matmul_shape *shape = &shapes[s];
        const int64_t m = shape->rows;
        const int64_t k = shape->inner;
        const int64_t n = shape->columns;
        float *a = new_filled(MATMUL_F32, m * k, MATMUL_ORDINARY, 1);
        float *b = new_filled(MATMUL_F32, k * n, MATMUL_ORDINARY, 2);
        float *c = new_filled(MATMUL_F32, m * n, MATMUL_ORDINARY, 3);
        float *expected = run_oracle(MATMUL_F32, shape, a, b, c);
        float *before = new_filled(MATMUL_F32, m * n, MATMUL_ORDINARY, 3);
        for (size_t i = 0; i < sizeof strides / sizeof strides[0]; ++i) {
            const int64_t any = strides[i];
            memcpy(c, before, (size_t)(m * n) * sizeof *c);
            expect_ok(kael_gemm_f32(m, n, k, 1, a, m == 1 ? any : k, k == 1 ? any : 1, b,
                                    k == 1 ? any : n, n == 1 ? any : 1, 1, c, m == 1 ? any : n,
                                    n == 1 ? any : 1),
                      "single");
            expect_same_bits(MATMUL_F32, c, expected, m * n,
                             "%" PRId64 " x %" PRId64 " x %" PRId64 ", strides of %" PRId64, m, k,
                             n, any);
        }
        free(a);
        free(b);
        free(c);
        free(expected);
        free(before);
    }
}

/* ---- cases from practice ---- */

Test(Gemm, K10_EmptyInnerSize) {
    static const float betas[] = {0, 0.5F, 1};
    static const float results[] = {0, 3.5F, 7};
    for (int i = 0; i < 3; ++i) {
        float c[6] = {7, 7, 7, 7, 7, 7};
        expect_ok(kael_gemm_f32(2, 3, 0, 1, NULL, 0, 1, NULL, 3, 1, betas[i], c, 3, 1), "k = 0");
        for (int j = 0; j < 6; ++j) {
            cr_expect(c[j] == results[i], "beta %g: %g", (double)betas[i], (double)c[j]);
        }
    }
    expect_ok(kael_gemm_f32(0, 3, 2, 1, NULL, 2, 1, NULL, 3, 1, 0, NULL, 3, 1), "m = 0");
    expect_ok(kael_gemm_f64(3, 0, 2, 1, NULL, 2, 1, NULL, 3, 1, 0, NULL, 3, 1), "n = 0");
    expect_ok(kael_gemm_f64(0, 0, 0, 1, NULL, 2, 1, NULL, 3, 1, 0, NULL, 3, 1), "all 0");
}

static void expect_all(matmul_type type, const void *array, int64_t count, double value,
                       const char *what) {
    for (int64_t i = 0; i < count; ++i) {
        if (matmul_get(type, array, i) != value) {
            cr_expect(false, "%s: element %lld is %g, not %g", what, (long long)i,
                      matmul_get(type, array, i), value);
            return;
        }
    }
}

Test(Gemm, K11_BetaZeroDoesNotReadC) {
    static const matmul_shape shapes[] = {
        {7, 9, 5}, {7, 5, 9}, {64, 64, 64}, {64, 64, 1}, {1, 600, 64}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const matmul_shape *shape = &shapes[s];
        for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
            const matmul_type type = (matmul_type)t;
            const int64_t count = shape->rows * shape->columns;
            void *a = new_constant(type, shape->rows * shape->inner, 1);
            void *b = new_constant(type, shape->inner * shape->columns, 1);
            void *nans = new_constant(type, shape->inner * shape->columns, NAN);
            void *c = new_constant(type, count, NAN);
            matmul_problem problem =
                matmul_contiguous(shape->rows, shape->inner, shape->columns, a, b, c);
            problem.beta = 0;
            expect_ok(library_gemm(type, &problem), "clean");
            expect_all(type, c, count, (double)shape->inner, "c of NaN");

            /* Buffers reused after a product full of NaN must not let it through. */
            matmul_problem dirty = problem;
            dirty.b.data = nans;
            expect_ok(library_gemm(type, &dirty), "NaN");
            cr_expect(isnan(matmul_get(type, c, count - 1)));
            expect_ok(library_gemm(type, &problem), "clean again");
            expect_all(type, c, count, (double)shape->inner, "after a product of NaN");
            free(a);
            free(b);
            free(nans);
            free(c);
        }
    }
}

Test(Gemm, BetaZeroGivesPositiveZerosAndReadsNothing) {
    double c[4] = {-0.0, NAN, INFINITY, -1};
    expect_ok(kael_gemm_f64(2, 2, 1, 0, NULL, 1, 1, NULL, 2, 1, 0, c, 2, 1), "alpha 0, beta 0");
    for (int i = 0; i < 4; ++i) {
        cr_expect(c[i] == 0 && !signbit(c[i]), "element %d is %g", i, c[i]);
    }
}

Test(Gemm, K22_ZeroStride) {
    const float a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const float one = 1;
    float c[2] = {0, 0};
    expect_ok(kael_gemm_f32(2, 1, 4, 1, a, 4, 1, &one, 0, 0, 0, c, 1, 1), "f32");
    cr_expect(c[0] == 10 && c[1] == 26, "%g %g", (double)c[0], (double)c[1]);

    const double wide[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const double wide_one = 1;
    double wide_c[6] = {0};
    expect_ok(kael_gemm_f64(2, 3, 4, 1, wide, 4, 1, &wide_one, 0, 0, 0, wide_c, 3, 1), "f64");
    for (int i = 0; i < 6; ++i) {
        cr_expect(wide_c[i] == (i < 3 ? 10 : 26), "element %d is %g", i, wide_c[i]);
    }
}

Test(Gemm, K23_NegativeStrides) {
    const double a[4] = {1, 2, 3, 4};
    const double identity[4] = {1, 0, 0, 1};
    double c[4] = {0};
    expect_ok(kael_gemm_f64(2, 2, 2, 1, a + 3, -2, -1, identity, 2, 1, 0, c, 2, 1), "flipped a");
    cr_expect(c[0] == 4 && c[1] == 3 && c[2] == 2 && c[3] == 1);
    expect_ok(kael_gemm_f64(2, 2, 2, 1, identity, 2, 1, a + 3, -2, -1, 0, c, 2, 1), "flipped b");
    cr_expect(c[0] == 4 && c[1] == 3 && c[2] == 2 && c[3] == 1);
    expect_ok(kael_gemm_f64(2, 2, 2, 1, a, 2, 1, identity, 2, 1, 0, c + 3, -2, -1), "flipped c");
    cr_expect(c[0] == 4 && c[1] == 3 && c[2] == 2 && c[3] == 1);
}

/* arange(20000)[::-3] as a vector, against its copy. */
Test(Gemm, K23_ReversedSteps) {
    enum { SOURCE = 20000, COUNT = (SOURCE + 2) / 3 };
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        void *source = new_array(type, SOURCE);
        void *copy = new_array(type, COUNT);
        void *weights = new_filled(type, 3 * COUNT, MATMUL_CANCELLING, 5);
        double from_view[3] = {0};
        double from_copy[3] = {0};
        for (int64_t i = 0; i < SOURCE; ++i) {
            matmul_set(type, source, i, (double)i);
        }
        for (int64_t i = 0; i < COUNT; ++i) {
            matmul_set(type, copy, i, (double)(SOURCE - 1 - 3 * i));
        }
        matmul_problem problem = matmul_contiguous(1, COUNT, 3, copy, weights, from_copy);
        expect_ok(library_gemm(type, &problem), "copy");
        problem.a = (matmul_input){matmul_at(type, source, SOURCE - 1), SOURCE, -3};
        problem.c.data = from_view;
        expect_ok(library_gemm(type, &problem), "view");
        expect_same_bits(type, from_view, from_copy, 3, "reversed view and its copy");
        free(source);
        free(copy);
        free(weights);
    }
}

Test(Gemm, K38_ZeroShortcuts) {
    const float zeros[2] = {0, 0};
    const float with_nan[2] = {NAN, 1};
    float c = 0;
    expect_ok(kael_gemm_f32(1, 1, 2, 1, zeros, 2, 1, with_nan, 1, 1, 0, &c, 1, 1), "0 * NaN");
    cr_expect(isnan(c), "0 * NaN gave %g", (double)c);

    const double nan = NAN;
    const double one = 1;
    double d = 3;
    expect_ok(kael_gemm_f64(1, 1, 1, 0, &nan, 1, 1, &one, 1, 1, 2, &d, 1, 1), "alpha 0");
    cr_expect(d == 6, "alpha 0 gave %g", d);

    const float special[3] = {NAN, INFINITY, 3};
    const float zero = 0;
    float products[3] = {1, 1, 1};
    expect_ok(kael_gemm_f32(3, 1, 1, 1, special, 1, 1, &zero, 1, 1, 0, products, 1, 1), "times 0");
    cr_expect(isnan(products[0]) && isnan(products[1]) && products[2] == 0);
}

/* m * k and k * n do not fit in 32 bits; repeated rows and columns keep the memory small. */
Test(Gemm, K48_SizesWhoseProductNeedsMoreThan32Bits) {
    enum { SIZE = 46341 };
    void *vector = new_filled(MATMUL_F32, SIZE, MATMUL_CANCELLING, 6);
    void *matrix_row = new_filled(MATMUL_F32, SIZE, MATMUL_CANCELLING, 7);
    void *c = new_constant(MATMUL_F32, SIZE, NAN);
    const matmul_problem wide = {
        .m = 1,
        .n = SIZE,
        .k = SIZE,
        .alpha = 1,
        .a = {vector, SIZE, 1},
        .b = {matrix_row, 1, 0},
        .beta = 0,
        .c = {c, SIZE, 1},
    };
    const float expected = (float)oracle_gemm_element(MATMUL_F32, &wide, 0, SIZE - 1);
    void *every = new_constant(MATMUL_F32, SIZE, (double)expected);
    expect_ok(library_gemm(MATMUL_F32, &wide), "1 x 46341 x 46341");
    expect_same_bits(MATMUL_F32, c, every, SIZE, "1 x 46341 x 46341");
    free(vector);
    free(matrix_row);
    free(c);
    free(every);
}

/* ---- bad arguments ---- */

/* One call with everything right but what the row says. */
typedef struct bad_gemm {
    int64_t m;
    int64_t n;
    int64_t k;
    int64_t a_row;
    int64_t b_row;
    int64_t c_row;
    int64_t c_column;
    char null; /* 'a', 'b', 'c' or '-' for none */
    kael_status status;
    const char *words;
} bad_gemm;

#define BIG (INT64_C(1) << 32)

static const bad_gemm bad_gemms[] = {
    {-1, 2, 2, 2, 2, 2, 1, '-', KAEL_ERROR_VALUE, "m -1"},
    {2, -5, 2, 2, 2, 2, 1, '-', KAEL_ERROR_VALUE, "n -5"},
    {2, 2, INT64_MIN, 2, 2, 2, 1, '-', KAEL_ERROR_VALUE, "k -9223372036854775808"},
    {0, -2, 0, 2, 2, 2, 1, '-', KAEL_ERROR_VALUE, "n -2"},
    {2, 2, 2, 2, 2, 2, 1, 'a', KAEL_ERROR_VALUE, "a NULL"},
    {2, 2, 2, 2, 2, 2, 1, 'b', KAEL_ERROR_VALUE, "b NULL"},
    {2, 2, 2, 2, 2, 2, 1, 'c', KAEL_ERROR_VALUE, "c NULL"},
    {2, 2, 0, 2, 2, 2, 1, 'c', KAEL_ERROR_VALUE, "c NULL"},
    /* extents that overflow */
    {3, 2, 2, INT64_MAX / 2, 2, 2, 1, '-', KAEL_ERROR_SHAPE, "a 4611686018427387903"},
    {2, 2, 2, INT64_MIN, 2, 2, 1, '-', KAEL_ERROR_SHAPE, "a -9223372036854775808"},
    {2, 2, 2, 2, INT64_MIN, 2, 1, '-', KAEL_ERROR_SHAPE, "b -9223372036854775808"},
    {2, 2, 2, 2, INT64_MAX / 4, 2, 1, '-', KAEL_ERROR_SHAPE, "b 2305843009213693951"},
    {2, 2, 2, 2, 2, INT64_MAX / 4, 1, '-', KAEL_ERROR_SHAPE, "c 2305843009213693951"},
    {2, 2, 2, 2, 2, INT64_MIN, 1, '-', KAEL_ERROR_SHAPE, "c -9223372036854775808"},
    {BIG, BIG, 0, 2, 2, BIG, 1, '-', KAEL_ERROR_SHAPE, "c 4294967296"},
    {INT64_MAX, 1, 1, 0, 1, 1, 1, '-', KAEL_ERROR_SHAPE, "c 9223372036854775807"},
    /* elements of c that share memory */
    {2, 2, 2, 2, 2, 0, 1, '-', KAEL_ERROR_SHAPE, "c 0"},
    {2, 2, 2, 2, 2, 2, 0, '-', KAEL_ERROR_SHAPE, "c 0"},
    {1, 2, 2, 2, 2, 2, 0, '-', KAEL_ERROR_SHAPE, "c 0"},
    {2, 1, 2, 2, 2, 0, 1, '-', KAEL_ERROR_SHAPE, "c 0"},
    {2, 2, 2, 2, 2, 1, 1, '-', KAEL_ERROR_SHAPE, "c 1"},
    {2, 2, 2, 2, 2, 1, -1, '-', KAEL_ERROR_SHAPE, "c -1"},
    {2, 3, 2, 2, 3, 2, 1, '-', KAEL_ERROR_SHAPE, "c 2"},
    {3, 4, 2, 2, 4, 3, 2, '-', KAEL_ERROR_SHAPE, "c 3 2"},
    {2, 2, 0, 2, 2, 0, 0, '-', KAEL_ERROR_SHAPE, "c 0"},
};

#define CALL_BAD(type, bad, a, b, c)                                                               \
    kael_gemm_##type((bad)->m, (bad)->n, (bad)->k, 1, (bad)->null == 'a' ? NULL : (a),             \
                     (bad)->a_row, 1, (bad)->null == 'b' ? NULL : (b), (bad)->b_row, 1, 0,         \
                     (bad)->null == 'c' ? NULL : (c), (bad)->c_row, (bad)->c_column)

Test(Gemm, BadArgumentsAreErrorsAndChangeNothing) {
    for (size_t i = 0; i < sizeof bad_gemms / sizeof bad_gemms[0]; ++i) {
        const bad_gemm *bad = &bad_gemms[i];
        char what[32];
        snprintf(what, sizeof what, "bad call %zu", i);
        const float a[16] = {0};
        float c[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        expect_error(CALL_BAD(f32, bad, a, a, c + 8), bad->status, bad->words, what);
        for (int j = 0; j < 16; ++j) {
            cr_expect(c[j] == (float)(j + 1), "%s changed c", what);
        }
        const double wide_a[16] = {0};
        double wide_c[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        expect_error(CALL_BAD(f64, bad, wide_a, wide_a, wide_c + 8), bad->status, bad->words, what);
        for (int j = 0; j < 16; ++j) {
            cr_expect(wide_c[j] == j + 1, "%s changed c", what);
        }
    }
}

/* Strides that look as if elements met, but they do not. */
Test(Gemm, InterleavedOutputsWithDistinctElementsAreFine) {
    static const struct {
        int64_t m;
        int64_t n;
        int64_t row;
        int64_t column;
    } outputs[] = {{2, 3, 3, 2},  {3, 2, 2, 3}, {4, 3, 3, 4},
                   {2, 5, 5, -2}, {1, 4, 0, 1}, {4, 1, 1, 0}};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; ++i) {
        const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        float c[48];
        for (int j = 0; j < 48; ++j) {
            c[j] = 5;
        }
        expect_ok(kael_gemm_f32(outputs[i].m, outputs[i].n, 2, 1, ones, 0, 1, ones, 0, 1, 2, c + 24,
                                outputs[i].row, outputs[i].column),
                  "interleaved");
        int changed = 0;
        for (int j = 0; j < 48; ++j) {
            cr_expect(c[j] == 5 || c[j] == 12, "element %d is %g", j, (double)c[j]);
            changed += c[j] == 12;
        }
        cr_expect(changed == outputs[i].m * outputs[i].n, "%d elements changed", changed);
    }
}

Test(Gemm, OperandsThatAreNotReadMayBeNull) {
    double c[4] = {1, 2, 3, 4};
    expect_ok(kael_gemm_f64(2, 2, 3, 0, NULL, 3, 1, NULL, 2, 1, 2, c, 2, 1), "alpha 0");
    cr_expect(c[0] == 2 && c[1] == 4 && c[2] == 6 && c[3] == 8);
    expect_ok(kael_gemm_f64(2, 2, 0, 1, NULL, 0, 1, NULL, 2, 1, 0.5, c, 2, 1), "k 0");
    cr_expect(c[0] == 1 && c[1] == 2 && c[2] == 3 && c[3] == 4);
}

/* Fails the first allocation of a product, then the second and so on, until none is left to fail.
 */
Test(Gemm, FailedAllocationsLeaveCUnchanged) {
    static const matmul_shape shape = {150, 530, 130};
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        gemm_operands g = new_gemm(type, &shape, row_major, 1.5, 0.5, MATMUL_CANCELLING);
        int64_t failures = 0;
        for (int64_t number = 1; number < 100; ++number) {
            kael_empty_cache();
            kael_system_inject_failures(number, 1000);
            const kael_status status = library_gemm(type, &g.problem);
            const bool failed = kael_system_injected_failures() > 0;
            kael_system_inject_failures(0, 0);
            if (!failed) {
                expect_ok(status, "no failure left");
                break;
            }
            ++failures;
            expect_error(status, KAEL_ERROR_MEMORY, "bytes", "failed allocation");
            expect_same_bits(type, g.c, g.expected, g.c_count, "after a failed allocation");
        }
        cr_expect(failures > 0, "no allocation was failed");
        oracle_gemm(type, &g.expecting);
        expect_same_bits(type, g.c, g.expected, g.c_count, "after the last allocation");
        free_gemm(&g);
    }
}
