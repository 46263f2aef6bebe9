/* The ladder: v2 to v6 and multiply against v1 within rounding, and from v4 on against the oracle
 * bit for bit. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matmul_fixture.h"

static matmul_shape shapes[] = {
    {1, 1, 1},
    {7, 1, 13},
    {65, 257, 31},
    /* edges of every kernel's tiles */
    {2, 2, 2},
    {4, 4, 4},
    {5, 3, 7},
    {6, 8, 16},
    {7, 9, 17},
    {8, 12, 24},
    {11, 13, 15},
    {12, 6, 32},
    {13, 31, 33},
    {14, 20, 47},
    {15, 64, 48},
    {29, 17, 49},
    {31, 100, 63},
    {32, 32, 32},
    {33, 33, 33},
    {48, 40, 65},
    {97, 64, 101},
    /* lengths of chains: one, eight short ones, one block and two, ragged lanes */
    {3, 510, 5},
    {9, 511, 17},
    {13, 512, 17},
    {33, 513, 49},
    {6, 519, 16},
    {5, 520, 31},
    {6, 1023, 7},
    {6, 1024, 16},
    {7, 1025, 15},
    {5, 2047, 3},
    {9, 2048, 18},
    {5, 2049, 9},
    {14, 2055, 34},
    {7, 4095, 11},
    {4, 4096, 12},
    {5, 4097, 13},
    {6, 4100, 17},
    {3, 6145, 5},
    {1, 522241, 1}, /* the last block is one element long: seven empty lanes */
    /* vectors and thin matrices */
    {1, 37, 1},
    {1, 3000, 1},
    {1, 300, 70},
    {1, 700, 260},
    {70, 300, 1},
    {260, 700, 1},
    {2, 900, 300},
    {300, 900, 2},
    {3, 5, 5000},
    {5000, 5, 3},
    {1, 1, 600},
    {600, 1, 1},
    /* more than one cache block in each direction */
    {200, 600, 150},
    {401, 37, 530},
    {530, 300, 97},
    {64, 2100, 70},
    {5, 1030, 4200},
};

enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

typedef struct operands {
    matmul_type type;
    matmul_shape shape;
    void *a;
    void *b;
    void *out;
    int64_t out_count;
} operands;

static operands new_operands(matmul_type type, const matmul_shape *shape, matmul_values values) {
    return (operands){
        .type = type,
        .shape = *shape,
        .a = new_filled(type, shape->rows * shape->inner, values, 1),
        .b = new_filled(type, shape->inner * shape->columns, values, 2),
        .out = new_filled(type, shape->rows * shape->columns, values, 3),
        .out_count = shape->rows * shape->columns,
    };
}

static void free_operands(operands *o) {
    free(o->a);
    free(o->b);
    free(o->out);
}

/* |out| + |a| |b|, which bounds what is rounded on the way to each element. */
static double *new_magnitudes(const operands *o) {
    const matmul_shape *s = &o->shape;
    double *magnitudes = new_array(MATMUL_F64, o->out_count);
    for (int64_t i = 0; i < o->out_count; ++i) {
        magnitudes[i] = fabs(matmul_get(o->type, o->out, i));
    }
    for (int64_t i = 0; i < s->rows; ++i) {
        for (int64_t k = 0; k < s->inner; ++k) {
            const double a = fabs(matmul_get(o->type, o->a, i * s->inner + k));
            for (int64_t j = 0; j < s->columns; ++j) {
                magnitudes[i * s->columns + j] +=
                    a * fabs(matmul_get(o->type, o->b, k * s->columns + j));
            }
        }
    }
    return magnitudes;
}

/* Each result is within (inner + 1) half-ulps of the exact one, relative to the magnitudes. */
static void expect_close(const operands *o, const void *actual, const void *reference,
                         const double *magnitudes, const char *what) {
    const double relative = ((double)o->shape.inner + 10) * matmul_epsilon(o->type);
    for (int64_t i = 0; i < o->out_count; ++i) {
        const double error =
            fabs(matmul_get(o->type, actual, i) - matmul_get(o->type, reference, i));
        if (!(error <= relative * magnitudes[i])) {
            char text[MATMUL_TEXT_SIZE];
            matmul_describe_difference(text, o->type, actual, reference, i);
            cr_expect(false, "%s %s: %s, off by more than %g", matmul_type_name(o->type), what,
                      text, relative * magnitudes[i]);
            return;
        }
    }
}

static const char *describe(char text[128], const operands *o, const char *version,
                            matmul_values values) {
    snprintf(text, 128, "%s of %" PRId64 " x %" PRId64 " x %" PRId64 ", values %d", version,
             o->shape.rows, o->shape.inner, o->shape.columns, (int)values);
    return text;
}

