/* Selecting and assembling, against loops over single elements. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kael/indexing.h"
#include "kael/parallel.h"
#include "kernels/half.h"
#include "layouts.h"
#include "tensor/copy.h"
#include "tensor/tensor.h"

static const int64_t thread_counts[] = {1, 2, 3, 5, 8};

/* Something for *out that is not NULL. */
static kael_tensor *poison(void) {
    static int64_t target;
    return (kael_tensor *)(void *)&target;
}

/* The position that an index tensor names. */
static int64_t position_at(const kael_tensor *indices, const int64_t *at, int64_t size) {
    const char *element = test_element(indices, at);
    int32_t narrow;
    int64_t index;
    if (indices->dtype == KAEL_I32) {
        memcpy(&narrow, element, sizeof narrow);
        index = narrow;
    } else {
        memcpy(&index, element, sizeof index);
    }
    return index < 0 ? index + size : index;
}

static kael_tensor *expect_index_select(const kael_tensor *t, int64_t dim,
                                        const kael_tensor *indices) {
    int64_t shape[KAEL_MAX_DIMS];
    memcpy(shape, t->sizes, (size_t)t->ndim * sizeof *shape);
    shape[dim] = indices->sizes[0];
    kael_tensor *out;
    ASSERT_OK(kael_tensor_empty(&out, t->dtype, t->ndim, shape));
    int64_t at[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < out->numel; ++i) {
        int64_t from[KAEL_MAX_DIMS];
        memcpy(from, at, sizeof from);
        from[dim] = position_at(indices, &at[dim], t->sizes[dim]);
        memcpy(test_element(out, at), test_element(t, from), (size_t)kael_dtype_size(t->dtype));
        test_next(out->ndim, out->sizes, at);
    }
    return out;
}

static kael_tensor *expect_gather(const kael_tensor *t, int64_t dim, const kael_tensor *indices) {
    kael_tensor *out;
    ASSERT_OK(kael_tensor_empty(&out, t->dtype, t->ndim, indices->sizes));
    int64_t at[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < out->numel; ++i) {
        int64_t from[KAEL_MAX_DIMS];
        memcpy(from, at, sizeof from);
        from[dim] = position_at(indices, at, t->sizes[dim]);
        memcpy(test_element(out, at), test_element(t, from), (size_t)kael_dtype_size(t->dtype));
        test_next(out->ndim, out->sizes, at);
    }
    return out;
}

static float half_value(kael_dtype dtype, const char *element) {
    uint16_t bits;
    memcpy(&bits, element, sizeof bits);
    return dtype == KAEL_F16 ? kael_f16_to_f32(bits) : kael_bf16_to_f32(bits);
}

/* Adds one element, f16 and bf16 to an f32. */
static void add_element(kael_dtype dtype, char *sum, const char *element) {
    float f32[2];
    double f64[2];
    uint64_t integers[2] = {0, 0};
    const size_t size = (size_t)kael_dtype_size(dtype);
    switch (dtype) {
    case KAEL_BOOL:
        *sum = (char)(*sum | *element);
        break;
    case KAEL_F16:
    case KAEL_BF16:
        memcpy(f32, sum, sizeof *f32);
        f32[0] += half_value(dtype, element);
        memcpy(sum, f32, sizeof *f32);
        break;
    case KAEL_F32:
        memcpy(&f32[0], sum, size);
        memcpy(&f32[1], element, size);
        f32[0] += f32[1];
        memcpy(sum, f32, size);
        break;
    case KAEL_F64:
        memcpy(&f64[0], sum, size);
        memcpy(&f64[1], element, size);
        f64[0] += f64[1];
        memcpy(sum, f64, size);
        break;
    default:
        memcpy(&integers[0], sum, size);
        memcpy(&integers[1], element, size);
        integers[0] += integers[1];
        memcpy(sum, integers, size);
    }
}

static kael_tensor *expect_scatter_add(const kael_tensor *t, int64_t dim,
                                       const kael_tensor *indices, const kael_tensor *source) {
    const bool half = t->dtype == KAEL_F16 || t->dtype == KAEL_BF16;
    kael_tensor *sums;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_empty(&sums, half ? KAEL_F32 : t->dtype, t->ndim, t->sizes));
    ASSERT_OK(kael_copy_elements(sums, t));
    int64_t at[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < indices->numel; ++i) {
        int64_t to[KAEL_MAX_DIMS];
        memcpy(to, at, sizeof to);
        to[dim] = position_at(indices, at, t->sizes[dim]);
        add_element(t->dtype, test_element(sums, to), test_element(source, at));
        test_next(indices->ndim, indices->sizes, at);
    }
    ASSERT_OK(kael_tensor_to_dtype(&out, sums, t->dtype));
    kael_tensor_release(sums);
    return out;
}

typedef struct select_case {
    int64_t ndim;
    int64_t shape[4];
    int64_t dim;
    int64_t count;
} select_case;

static const select_case select_cases[] = {
    {1, {1}, 0, 1},          {1, {7}, 0, 20},          {2, {5, 3}, 0, 4},      {2, {5, 3}, 1, 9},
    {2, {5, 3}, -1, 0},      {2, {64, 33}, -2, 65},    {3, {4, 3, 5}, 1, 6},   {3, {4, 3, 5}, 0, 1},
    {4, {2, 3, 4, 5}, 2, 7}, {4, {2, 3, 4, 5}, -1, 3}, {3, {0, 3, 5}, 1, 2},   {3, {4, 3, 0}, 0, 5},
    {2, {3, 0}, 1, 0},       {2, {1, 100}, 1, 1000},   {3, {9, 1, 17}, 2, 16},
};

