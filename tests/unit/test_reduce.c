/* Reductions: every operation, dtype and layout against the definition, and their cases. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>
#include <stdio.h>

#include "kael/parallel.h"
#include "reduce_cases.h"
#include "tensor_checks.h"

/* ---- the definition ---- */

typedef struct bits_case {
    reduce_shape shape;
    int64_t threads;
    kael_dtype first_dtype; /* all from here on */
} bits_case;

/* Rows and columns around the widths of vectors, groups and tiles; runs that are whole groups of
 * lanes or not; then lengths around the block, in loops of several chunks. */
static bits_case bits_cases[] = {
    {{1, {1}}, 1, KAEL_BOOL},          {{1, {7}}, 1, KAEL_BOOL},
    {{1, {8}}, 1, KAEL_BOOL},          {{1, {9}}, 1, KAEL_BOOL},
    {{1, {65}}, 1, KAEL_BOOL},         {{1, {257}}, 1, KAEL_BOOL},
    {{1, {1031}}, 1, KAEL_BOOL},       {{2, {3, 5}}, 1, KAEL_BOOL},
    {{2, {8, 8}}, 1, KAEL_BOOL},       {{2, {17, 33}}, 1, KAEL_BOOL},
    {{2, {40, 72}}, 1, KAEL_BOOL},     {{2, {67, 3}}, 1, KAEL_BOOL},
    {{2, {5, 300}}, 1, KAEL_BOOL},     {{3, {2, 3, 4}}, 1, KAEL_BOOL},
    {{3, {4, 9, 16}}, 1, KAEL_BOOL},   {{3, {7, 1, 13}}, 1, KAEL_BOOL},
    {{4, {3, 4, 2, 5}}, 1, KAEL_BOOL}, {{1, {16383}}, 2, KAEL_BF16},
    {{1, {16392}}, 2, KAEL_BF16},      {{1, {150001}}, 3, KAEL_F32},
    {{2, {3, 20000}}, 5, KAEL_F32},    {{2, {20001, 3}}, 2, KAEL_F32},
    {{2, {400, 401}}, 8, KAEL_F32},    {{2, {41, 2500}}, 1, KAEL_F32},
    {{3, {50, 40, 41}}, 64, KAEL_F32},
};

static int64_t dims_of(unsigned mask, int64_t ndim, int64_t dims[4]) {
    int64_t count = 0;
    for (int64_t d = ndim - 1; d >= 0; --d) { /* backwards: the order does not matter */
        if ((mask >> d & 1) != 0) {
            dims[count++] = d - (d % 2 == 0 ? 0 : ndim);
        }
    }
    return count;
}

static bool has_operation(reduce_operation operation, int64_t ndims) {
    return (operation != REDUCE_ARGMAX && operation != REDUCE_ARGMIN) || ndims == 1;
}

static void expect_definition(const kael_tensor *t, unsigned mask, const char *what) {
    const int64_t ndim = kael_tensor_ndim(t);
    int64_t dims[4] = {0};
    const int64_t ndims = dims_of(mask, ndim, dims);
    for (int o = 0; o < REDUCE_OPERATIONS; ++o) {
        const reduce_operation operation = (reduce_operation)o;
        if (!has_operation(operation, ndims)) {
            continue;
        }
        const bool keepdim = (mask + (unsigned)o) % 2 == 0;
        const double correction = o % 2;
        kael_tensor *out;
        ASSERT_OK(call_reduction(operation, &out, t, ndims, dims, keepdim, correction));
        kael_tensor *expected = new_expected(operation, t, mask, keepdim, correction);
        expect_same_tensor(out, expected, "%s of %s, %s, mask %u", reduce_name(operation),
                           kael_dtype_name(kael_tensor_dtype(t)), what, mask);
        kael_tensor_release(out);
        kael_tensor_release(expected);
    }
}

static void expect_definition_of_all(const kael_tensor *t, const char *what) {
    for (reduce_operation o = REDUCE_ARGMAX; o <= REDUCE_ARGMIN; ++o) {
        kael_tensor *out;
        ASSERT_OK(call_reduction(o, &out, t, 0, NULL, false, 0));
        kael_tensor *expected = new_expected(o, t, 15, false, 0);
        expect_same_tensor(out, expected, "%s of all, %s", reduce_name(o), what);
        kael_tensor_release(out);
        kael_tensor_release(expected);
    }
}

ParameterizedTestParameters(Reduce, AnyLayoutGivesTheDefinitionsBits) {
    return cr_make_param_array(bits_case, bits_cases, COUNT_OF(bits_cases));
}

ParameterizedTest(const bits_case *c, Reduce, AnyLayoutGivesTheDefinitionsBits, .timeout = 600) {
    use_threads(c->threads);
    uint64_t seed = 0;
    for (int dtype = (int)c->first_dtype; dtype <= KAEL_F64; ++dtype) {
        for (int layout = 0; layout < LAYOUT_COUNT; ++layout) {
            /* Every kind of values for the small shapes, another one each time for the others. */
            const int first = c->threads == 1 ? 0 : (dtype + layout) % VALUES_COUNT;
            const int last = c->threads == 1 ? VALUES_COUNT - 1 : first;
            for (int values = first; values <= last; ++values) {
                kael_tensor *t =
                    new_reduce_input((kael_dtype)dtype, &c->shape, (reduce_layout)layout,
                                     (reduce_values)values, ++seed);
                char what[64];
                snprintf(what, sizeof what, "layout %d, values %d", layout, values);
                for (unsigned mask = 0; mask < 1U << c->shape.ndim; ++mask) {
                    expect_definition(t, mask, what);
                }
                expect_definition_of_all(t, what);
                kael_tensor_release(t);
            }
        }
    }
}