static void check_versions(matmul_type type, const matmul_shape *shape, matmul_values values) {
    operands o = new_operands(type, shape, values);
    const bool has_bound = values != MATMUL_TINY && values != MATMUL_SPECIAL;
    void *reference = run_version(&matmul_reference, type, shape, o.a, o.b, o.out);
    void *expected = run_oracle(type, shape, o.a, o.b, o.out);
    double *magnitudes = has_bound ? new_magnitudes(&o) : NULL;
    char text[128];
    if (has_bound) {
        expect_close(&o, expected, reference, magnitudes, describe(text, &o, "oracle", values));
    }
    for (int i = 0; i < MATMUL_VERSION_COUNT; ++i) {
        const matmul_version *version = &matmul_versions[i];
        void *actual = run_version(version, type, shape, o.a, o.b, o.out);
        describe(text, &o, version->name, values);
        if (version->defined_bits || values == MATMUL_INTEGERS) {
            expect_same_bits(type, actual, expected, o.out_count, "%s", text);
        }
        if (has_bound) {
            expect_close(&o, actual, reference, magnitudes, text);
        }
        free(actual);
    }
    free(magnitudes);
    free(expected);
    free(reference);
    free_operands(&o);
}

/* Every kind of values, the costly shapes with one kind only. */
static void check_shape(matmul_type type, const matmul_shape *shape) {
    const bool costly = shape->rows * shape->inner * shape->columns > 2000000;
    check_versions(type, shape, MATMUL_CANCELLING);
    for (int values = 0; !costly && values < MATMUL_VALUES_COUNT; ++values) {
        if (values != MATMUL_CANCELLING) {
            check_versions(type, shape, (matmul_values)values);
        }
    }
}

ParameterizedTestParameters(MatmulVersions, MatchTheTextbookLoopF32) {
    return cr_make_param_array(matmul_shape, shapes, SHAPE_COUNT);
}

ParameterizedTest(const matmul_shape *shape, MatmulVersions, MatchTheTextbookLoopF32) {
    check_shape(MATMUL_F32, shape);
}

ParameterizedTestParameters(MatmulVersions, MatchTheTextbookLoopF64) {
    return cr_make_param_array(matmul_shape, shapes, SHAPE_COUNT);
}

ParameterizedTest(const matmul_shape *shape, MatmulVersions, MatchTheTextbookLoopF64) {
    check_shape(MATMUL_F64, shape);
}

Test(MatmulVersions, EverySmallShapeHasTheDefinedBits) {
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        for (int64_t i = 0; i < 9 * 9 * 9; ++i) {
            const matmul_shape shape = {1 + i / 81, 1 + i / 9 % 9, 1 + i % 9};
            check_versions((matmul_type)t, &shape, i % 2 == 0 ? MATMUL_TINY : MATMUL_CANCELLING);
        }
    }
}

/* Every product underflows to -0, and so do all sums; adding a +0 for one of the seven empty lanes
 * at the end would show. */
Test(MatmulVersions, EmptyLanesKeepTheSignOfZero) {
    static const matmul_shape edges[] = {
        {1, 522241, 1}, {9, 522241, 1}, {1, 522241, 9}, {5, 522242, 9}};
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        const double tiny = type == MATMUL_F32 ? 0x1p-80 : 0x1p-600;
        for (size_t i = 0; i < sizeof edges / sizeof edges[0]; ++i) {
            const matmul_shape *shape = &edges[i];
            const int64_t count = shape->rows * shape->columns;
            void *a = new_constant(type, shape->rows * shape->inner, tiny);
            void *b = new_constant(type, shape->inner * shape->columns, -tiny);
            void *zeros = new_constant(type, count, -0.0);
            for (int v = 0; v < MATMUL_VERSION_COUNT; ++v) {
                if (matmul_versions[v].defined_bits) {
                    void *actual = run_version(&matmul_versions[v], type, shape, a, b, zeros);
                    expect_same_bits(
                        type, actual, zeros, count, "%s of %" PRId64 " x %" PRId64 " x %" PRId64,
                        matmul_versions[v].name, shape->rows, shape->inner, shape->columns);
                    free(actual);
                }
            }
            free(a);
            free(b);
            free(zeros);
        }
    }
}

/* ---- empty and bad arguments ---- */

static void expect_untouched(matmul_type type, const matmul_version *version,
                             const kael_matmul_sizes *sizes) {
    double out[6] = {0};
    double before[6];
    matmul_fill(type, out, 6, MATMUL_SPECIAL, 4);
    memcpy(before, out, sizeof out);
    const double operand[6] = {0};
    expect_ok(version->call[type](operand, operand, out, sizes), version->name);
    cr_expect(memcmp(out, before, matmul_size(type) * 6) == 0, "%s wrote to the output",
              version->name);
    expect_ok(version->call[type](NULL, NULL, NULL, sizes), version->name);
}