Test(Indexing, IndexSelectMatchesLoops) {
    KAEL_EACH_DTYPE(dtype) {
        for (size_t i = 0; i < COUNT_OF(select_cases); ++i) {
            const select_case *c = &select_cases[i];
            const int64_t dim = c->dim < 0 ? c->dim + c->ndim : c->dim;
            for (int layout = 0; layout < TEST_LAYOUTS; ++layout) {
                kael_tensor *t = test_values(dtype, c->ndim, c->shape, i, (test_layout)layout);
                kael_tensor *indices =
                    test_indices(layout == 1 ? KAEL_I32 : KAEL_I64, SHAPE(c->count), c->shape[dim],
                                 i, layout == 2 ? SPREAD : ROW_MAJOR);
                kael_tensor *expected = expect_index_select(t, dim, indices);
                kael_tensor *actual;
                ASSERT_OK(kael_index_select(&actual, t, c->dim, indices));
                test_same(actual, expected, "index_select");
                cr_expect(kael_tensor_is_contiguous(actual));
                for (int out = 0; out < TEST_LAYOUTS; ++out) {
                    kael_tensor *into =
                        test_values(dtype, expected->ndim, expected->sizes, 77, (test_layout)out);
                    ASSERT_OK(kael_index_select_into(into, t, c->dim, indices));
                    test_same(into, expected, "index_select_into");
                    kael_tensor_release(into);
                }
                kael_tensor_release(actual);
                kael_tensor_release(expected);
                kael_tensor_release(indices);
                kael_tensor_release(t);
            }
        }
    }
}

typedef struct gather_case {
    int64_t ndim;
    int64_t shape[4];
    int64_t indices[4];
    int64_t dim;
} gather_case;

static const gather_case gather_cases[] = {
    {1, {6}, {11}, 0},
    {1, {6}, {0}, 0},
    {2, {4, 5}, {4, 5}, 0},
    {2, {4, 5}, {9, 3}, 0},
    {2, {4, 5}, {2, 8}, -1},
    {2, {64, 40}, {64, 1}, 1},
    {3, {3, 4, 5}, {3, 7, 4}, 1},
    {3, {3, 4, 5}, {2, 4, 5}, -3},
    {4, {2, 3, 2, 9}, {2, 3, 2, 20}, 3},
    {3, {3, 0, 5}, {3, 0, 2}, 2},
    {3, {3, 4, 5}, {0, 4, 5}, 0},
};

Test(Indexing, GatherMatchesLoops) {
    KAEL_EACH_DTYPE(dtype) {
        for (size_t i = 0; i < COUNT_OF(gather_cases); ++i) {
            const gather_case *c = &gather_cases[i];
            const int64_t dim = c->dim < 0 ? c->dim + c->ndim : c->dim;
            for (int layout = 0; layout < TEST_LAYOUTS * TEST_LAYOUTS; ++layout) {
                kael_tensor *t =
                    test_values(dtype, c->ndim, c->shape, i, (test_layout)(layout % TEST_LAYOUTS));
                kael_tensor *indices =
                    test_indices(layout % 2 == 1 ? KAEL_I32 : KAEL_I64, c->ndim, c->indices,
                                 c->shape[dim], i, (test_layout)(layout / TEST_LAYOUTS));
                kael_tensor *expected = expect_gather(t, dim, indices);
                kael_tensor *actual;
                ASSERT_OK(kael_gather(&actual, t, c->dim, indices));
                test_same(actual, expected, "gather");
                kael_tensor *into =
                    test_values(dtype, c->ndim, c->indices, 7, (test_layout)(layout % 3));
                ASSERT_OK(kael_gather_into(into, t, c->dim, indices));
                test_same(into, expected, "gather_into");
                kael_tensor_release(into);
                kael_tensor_release(actual);
                kael_tensor_release(expected);
                kael_tensor_release(indices);
                kael_tensor_release(t);
            }
        }
    }
}

Test(Indexing, ScatterAddMatchesLoops) {
    KAEL_EACH_DTYPE(dtype) {
        for (size_t i = 0; i < COUNT_OF(gather_cases); ++i) {
            const gather_case *c = &gather_cases[i];
            const int64_t dim = c->dim < 0 ? c->dim + c->ndim : c->dim;
            for (int layout = 0; layout < TEST_LAYOUTS * TEST_LAYOUTS; ++layout) {
                kael_tensor *t =
                    test_values(dtype, c->ndim, c->shape, i, (test_layout)(layout % TEST_LAYOUTS));
                kael_tensor *indices =
                    test_indices(layout % 2 == 1 ? KAEL_I32 : KAEL_I64, c->ndim, c->indices,
                                 c->shape[dim], i, (test_layout)(layout / TEST_LAYOUTS));
                int64_t larger[4];
                for (int64_t k = 0; k < c->ndim; ++k) {
                    larger[k] = c->indices[k] + (layout > 4 ? k % 2 : 0);
                }
                kael_tensor *source =
                    test_values(dtype, c->ndim, larger, 1000 + i, (test_layout)(layout % 3));
                kael_tensor *expected = expect_scatter_add(t, dim, indices, source);
                kael_tensor *actual;
                ASSERT_OK(kael_scatter_add(&actual, t, c->dim, indices, source));
                test_same(actual, expected, "scatter_add");
                kael_tensor *into =
                    test_values(dtype, c->ndim, c->shape, 7, (test_layout)(layout / 3));
                ASSERT_OK(kael_scatter_add_into(into, t, c->dim, indices, source));
                test_same(into, expected, "scatter_add_into");
                ASSERT_OK(kael_scatter_add_into(t, t, c->dim, indices, source));
                test_same(t, expected, "scatter_add_into in place");
                kael_tensor_release(into);
                kael_tensor_release(actual);
                kael_tensor_release(expected);
                kael_tensor_release(source);
                kael_tensor_release(indices);
                kael_tensor_release(t);
            }
        }
    }
}

/* Ones into one place: 16-bit sums would stop at 256 and 2048. */
Test(Indexing, K06_ScatterAddSumsHalvesInF32) {
    const kael_dtype dtypes[] = {KAEL_BF16, KAEL_F16};
    for (size_t i = 0; i < COUNT_OF(dtypes); ++i) {
        kael_tensor *t;
        kael_tensor *indices;
        kael_tensor *source;
        kael_tensor *sum;
        double value;
        ASSERT_OK(kael_tensor_zeros(&t, dtypes[i], SHAPE(1)));
        ASSERT_OK(kael_tensor_zeros(&indices, KAEL_I64, SHAPE(4096)));
        ASSERT_OK(kael_tensor_ones(&source, dtypes[i], SHAPE(4096)));
        ASSERT_OK(kael_scatter_add(&sum, t, 0, indices, source));
        ASSERT_OK(kael_tensor_item(&value, sum));
        cr_expect_eq(value, 4096);
        kael_tensor_release(t);
        kael_tensor_release(indices);
        kael_tensor_release(source);
        kael_tensor_release(sum);
    }
}

/* Sizes with several chunks; results are the same for any number of threads. */
Test(Indexing, ResultsDoNotDependOnTheThreadCount) {
    const int64_t shape[] = {50, 9001};
    const int64_t many[] = {70, 9001};
    kael_tensor *t = test_values(KAEL_F32, 2, shape, 1, ROW_MAJOR);
    kael_tensor *source = test_values(KAEL_F32, 2, many, 2, ROW_MAJOR);
    kael_tensor *indices = test_indices(KAEL_I32, 2, many, 50, 3, ROW_MAJOR);
    kael_tensor *rows = test_indices(KAEL_I64, SHAPE(70), 50, 4, ROW_MAJOR);
    kael_tensor *expected[3] = {expect_gather(t, 0, indices),
                                expect_scatter_add(t, 0, indices, source),
                                expect_index_select(t, 0, rows)};
    for (size_t i = 0; i < COUNT_OF(thread_counts); ++i) {
        ASSERT_OK(kael_set_num_threads(thread_counts[i]));
        kael_tensor *actual;
        ASSERT_OK(kael_gather(&actual, t, 0, indices));
        test_same(actual, expected[0], "gather");
        kael_tensor_release(actual);
        ASSERT_OK(kael_scatter_add(&actual, t, 0, indices, source));
        test_same(actual, expected[1], "scatter_add");
        kael_tensor_release(actual);
        ASSERT_OK(kael_index_select(&actual, t, 0, rows));
        test_same(actual, expected[2], "index_select");
        kael_tensor_release(actual);
    }
    for (int i = 0; i < 3; ++i) {
        kael_tensor_release(expected[i]);
    }
    kael_tensor_release(t);
    kael_tensor_release(source);
    kael_tensor_release(indices);
    kael_tensor_release(rows);
}