Test(MatmulVersionsEmpty, ZeroSizesLeaveOutputUntouched) {
    static const kael_matmul_sizes empty[] = {
        {0, 3, 2},
        {2, 0, 3},
        {3, 2, 0},
        {0, 0, 0},
        {0, 0, 5},
        {INT64_C(1) << 40, 0, INT64_C(1) << 40},
        {INT64_C(1) << 40, INT64_C(1) << 40, 0},
    };
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        for (int version = 0; version < MATMUL_VERSION_COUNT; ++version) {
            for (size_t i = 0; i < sizeof empty / sizeof empty[0]; ++i) {
                expect_untouched((matmul_type)t, &matmul_versions[version], &empty[i]);
            }
        }
    }
}

typedef struct bad_call {
    kael_matmul_sizes sizes;
    char null; /* 'a', 'b', 'o', 's' or '-' for none */
    kael_status status;
    const char *words;
} bad_call;

static const bad_call bad_calls[] = {
    {{2, 2, 2}, 'a', KAEL_ERROR_VALUE, "a NULL"},
    {{2, 2, 2}, 'b', KAEL_ERROR_VALUE, "b NULL"},
    {{2, 2, 2}, 'o', KAEL_ERROR_VALUE, "out NULL"},
    {{2, 2, 2}, 's', KAEL_ERROR_VALUE, "sizes NULL"},
    {{-1, 2, 2}, '-', KAEL_ERROR_VALUE, "rows -1"},
    {{2, -7, 2}, '-', KAEL_ERROR_VALUE, "inner -7"},
    {{2, 2, INT64_MIN}, '-', KAEL_ERROR_VALUE, "columns -9223372036854775808"},
    {{0, -1, 2}, '-', KAEL_ERROR_VALUE, "inner -1"},
    {{-3, 0, 0}, '-', KAEL_ERROR_VALUE, "rows -3"},
    {{INT64_C(1) << 32, INT64_C(1) << 32, 1}, '-', KAEL_ERROR_SHAPE, "a 4294967296"},
    {{INT64_C(1) << 62, 8, 1}, '-', KAEL_ERROR_SHAPE, "a 4611686018427387904"},
    {{1, INT64_C(1) << 40, INT64_C(1) << 40}, '-', KAEL_ERROR_SHAPE, "b 1099511627776"},
    {{INT64_C(1) << 40, 1, INT64_C(1) << 40}, '-', KAEL_ERROR_SHAPE, "out 1099511627776"},
    {{1, 1, INT64_MAX}, '-', KAEL_ERROR_SHAPE, "b 9223372036854775807"},
};

Test(MatmulVersions, BadArgumentsAreErrorsAndChangeNothing) {
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        for (int v = 0; v < MATMUL_VERSION_COUNT; ++v) {
            for (size_t i = 0; i < sizeof bad_calls / sizeof bad_calls[0]; ++i) {
                const bad_call *bad = &bad_calls[i];
                const double operand[4] = {0};
                double out[4] = {1, 2, 3, 4};
                const double before[4] = {1, 2, 3, 4};
                const kael_status status = matmul_versions[v].call[t](
                    bad->null == 'a' ? NULL : operand, bad->null == 'b' ? NULL : operand,
                    bad->null == 'o' ? NULL : out, bad->null == 's' ? NULL : &bad->sizes);
                expect_error(status, bad->status, bad->words, matmul_versions[v].name);
                cr_expect(memcmp(out, before, sizeof out) == 0, "%s changed the output",
                          matmul_versions[v].name);
            }
        }
    }
}

/* A pointer that no float or double can have, for each argument. */
static double *misplaced(double *memory) {
    return (double *)((uintptr_t)memory + 1);
}

Test(MatmulVersions, K60_MisalignedPointersAreErrors) {
    static const char *const words[] = {"a multiple", "b multiple", "out multiple"};
    const kael_matmul_sizes sizes = {2, 2, 2};
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        for (int v = 0; v < MATMUL_VERSION_COUNT; ++v) {
            for (int bad = 0; bad < 3; ++bad) {
                double operand[6] = {0};
                double out[6] = {0};
                const kael_status status =
                    matmul_versions[v].call[t](bad == 0 ? misplaced(operand) : operand,
                                               bad == 1 ? misplaced(operand) : operand,
                                               bad == 2 ? misplaced(out) : out, &sizes);
                expect_error(status, KAEL_ERROR_VALUE, words[bad], matmul_versions[v].name);
            }
        }
    }
}