/* Operands that share memory with the result count as they were before. */
Test(Indexing, K04_OverlapIsAsIfTheOperandsHadBeenCopied) {
    kael_tensor *base = test_values(KAEL_I64, SHAPE(12), 5, ROW_MAJOR);
    kael_tensor *copy;
    kael_tensor *from;
    kael_tensor *to;
    kael_tensor *indices = test_indices(KAEL_I64, SHAPE(8), 8, 6, ROW_MAJOR);
    ASSERT_OK(kael_tensor_narrow(&from, base, 0, 0, 8));
    ASSERT_OK(kael_tensor_narrow(&to, base, 0, 3, 8));
    ASSERT_OK(kael_tensor_clone(&copy, from));
    kael_tensor *expected = expect_index_select(copy, 0, indices);
    ASSERT_OK(kael_index_select_into(to, from, 0, indices));
    test_same(to, expected, "index_select");
    kael_tensor_release(expected);
    kael_tensor_release(copy);

    ASSERT_OK(kael_tensor_clone(&copy, from));
    expected = expect_gather(copy, 0, indices);
    ASSERT_OK(kael_gather_into(from, from, 0, indices));
    test_same(from, expected, "gather in place");
    kael_tensor_release(expected);
    kael_tensor_release(copy);

    ASSERT_OK(kael_tensor_clone(&copy, from));
    kael_tensor *source;
    ASSERT_OK(kael_tensor_clone(&source, to));
    expected = expect_scatter_add(copy, 0, indices, source);
    ASSERT_OK(kael_scatter_add_into(from, from, 0, indices, to));
    test_same(from, expected, "scatter_add");
    kael_tensor_release(expected);
    kael_tensor_release(source);
    kael_tensor_release(copy);

    /* The indices themselves are overwritten. */
    kael_tensor *own;
    ASSERT_OK(kael_tensor_clone(&own, indices));
    ASSERT_OK(kael_tensor_clone(&copy, to));
    expected = expect_gather(copy, 0, own);
    ASSERT_OK(kael_gather_into(indices, to, 0, indices));
    test_same(indices, expected, "gather over its indices");
    kael_tensor_release(expected);
    kael_tensor_release(copy);
    kael_tensor_release(own);

    kael_tensor *matrix = test_values(KAEL_F32, SHAPE(5, 5), 8, ROW_MAJOR);
    kael_tensor *transposed;
    ASSERT_OK(kael_tensor_transpose(&transposed, matrix, 0, 1));
    ASSERT_OK(kael_tril(&expected, transposed, 0));
    ASSERT_OK(kael_tril_into(matrix, transposed, 0));
    test_same(matrix, expected, "tril of the transpose");
    kael_tensor_release(expected);
    kael_tensor_release(transposed);
    kael_tensor_release(matrix);

    kael_tensor *line = test_values(KAEL_I64, SHAPE(16), 9, ROW_MAJOR);
    kael_tensor *parts[2];
    ASSERT_OK(kael_tensor_narrow(&parts[0], line, 0, 8, 8));
    ASSERT_OK(kael_tensor_narrow(&parts[1], line, 0, 0, 8));
    ASSERT_OK(kael_cat(&expected, 2, (const kael_tensor *const *)parts, 0));
    ASSERT_OK(kael_cat_into(line, 2, (const kael_tensor *const *)parts, 0));
    test_same(line, expected, "cat of its own halves");
    kael_tensor_release(expected);
    kael_tensor_release(parts[0]);
    kael_tensor_release(parts[1]);
    kael_tensor_release(line);
    kael_tensor_release(indices);
    kael_tensor_release(from);
    kael_tensor_release(to);
    kael_tensor_release(base);
}

Test(Indexing, K05_RepeatedOutputsAreRefused) {
    kael_tensor *row;
    kael_tensor *wide;
    ASSERT_OK(kael_tensor_full(&row, KAEL_F32, SHAPE(3), 2));
    ASSERT_OK(kael_tensor_broadcast_to(&wide, row, SHAPE(3, 3)));
    kael_tensor *t = test_values(KAEL_F32, SHAPE(3, 3), 1, ROW_MAJOR);
    kael_tensor *indices = test_indices(KAEL_I64, SHAPE(3, 3), 3, 1, ROW_MAJOR);
    kael_tensor *line = test_indices(KAEL_I64, SHAPE(3), 3, 1, ROW_MAJOR);
    kael_tensor *mask = test_values(KAEL_BOOL, SHAPE(3, 3), 2, ROW_MAJOR);
    const kael_tensor *const rows[] = {row, row, row};
    const kael_status statuses[] = {
        kael_index_select_into(wide, t, 0, line),
        kael_gather_into(wide, t, 0, indices),
        kael_scatter_add_into(wide, t, 0, indices, t),
        kael_scatter_add_into(wide, wide, 0, indices, t),
        kael_masked_fill_into(wide, t, mask, 1),
        kael_stack_into(wide, 3, rows, 0),
        kael_tril_into(wide, t, 0),
        kael_triu_into(wide, wide, 0),
    };
    for (size_t i = 0; i < COUNT_OF(statuses); ++i) {
        cr_expect_eq(statuses[i], KAEL_ERROR_VALUE, "%zu", i);
    }
    for (int i = 0; i < 3; ++i) {
        cr_expect_eq(((const float *)row->data)[i], 2);
    }
    kael_tensor_release(row);
    kael_tensor_release(wide);
    kael_tensor_release(t);
    kael_tensor_release(indices);
    kael_tensor_release(line);
    kael_tensor_release(mask);
}

Test(Indexing, MaskedFillMatchesLoops) {
    static const struct {
        int64_t ndim;
        int64_t shape[3];
        int64_t mask_ndim;
        int64_t mask[3];
    } cases[] = {
        {2, {5, 7}, 2, {5, 7}},    {2, {5, 7}, 1, {7}}, {2, {5, 7}, 2, {5, 1}}, {2, {5, 7}, 0, {0}},
        {3, {2, 3, 4}, 2, {3, 1}}, {1, {0}, 1, {1}},    {0, {0}, 0, {0}},
    };
    KAEL_EACH_DTYPE(dtype) {
        for (size_t i = 0; i < COUNT_OF(cases); ++i) {
            for (int layout = 0; layout < TEST_LAYOUTS; ++layout) {
                kael_tensor *t =
                    test_values(dtype, cases[i].ndim, cases[i].shape, i, (test_layout)layout);
                kael_tensor *mask = test_values(KAEL_BOOL, cases[i].mask_ndim, cases[i].mask, 50,
                                                (test_layout)(2 - layout));
                kael_tensor *wide;
                kael_tensor *expected;
                kael_tensor *filler;
                ASSERT_OK(kael_tensor_broadcast_to(&wide, mask, t->ndim, t->sizes));
                ASSERT_OK(kael_tensor_clone(&expected, t));
                ASSERT_OK(kael_tensor_full(&filler, dtype, 0, NULL, 3));
                int64_t at[KAEL_MAX_DIMS] = {0};
                for (int64_t k = 0; k < t->numel; ++k) {
                    if (*test_element(wide, at) != 0) {
                        memcpy(test_element(expected, at), filler->data,
                               (size_t)kael_dtype_size(dtype));
                    }
                    test_next(t->ndim, t->sizes, at);
                }
                kael_tensor *actual;
                ASSERT_OK(kael_masked_fill(&actual, t, mask, 3));
                test_same(actual, expected, "masked_fill");
                ASSERT_OK(kael_masked_fill_into(t, t, mask, 3));
                test_same(t, expected, "masked_fill in place");
                kael_tensor_release(actual);
                kael_tensor_release(filler);
                kael_tensor_release(expected);
                kael_tensor_release(wide);
                kael_tensor_release(mask);
                kael_tensor_release(t);
            }
        }
    }
}

/* Puts a tensor into the part of `out` that begins at `start` along dim. */
static void put(kael_tensor *out, const kael_tensor *t, int64_t dim, int64_t start) {
    kael_tensor *converted;
    ASSERT_OK(kael_tensor_to_dtype(&converted, t, out->dtype));
    int64_t at[KAEL_MAX_DIMS] = {0};
    for (int64_t i = 0; i < t->numel; ++i) {
        int64_t to[KAEL_MAX_DIMS];
        memcpy(to, at, sizeof to);
        to[dim] += start;
        memcpy(test_element(out, to), test_element(converted, at),
               (size_t)kael_dtype_size(out->dtype));
        test_next(t->ndim, t->sizes, at);
    }
    kael_tensor_release(converted);
}

Test(Indexing, CatMatchesLoops) {
    KAEL_EACH_DTYPE(first) {
        KAEL_EACH_DTYPE(second) {
            for (int64_t dim = -3; dim < 3; ++dim) {
                const int64_t d = dim < 0 ? dim + 3 : dim;
                int64_t shape[3] = {3, 4, 5};
                kael_tensor *tensors[4];
                int64_t total = 0;
                for (int i = 0; i < 4; ++i) {
                    shape[d] = i == 2 ? 0 : 2 * i + 1;
                    total += shape[d];
                    tensors[i] = test_values(i == 1 ? second : first, 3, shape, (uint64_t)i,
                                             (test_layout)(i % 3));
                }
                kael_dtype dtype;
                ASSERT_OK(kael_promote_dtypes(&dtype, first, second));
                shape[d] = total;
                kael_tensor *expected;
                ASSERT_OK(kael_tensor_empty(&expected, dtype, 3, shape));
                int64_t start = 0;
                for (int i = 0; i < 4; ++i) {
                    put(expected, tensors[i], d, start);
                    start += tensors[i]->sizes[d];
                }
                kael_tensor *actual;
                ASSERT_OK(kael_cat(&actual, 4, (const kael_tensor *const *)tensors, dim));
                test_same(actual, expected, "cat");
                kael_tensor *into = test_values(dtype, 3, shape, 9, SPREAD);
                ASSERT_OK(kael_cat_into(into, 4, (const kael_tensor *const *)tensors, dim));
                test_same(into, expected, "cat_into");
                kael_tensor_release(into);
                kael_tensor_release(actual);
                kael_tensor_release(expected);
                for (int i = 0; i < 4; ++i) {
                    kael_tensor_release(tensors[i]);
                }
            }
        }
    }
}

Test(Indexing, StackMatchesLoops) {
    for (int64_t ndim = 0; ndim < 4; ++ndim) {
        for (int64_t dim = -ndim - 1; dim <= ndim; ++dim) {
            const int64_t d = dim < 0 ? dim + ndim + 1 : dim;
            const int64_t shape[3] = {3, 2, 4};
            kael_tensor *tensors[3];
            for (int i = 0; i < 3; ++i) {
                tensors[i] = test_values(i == 0 ? KAEL_I16 : KAEL_F32, ndim, shape, (uint64_t)i,
                                         (test_layout)i);
            }
            int64_t stacked[4];
            for (int64_t i = 0; i <= ndim; ++i) {
                stacked[i] = i == d ? 3 : shape[i - (i > d)];
            }
            kael_tensor *expected;
            ASSERT_OK(kael_tensor_empty(&expected, KAEL_F32, ndim + 1, stacked));
            for (int64_t i = 0; i < 3; ++i) {
                kael_tensor *one;
                ASSERT_OK(kael_tensor_unsqueeze(&one, tensors[i], d));
                put(expected, one, d, i);
                kael_tensor_release(one);
            }
            kael_tensor *actual;
            ASSERT_OK(kael_stack(&actual, 3, (const kael_tensor *const *)tensors, dim));
            test_same(actual, expected, "stack");
            kael_tensor *into = test_values(KAEL_F32, ndim + 1, stacked, 9, REVERSED_DIMS);
            ASSERT_OK(kael_stack_into(into, 3, (const kael_tensor *const *)tensors, dim));
            test_same(into, expected, "stack_into");
            kael_tensor_release(into);
            kael_tensor_release(actual);
            kael_tensor_release(expected);
            for (int i = 0; i < 3; ++i) {
                kael_tensor_release(tensors[i]);
            }
        }
    }
}

Test(Indexing, TrianglesMatchLoops) {
    const int64_t shapes[][3] = {{1, 1, 1}, {2, 4, 4}, {1, 3, 7}, {3, 6, 2},
                                 {0, 3, 3}, {1, 0, 4}, {2, 5, 0}};
    const int64_t ks[] = {0, 1, -1, 3, -4, 100, -100, INT64_MAX, INT64_MIN};
    KAEL_EACH_DTYPE(dtype) {
        for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
            for (size_t i = 0; i < COUNT_OF(ks) * 2; ++i) {
                const bool upper = i % 2 == 1;
                const int64_t k = ks[i / 2];
                for (int layout = 0; layout < TEST_LAYOUTS; ++layout) {
                    kael_tensor *t = test_values(dtype, 3, shapes[s], s, (test_layout)layout);
                    kael_tensor *expected;
                    ASSERT_OK(kael_tensor_clone(&expected, t));
                    int64_t at[3] = {0, 0, 0};
                    for (int64_t n = 0; n < t->numel; ++n) {
                        const double distance = (double)(at[2] - at[1]);
                        if (upper ? distance < (double)k : distance > (double)k) {
                            memset(test_element(expected, at), 0, (size_t)kael_dtype_size(dtype));
                        }
                        test_next(3, shapes[s], at);
                    }
                    kael_tensor *actual;
                    ASSERT_OK(upper ? kael_triu(&actual, t, k) : kael_tril(&actual, t, k));
                    test_same(actual, expected, upper ? "triu" : "tril");
                    kael_tensor *into =
                        test_values(dtype, 3, shapes[s], 5, (test_layout)((layout + 1) % 3));
                    ASSERT_OK(upper ? kael_triu_into(into, t, k) : kael_tril_into(into, t, k));
                    test_same(into, expected, "into another layout");
                    ASSERT_OK(upper ? kael_triu_into(t, t, k) : kael_tril_into(t, t, k));
                    test_same(t, expected, "in place");
                    kael_tensor_release(into);
                    kael_tensor_release(actual);
                    kael_tensor_release(expected);
                    kael_tensor_release(t);
                }
            }
        }
    }
}

Test(Indexing, EyeAndOneHot) {
    const int64_t ks[] = {0, 1, -2, 4, -3, 50, INT64_MAX, INT64_MIN};
    KAEL_EACH_DTYPE(dtype) {
        for (size_t i = 0; i < COUNT_OF(ks); ++i) {
            kael_tensor *eye;
            ASSERT_OK(kael_eye(&eye, dtype, 3, 5, ks[i]));
            cr_expect_eq(eye->dtype, dtype);
            for (int64_t row = 0; row < 3; ++row) {
                for (int64_t column = 0; column < 5; ++column) {
                    double value;
                    ASSERT_OK(kael_tensor_get(&value, eye, (const int64_t[]){row, column}));
                    cr_expect_eq(value, column - row == ks[i]);
                }
            }
            kael_tensor_release(eye);
        }
        const int32_t classes[] = {2, 0, 3, 3, 1, 0};
        kael_tensor *indices;
        kael_tensor *transposed;
        kael_tensor *hot;
        ASSERT_OK(kael_tensor_from_data(&indices, KAEL_I32, SHAPE(2, 3), classes));
        ASSERT_OK(kael_tensor_transpose(&transposed, indices, 0, 1));
        ASSERT_OK(kael_one_hot(&hot, transposed, 4, dtype));
        cr_expect_eq(hot->ndim, 3);
        for (int64_t n = 0; n < 24; ++n) {
            double value;
            const int64_t at[] = {n / 8, n / 4 % 2, n % 4};
            ASSERT_OK(kael_tensor_get(&value, hot, at));
            cr_expect_eq(value, classes[at[1] * 3 + at[0]] == at[2]);
        }
        kael_tensor_release(indices);
        kael_tensor_release(transposed);
        kael_tensor_release(hot);
    }
    kael_tensor *empty;
    kael_tensor *hot;
    ASSERT_OK(kael_tensor_empty(&empty, KAEL_I64, SHAPE(0, 2)));
    ASSERT_OK(kael_one_hot(&hot, empty, 0, KAEL_F32));
    cr_expect_eq(hot->ndim, 3);
    cr_expect_eq(hot->numel, 0);
    kael_tensor_release(hot);
    ASSERT_OK(kael_eye(&hot, KAEL_F32, 0, 4, 0));
    cr_expect_eq(hot->numel, 0);
    kael_tensor_release(hot);
    kael_tensor_release(empty);
}

/* Every index that is out of range is found, and the message names the first. */
Test(Indexing, IndicesOutOfRangeAreNamed) {
    const int64_t bad[] = {5, -6, 100, INT64_MAX, INT64_MIN, INT32_MIN};
    for (size_t b = 0; b < COUNT_OF(bad); ++b) {
        for (int64_t place = 0; place < 12; ++place) {
            const bool narrow = bad[b] == (int32_t)bad[b] && place % 2 == 1;
            kael_tensor *t = test_values(KAEL_F32, SHAPE(5, 5), 1, ROW_MAJOR);
            kael_tensor *before;
            kael_tensor *indices =
                test_indices(narrow ? KAEL_I32 : KAEL_I64, SHAPE(3, 4), 5, 2, ROW_MAJOR);
            kael_tensor *flat;
            ASSERT_OK(kael_tensor_clone(&before, t));
            ASSERT_OK(kael_tensor_flatten(&flat, indices));
            ASSERT_OK(kael_tensor_set_i64(flat, &place, bad[b]));
            if (place < 11) { /* a later one is not the first */
                ASSERT_OK(kael_tensor_set_i64(flat, (const int64_t[]){11}, 6));
            }
            char expected[128];
            kael_tensor *out = poison();
            snprintf(expected, sizeof expected,
                     "the index at (%" PRId64 ", %" PRId64 ") is %" PRId64
                     ", not in -5 .. 4 (dimension 1 of tensor)",
                     place / 4, place % 4, bad[b]);
            test_error(kael_gather(&out, t, 1, indices), KAEL_ERROR_INDEX, expected);
            cr_expect_null(out);
            kael_tensor *small = test_values(KAEL_F32, SHAPE(3, 4), 3, ROW_MAJOR);
            kael_tensor *same;
            ASSERT_OK(kael_tensor_clone(&same, small));
            test_error(kael_gather_into(small, t, -1, indices), KAEL_ERROR_INDEX, expected);
            test_same(small, same, "gather_into must not write");
            out = poison();
            test_error(kael_scatter_add(&out, t, 1, indices, small), KAEL_ERROR_INDEX, expected);
            cr_expect_null(out);
            test_error(kael_scatter_add_into(t, t, 1, indices, small), KAEL_ERROR_INDEX, expected);
            test_same(t, before, "scatter_add_into must not write");
            snprintf(expected, sizeof expected,
                     "the index at (%" PRId64 ") is %" PRId64
                     ", not in -5 .. 4 (dimension 0 of tensor)",
                     place, bad[b]);
            out = poison();
            test_error(kael_index_select(&out, t, 0, flat), KAEL_ERROR_INDEX, expected);
            cr_expect_null(out);
            kael_tensor_release(same);
            kael_tensor_release(small);
            kael_tensor_release(flat);
            kael_tensor_release(indices);
            kael_tensor_release(before);
            kael_tensor_release(t);
        }
    }
}

Test(Indexing, BadOperands) {
    kael_tensor *t = test_values(KAEL_F32, SHAPE(3, 4), 1, ROW_MAJOR);
    kael_tensor *other = test_values(KAEL_F64, SHAPE(3, 4), 1, ROW_MAJOR);
    kael_tensor *line = test_indices(KAEL_I64, SHAPE(2), 3, 1, ROW_MAJOR);
    kael_tensor *plane = test_indices(KAEL_I64, SHAPE(3, 4), 3, 1, ROW_MAJOR);
    kael_tensor *long_plane = test_indices(KAEL_I64, SHAPE(4, 4), 3, 1, ROW_MAJOR);
    kael_tensor *scalar = test_values(KAEL_F32, 0, NULL, 1, ROW_MAJOR);
    kael_tensor *mask = test_values(KAEL_BOOL, SHAPE(3), 1, ROW_MAJOR);
    kael_tensor *out = poison();
    test_error(kael_index_select(NULL, t, 0, line), KAEL_ERROR_VALUE, "out must not be NULL");
    test_error(kael_index_select(&out, NULL, 0, line), KAEL_ERROR_VALUE, "tensor must not be NULL");
    cr_expect_null(out);
    test_error(kael_index_select(&out, t, 0, NULL), KAEL_ERROR_VALUE, "indices must not be NULL");
    test_error(kael_index_select(&out, t, 0, t), KAEL_ERROR_DTYPE,
               "indices must have dtype i32 or i64, got f32");
    test_error(kael_index_select(&out, t, 0, plane), KAEL_ERROR_SHAPE,
               "indices must have shape (*), got (3, 4)");
    test_error(kael_index_select(&out, t, 2, line), KAEL_ERROR_INDEX,
               "dim 2 is out of range for a tensor of 2 dimensions");
    test_error(kael_index_select(&out, scalar, 0, line), KAEL_ERROR_INDEX, "dim 0");
    test_error(kael_index_select_into(NULL, t, 0, line), KAEL_ERROR_VALUE, "out must not be NULL");
    test_error(kael_index_select_into(t, t, 0, line), KAEL_ERROR_SHAPE,
               "out must have shape (2, 4), got (3, 4)");
    test_error(kael_gather_into(other, t, 0, plane), KAEL_ERROR_DTYPE,
               "out must have dtype f32, got f64");
    test_error(kael_gather(&out, t, 0, line), KAEL_ERROR_SHAPE,
               "indices must not be larger than tensor outside of dim, got shapes (2) and (3, 4)");
    test_error(kael_gather(&out, t, 1, long_plane), KAEL_ERROR_SHAPE, "(4, 4) and (3, 4)");
    test_error(kael_scatter_add(&out, t, 0, plane, NULL), KAEL_ERROR_VALUE,
               "source must not be NULL");
    test_error(kael_scatter_add(&out, t, 0, plane, other), KAEL_ERROR_DTYPE,
               "source must have dtype f32, got f64");
    test_error(kael_scatter_add(&out, t, 0, long_plane, t), KAEL_ERROR_SHAPE,
               "indices must not be larger than source, got shapes (4, 4) and (3, 4)");
    test_error(kael_masked_fill(&out, t, NULL, 0), KAEL_ERROR_VALUE, "mask must not be NULL");
    test_error(kael_masked_fill(&out, t, t, 0), KAEL_ERROR_DTYPE, "mask must have dtype bool");
    test_error(kael_masked_fill(&out, t, mask, 0), KAEL_ERROR_SHAPE,
               "mask must broadcast to the shape of tensor, got shapes (3) and (3, 4)");
    test_error(kael_masked_fill(&out, mask, NULL, 0), KAEL_ERROR_VALUE, "mask");
    test_error(kael_masked_fill(&out, line, mask, 0), KAEL_ERROR_SHAPE, "(3) and (2)");
    test_error(kael_cat(&out, 0, NULL, 0), KAEL_ERROR_VALUE, "count must be at least 1, got 0");
    test_error(kael_cat(&out, 1, NULL, 0), KAEL_ERROR_VALUE, "tensors must not be NULL");
    test_error(kael_cat(&out, 2, (const kael_tensor *const[]){t, NULL}, 0), KAEL_ERROR_VALUE,
               "tensors[1] must not be NULL");
    test_error(
        kael_cat(&out, 2, (const kael_tensor *const[]){t, long_plane}, 1), KAEL_ERROR_SHAPE,
        "tensors[1] must have the shape of tensors[0] outside of dim, got (4, 4) and (3, 4)");
    test_error(kael_cat(&out, 2, (const kael_tensor *const[]){t, line}, 0), KAEL_ERROR_SHAPE,
               "tensors[1]");
    test_error(kael_cat(&out, 1, (const kael_tensor *const[]){scalar}, 0), KAEL_ERROR_INDEX,
               "dim 0 is out of range for a tensor of 0 dimensions");
    test_error(kael_stack(&out, 2, (const kael_tensor *const[]){t, long_plane}, 1),
               KAEL_ERROR_SHAPE, "tensors[1] must have the shape of tensors[0], got");
    test_error(kael_stack(&out, 1, (const kael_tensor *const[]){t}, 3), KAEL_ERROR_INDEX,
               "dim 3 is out of range for a result of 3 dimensions");
    test_error(kael_tril(&out, line, 0), KAEL_ERROR_SHAPE,
               "tensor must have at least 2 dimensions, got 1");
    test_error(kael_triu_into(t, NULL, 0), KAEL_ERROR_VALUE, "tensor must not be NULL");
    test_error(kael_triu_into(NULL, t, 0), KAEL_ERROR_VALUE, "out must not be NULL");
    test_error(kael_eye(&out, KAEL_F32, -1, 3, 0), KAEL_ERROR_SHAPE, "negative");
    test_error(kael_eye(&out, (kael_dtype)99, 1, 3, 0), KAEL_ERROR_DTYPE, "99 is not a dtype");
    test_error(kael_one_hot(&out, t, 4, KAEL_F32), KAEL_ERROR_DTYPE, "indices must have dtype");
    test_error(kael_one_hot(&out, plane, -1, KAEL_F32), KAEL_ERROR_VALUE,
               "classes must not be negative, got -1");
    test_error(kael_one_hot(&out, line, 0, KAEL_F32), KAEL_ERROR_INDEX, "not in 0 .. -1 (classes)");
    ASSERT_OK(kael_tensor_set_i64(line, (const int64_t[]){1}, -1));
    ASSERT_OK(kael_tensor_set_i64(line, (const int64_t[]){0}, 1));
    test_error(kael_one_hot(&out, line, 3, KAEL_F32), KAEL_ERROR_INDEX,
               "the index at (1) is -1, not in 0 .. 2 (classes)");
    cr_expect_null(out);
    int64_t most[KAEL_MAX_DIMS];
    for (int i = 0; i < KAEL_MAX_DIMS; ++i) {
        most[i] = 1;
    }
    kael_tensor *deep;
    ASSERT_OK(kael_tensor_zeros(&deep, KAEL_I64, KAEL_MAX_DIMS, most));
    test_error(kael_stack(&out, 1, (const kael_tensor *const[]){deep}, 0), KAEL_ERROR_SHAPE,
               "less than 16 dimensions");
    test_error(kael_one_hot(&out, deep, 1, KAEL_F32), KAEL_ERROR_SHAPE, "less than 16 dimensions");
    kael_tensor_release(deep);
    kael_tensor_release(t);
    kael_tensor_release(other);
    kael_tensor_release(line);
    kael_tensor_release(plane);
    kael_tensor_release(long_plane);
    kael_tensor_release(scalar);
    kael_tensor_release(mask);
}

/* Sizes that cannot be counted, from views that repeat one element. */
Test(Indexing, K48_SizesThatOverflowAreRejected) {
    kael_tensor *one;
    kael_tensor *huge;
    kael_tensor *out = poison();
    ASSERT_OK(kael_tensor_zeros(&one, KAEL_U8, SHAPE(1)));
    ASSERT_OK(kael_tensor_broadcast_to(&huge, one, SHAPE(INT64_C(1) << 62)));
    test_error(kael_cat(&out, 2, (const kael_tensor *const[]){huge, huge}, 0), KAEL_ERROR_SHAPE,
               "more than 63 bits");
    cr_expect_null(out);
    test_error(kael_stack(&out, 2, (const kael_tensor *const[]){huge, huge}, 0), KAEL_ERROR_SHAPE,
               "63 bits");
    cr_expect_null(out);
    kael_tensor_release(huge);
    kael_tensor_release(one);
}
