/* kael_matmul: all forms, dtypes and layouts against the scalar program; bad arguments. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/kael.h"
#include "matmul_fixture.h"
#include "memory/system.h"
#include "oracle/tensor_matmul.h"
#include "tensor_checks.h"

enum { MOST_TEST_DIMS = 5, NUMBER_DTYPES = KAEL_F64 - KAEL_I8 + 1 };

typedef struct shapes {
    int64_t a_ndim;
    int64_t a[MOST_TEST_DIMS];
    int64_t b_ndim;
    int64_t b[MOST_TEST_DIMS];
} shapes;

/* All forms, with sizes on both sides of a tile and of the lengths at which the definition changes.
 */
static shapes small_shapes[] = {
    {1, {1}, 1, {1}},
    {1, {7}, 1, {7}},
    {1, {520}, 1, {520}},
    {1, {5}, 2, {5, 3}},
    {2, {3, 5}, 1, {5}},
    {2, {1, 1}, 2, {1, 1}},
    {2, {2, 3}, 2, {3, 2}},
    {2, {7, 1}, 2, {1, 13}},
    {2, {5, 9}, 2, {9, 17}},
    {2, {1, 33}, 2, {33, 9}},
    {2, {9, 33}, 2, {33, 1}},
    {2, {15, 40}, 2, {40, 33}},
    {2, {3, 513}, 2, {513, 5}},
    {1, {6}, 3, {4, 6, 3}},
    {3, {4, 3, 6}, 1, {6}},
    {2, {3, 6}, 3, {4, 6, 5}},
    {3, {4, 3, 6}, 2, {6, 5}},
    {3, {4, 3, 6}, 3, {4, 6, 5}},
    {3, {1, 3, 6}, 3, {4, 6, 5}},
    {4, {2, 1, 3, 4}, 4, {1, 3, 4, 5}},
    {5, {2, 1, 2, 3, 4}, 3, {2, 4, 2}},
    {3, {3, 1, 7}, 2, {7, 4}},
    {3, {2, 3, 600}, 3, {2, 600, 4}},
};

static shapes large_shapes[] = {
    {2, {65, 257}, 2, {257, 31}},  {2, {130, 70}, 2, {70, 90}},      {2, {20, 2100}, 2, {2100, 35}},
    {2, {300, 130}, 1, {130}},     {1, {600}, 2, {600, 150}},        {1, {5000}, 1, {5000}},
    {2, {9, 700}, 2, {700, 100}},  {3, {3, 70, 64}, 3, {3, 64, 80}}, {3, {6, 33, 64}, 2, {64, 65}},
    {2, {40, 64}, 3, {5, 64, 33}},
};

enum {
    SMALL_SHAPES = sizeof small_shapes / sizeof small_shapes[0],
    LARGE_SHAPES = sizeof large_shapes / sizeof large_shapes[0],
};

static int64_t result_shape(int64_t shape[MOST_TEST_DIMS], const shapes *s) {
    const int64_t a_batch = s->a_ndim > 2 ? s->a_ndim - 2 : 0;
    const int64_t b_batch = s->b_ndim > 2 ? s->b_ndim - 2 : 0;
    int64_t ndim = a_batch > b_batch ? a_batch : b_batch;
    for (int64_t dim = 0; dim < ndim; ++dim) {
        const int64_t in_a = dim - (ndim - a_batch);
        const int64_t in_b = dim - (ndim - b_batch);
        const int64_t a_size = in_a < 0 ? 1 : s->a[in_a];
        shape[dim] = a_size == 1 && in_b >= 0 ? s->b[in_b] : a_size;
    }
    if (s->a_ndim > 1) {
        shape[ndim++] = s->a[s->a_ndim - 2];
    }
    if (s->b_ndim > 1) {
        shape[ndim++] = s->b[s->b_ndim - 1];
    }
    return ndim;
}

typedef struct operands {
    kael_tensor *a;
    kael_tensor *b;
    kael_dtype dtype; /* of the result */
    void *expected;
    char text[256];
} operands;

static void describe(operands *o, const shapes *s, tensor_layout a_layout, tensor_layout b_layout) {
    char shape_a[KAEL_SHAPE_TEXT_SIZE];
    char shape_b[KAEL_SHAPE_TEXT_SIZE];
    snprintf(o->text, sizeof o->text, "%s %s %s times %s %s %s",
             kael_dtype_name(kael_tensor_dtype(o->a)), tensor_layout_name(a_layout),
             kael_shape_text(shape_a, s->a_ndim, s->a), kael_dtype_name(kael_tensor_dtype(o->b)),
             tensor_layout_name(b_layout), kael_shape_text(shape_b, s->b_ndim, s->b));
}

static operands new_operands(const shapes *s, kael_dtype a_dtype, kael_dtype b_dtype,
                             tensor_layout a_layout, tensor_layout b_layout, tensor_values values) {
    operands o = {
        .a = tensor_new(a_dtype, s->a_ndim, s->a, a_layout, values, 1),
        .b = tensor_new(b_dtype, s->b_ndim, s->b, b_layout, values, 2),
    };
    cr_assert(o.a != NULL && o.b != NULL, "%s", kael_last_error_message());
    ASSERT_OK(kael_promote_dtypes(&o.dtype, a_dtype, b_dtype));
    o.expected = oracle_matmul(o.dtype, o.a, o.b);
    describe(&o, s, a_layout, b_layout);
    return o;
}

static void free_operands(operands *o) {
    kael_tensor_release(o->a);
    kael_tensor_release(o->b);
    free(o->expected);
}

static void expect_result(const kael_tensor *out, const operands *o, const char *what) {
    cr_assert_not_null(out, "%s: %s: %s", o->text, what, kael_last_error_message());
    cr_expect_eq(kael_tensor_dtype(out), o->dtype, "%s: %s: dtype %s", o->text, what,
                 kael_dtype_name(kael_tensor_dtype(out)));
    const int64_t index = tensor_first_difference(out, o->expected);
    cr_expect(index < 0, "%s: %s: element %" PRId64 " is 0x%" PRIx64 ", not 0x%" PRIx64, o->text,
              what, index, tensor_bits(out, index), element_bits(o->dtype, o->expected, index));
}

static void expect_product(const operands *o, const char *what) {
    kael_tensor *out = NULL;
    expect_ok(kael_matmul(&out, o->a, o->b), o->text);
    expect_result(out, o, what);
    cr_expect(kael_tensor_is_contiguous(out), "%s: not row-major", o->text);
    kael_tensor_release(out);
}

static void expect_product_into(const operands *o, const shapes *s, tensor_layout layout) {
    int64_t shape[MOST_TEST_DIMS];
    const int64_t ndim = result_shape(shape, s);
    kael_tensor *out = tensor_new(o->dtype, ndim, shape, layout, TENSOR_ANY_BITS, 3);
    cr_assert_not_null(out);
    expect_ok(kael_matmul_into(out, o->a, o->b), o->text);
    expect_result(out, o, tensor_layout_name(layout));
    kael_tensor_release(out);
}

ParameterizedTestParameters(Matmul, EveryLayoutHasTheDefinedBits) {
    return cr_make_param_array(shapes, small_shapes, SMALL_SHAPES);
}

ParameterizedTest(const shapes *s, Matmul, EveryLayoutHasTheDefinedBits) {
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F64, KAEL_F16, KAEL_BF16,
                                        KAEL_I64, KAEL_I8,  KAEL_U16, KAEL_I32};
    for (int i = 0; i < TENSOR_INPUT_LAYOUTS * TENSOR_INPUT_LAYOUTS; ++i) {
        const tensor_layout a_layout = (tensor_layout)(i % TENSOR_INPUT_LAYOUTS);
        const tensor_layout b_layout = (tensor_layout)(i / TENSOR_INPUT_LAYOUTS);
        for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
            operands o =
                new_operands(s, dtypes[d], dtypes[d], a_layout, b_layout, TENSOR_CANCELLING);
            expect_product(&o, "new");
            if (s->a_ndim + s->b_ndim > 2) {
                expect_product_into(&o, s, (tensor_layout)((i + (int)d) % TENSOR_OUTPUT_LAYOUTS));
            }
            free_operands(&o);
        }
    }
}

ParameterizedTestParameters(Matmul, EveryPairOfDtypesHasTheDefinedBits) {
    return cr_make_param_array(shapes, small_shapes, SMALL_SHAPES);
}

ParameterizedTest(const shapes *s, Matmul, EveryPairOfDtypesHasTheDefinedBits) {
    for (int i = 0; i < NUMBER_DTYPES * NUMBER_DTYPES; ++i) {
        const kael_dtype a_dtype = (kael_dtype)(KAEL_I8 + i % NUMBER_DTYPES);
        const kael_dtype b_dtype = (kael_dtype)(KAEL_I8 + i / NUMBER_DTYPES);
        operands o = new_operands(s, a_dtype, b_dtype, (tensor_layout)(i % TENSOR_INPUT_LAYOUTS),
                                  (tensor_layout)(i / 3 % TENSOR_INPUT_LAYOUTS),
                                  i % 2 == 0 ? TENSOR_CANCELLING : TENSOR_ANY_BITS);
        expect_product(&o, "new");
        free_operands(&o);
    }
}

ParameterizedTestParameters(Matmul, ResultsDoNotDependOnThreadCount) {
    return cr_make_param_array(shapes, large_shapes, LARGE_SHAPES);
}

ParameterizedTest(const shapes *s, Matmul, ResultsDoNotDependOnThreadCount) {
    static const int64_t counts[] = {1, 2, 3, 5, 8, 16};
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F64, KAEL_F16, KAEL_BF16, KAEL_I64, KAEL_I8};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        for (int l = 0; l < TENSOR_INPUT_LAYOUTS; ++l) {
            operands o = new_operands(s, dtypes[d], dtypes[d], (tensor_layout)l,
                                      (tensor_layout)((l + (int)d) % TENSOR_INPUT_LAYOUTS),
                                      TENSOR_CANCELLING);
            for (size_t t = 0; t < COUNT_OF(counts); ++t) {
                use_threads(counts[t]);
                expect_product(&o, "threads");
                if (s->a_ndim + s->b_ndim > 2) {
                    expect_product_into(&o, s, (tensor_layout)(l % TENSOR_OUTPUT_LAYOUTS));
                }
            }
            free_operands(&o);
        }
    }
}

/* ---- batches ---- */

static kael_tensor *matmul(const kael_tensor *a, const kael_tensor *b) {
    kael_tensor *out = NULL;
    expect_ok(kael_matmul(&out, a, b), "kael_matmul");
    cr_assert_not_null(out);
    return out;
}

static kael_tensor *select_matrix(const kael_tensor *batch, int64_t index) {
    kael_tensor *matrix = NULL;
    ASSERT_OK(kael_tensor_select(&matrix, batch, 0, index));
    return matrix;
}

static void expect_same_elements(const kael_tensor *actual, const kael_tensor *expected,
                                 const char *what, int64_t index) {
    kael_tensor *copy = NULL;
    ASSERT_OK(kael_tensor_clone(&copy, expected));
    cr_expect_eq(kael_tensor_numel(actual), kael_tensor_numel(copy));
    cr_expect(tensor_first_difference(actual, kael_tensor_data(copy)) < 0, "%s %" PRId64, what,
              index);
    kael_tensor_release(copy);
}

typedef struct batch {
    int64_t count;
    int64_t rows;
    int64_t inner;
    int64_t columns;
} batch;

static batch batches[] = {
    {64, 32, 32, 32}, {8, 129, 130, 128}, {2, 32, 32, 32}, {3, 140, 600, 130},
    {7, 1, 300, 40},  {100, 4, 4, 4},     {1300, 3, 2, 5}, {9, 60, 60, 60},
};

ParameterizedTestParameters(MatmulBatch, EveryMatrixHasTheBitsItHasAlone) {
    return cr_make_param_array(batch, batches, sizeof batches / sizeof batches[0]);
}

ParameterizedTest(const batch *s, MatmulBatch, EveryMatrixHasTheBitsItHasAlone) {
    static const int64_t counts[] = {1, 2, 3, 5, 8, 16};
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F64, KAEL_BF16, KAEL_I32};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        const int64_t a_shape[] = {s->count, s->rows, s->inner};
        const int64_t b_shape[] = {s->count, s->inner, s->columns};
        kael_tensor *a = tensor_new(dtypes[d], 3, a_shape, TENSOR_ROW_MAJOR, TENSOR_CANCELLING, 1);
        kael_tensor *b = tensor_new(dtypes[d], 3, b_shape, TENSOR_TRANSPOSED, TENSOR_CANCELLING, 2);
        use_threads(1);
        kael_tensor *one_thread = matmul(a, b);
        for (int64_t i = 0; i < s->count; ++i) {
            kael_tensor *left = select_matrix(a, i);
            kael_tensor *right = select_matrix(b, i);
            kael_tensor *alone = matmul(left, right);
            kael_tensor *together = select_matrix(one_thread, i);
            expect_same_elements(together, alone, "matrix", i);
            kael_tensor_release(left);
            kael_tensor_release(right);
            kael_tensor_release(alone);
            kael_tensor_release(together);
        }
        for (size_t t = 1; t < COUNT_OF(counts); ++t) {
            use_threads(counts[t]);
            kael_tensor *out = matmul(a, b);
            expect_same_elements(out, one_thread, "threads", counts[t]);
            kael_tensor_release(out);
        }
        kael_tensor_release(a);
        kael_tensor_release(b);
        kael_tensor_release(one_thread);
    }
}

/* Row i is the same whatever other rows there are. */
Test(MatmulBatch, RowsDoNotDependOnTheOthers) {
    static const shapes all[] = {
        {2, {37, 700}, 2, {700, 29}}, {2, {130, 100}, 2, {100, 70}}, {2, {70, 2100}, 2, {2100, 9}}};
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F64, KAEL_F16};
    for (size_t i = 0; i < COUNT_OF(all) * COUNT_OF(dtypes); ++i) {
        const shapes *s = &all[i % COUNT_OF(all)];
        operands o = new_operands(s, dtypes[i / COUNT_OF(all)], dtypes[i / COUNT_OF(all)],
                                  TENSOR_ROW_MAJOR, TENSOR_ROW_MAJOR, TENSOR_CANCELLING);
        kael_tensor *whole = matmul(o.a, o.b);
        for (int64_t first = 0; first < s->a[0]; first += 7) {
            const int64_t count = s->a[0] - first < 7 ? s->a[0] - first : 7;
            kael_tensor *rows = NULL;
            kael_tensor *expected = NULL;
            ASSERT_OK(kael_tensor_narrow(&rows, o.a, 0, first, count));
            ASSERT_OK(kael_tensor_narrow(&expected, whole, 0, first, count));
            kael_tensor *some = matmul(rows, o.b);
            expect_same_elements(some, expected, "rows from", first);
            kael_tensor *row = select_matrix(o.a, first);
            kael_tensor *single = matmul(row, o.b);
            kael_tensor *expected_row = select_matrix(whole, first);
            expect_same_elements(single, expected_row, "row", first);
            kael_tensor_release(rows);
            kael_tensor_release(expected);
            kael_tensor_release(some);
            kael_tensor_release(row);
            kael_tensor_release(single);
            kael_tensor_release(expected_row);
        }
        kael_tensor_release(whole);
        free_operands(&o);
    }
}

/* ---- cases from practice ---- */

static kael_tensor *of(kael_dtype dtype, int64_t ndim, const int64_t *shape,
                       const double *numbers) {
    kael_tensor *wide = NULL;
    kael_tensor *out = NULL;
    ASSERT_OK(kael_tensor_from_data(&wide, KAEL_F64, ndim, shape, numbers));
    ASSERT_OK(kael_tensor_to_dtype(&out, wide, dtype));
    kael_tensor_release(wide);
    return out;
}

#define NUMBERS(...)                                                                               \
    (const double[]) {                                                                             \
        __VA_ARGS__                                                                                \
    }

static void each_dtype(void (*check)(kael_dtype dtype)) {
    for (int d = KAEL_I8; d <= KAEL_F64; ++d) {
        check((kael_dtype)d);
    }
}

static void check_product_into_itself(kael_dtype dtype) {
    kael_tensor *a = of(dtype, SHAPE(2, 2), NUMBERS(1, 2, 3, 4));
    expect_ok(kael_matmul_into(a, a, a), "A = A * A");
    expect_values(a, 4, NUMBERS(7, 10, 15, 22));
    kael_tensor_release(a);
}

/* The window [start, start + 4) of a buffer as a 2 x 2 matrix. */
static kael_tensor *window(const kael_tensor *buffer, int64_t start) {
    kael_tensor *part = NULL;
    kael_tensor *matrix = NULL;
    ASSERT_OK(kael_tensor_narrow(&part, buffer, 0, start, 4));
    ASSERT_OK(kael_tensor_reshape(&matrix, part, SHAPE(2, 2)));
    kael_tensor_release(part);
    return matrix;
}

static void check_shifted_windows(kael_dtype dtype) {
    for (int64_t shift = -4; shift <= 4; ++shift) {
        kael_tensor *buffer = of(dtype, SHAPE(12), NUMBERS(0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0));
        kael_tensor *a = window(buffer, 4);
        kael_tensor *identity = of(dtype, SHAPE(2, 2), NUMBERS(1, 0, 0, 1));
        kael_tensor *out = window(buffer, 4 + shift);
        expect_ok(kael_matmul_into(out, a, identity), "shifted window");
        expect_values(out, 4, NUMBERS(1, 2, 3, 4));
        kael_tensor_release(buffer);
        kael_tensor_release(a);
        kael_tensor_release(identity);
        kael_tensor_release(out);
    }
}

Test(Matmul, K04_Overlap) {
    each_dtype(check_product_into_itself);
    each_dtype(check_shifted_windows);
}

/* Large enough for every way of computing: as if the operands had been copied first. */
Test(Matmul, K04_OverlapOfLargeOperands) {
    static const shapes square = {2, {150, 150}, 2, {150, 150}};
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F64, KAEL_F16, KAEL_I16, KAEL_I64};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        operands o = new_operands(&square, dtypes[d], dtypes[d], TENSOR_ROW_MAJOR,
                                  TENSOR_TRANSPOSED, TENSOR_CANCELLING);
        expect_ok(kael_matmul_into(o.a, o.a, o.b), "a = a * b");
        expect_result(o.a, &o, "into a");
        free_operands(&o);
        o = new_operands(&square, dtypes[d], dtypes[d], TENSOR_ROW_MAJOR, TENSOR_TRANSPOSED,
                         TENSOR_CANCELLING);
        expect_ok(kael_matmul_into(o.b, o.a, o.b), "b = a * b");
        expect_result(o.b, &o, "into b");
        free_operands(&o);
    }
}

Test(Matmul, K05_BroadcastOutput) {
    kael_tensor *two = of(KAEL_F32, SHAPE(1, 1), NUMBERS(2));
    kael_tensor *expanded = NULL;
    ASSERT_OK(kael_tensor_broadcast_to(&expanded, two, SHAPE(3, 3)));
    kael_tensor *a = of(KAEL_F32, SHAPE(3, 1), NUMBERS(1, 2, 3));
    kael_tensor *b = of(KAEL_F32, SHAPE(1, 3), NUMBERS(1, 2, 3));
    expect_error(kael_matmul_into(expanded, a, b), KAEL_ERROR_VALUE, "out strides",
                 "expanded output");
    expect_values(two, 1, NUMBERS(2));
    kael_tensor_release(two);
    kael_tensor_release(expanded);
    kael_tensor_release(a);
    kael_tensor_release(b);
}

static void check_empty_inner_size(kael_dtype dtype) {
    static const shapes all[] = {
        {1, {0}, 1, {0}},          {2, {2, 0}, 2, {0, 3}},
        {2, {2, 0}, 1, {0}},       {3, {4, 2, 0}, 3, {4, 0, 3}},
        {3, {4, 2, 0}, 2, {0, 3}},
    };
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        operands o = new_operands(&all[i], dtype, dtype, TENSOR_ROW_MAJOR, TENSOR_ROW_MAJOR,
                                  TENSOR_CANCELLING);
        expect_product(&o, "new");
        for (int layout = 0; layout < TENSOR_OUTPUT_LAYOUTS && all[i].a_ndim > 1; ++layout) {
            expect_product_into(&o, &all[i], (tensor_layout)layout);
        }
        free_operands(&o);
    }
}

static void check_empty_results(kael_dtype dtype) {
    static const shapes all[] = {
        {2, {0, 3}, 2, {3, 2}},       {2, {2, 3}, 2, {3, 0}},       {2, {0, 0}, 2, {0, 0}},
        {3, {0, 2, 3}, 3, {0, 3, 2}}, {3, {1, 2, 3}, 3, {0, 3, 2}}, {2, {0, 3}, 1, {3}},
    };
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        operands o = new_operands(&all[i], dtype, dtype, TENSOR_ROW_MAJOR, TENSOR_ROW_MAJOR,
                                  TENSOR_CANCELLING);
        kael_tensor *out = matmul(o.a, o.b);
        int64_t shape[MOST_TEST_DIMS];
        const int64_t ndim = result_shape(shape, &all[i]);
        cr_expect_eq(kael_tensor_ndim(out), ndim);
        expect_numbers(kael_tensor_shape(out), ndim, shape, "shape");
        cr_expect_eq(kael_tensor_numel(out), 0);
        expect_ok(kael_matmul_into(out, o.a, o.b), "into");
        kael_tensor_release(out);
        free_operands(&o);
    }
}

Test(Matmul, K10_EmptySizes) {
    each_dtype(check_empty_inner_size);
    each_dtype(check_empty_results);
}

/* Scratch memory that held NaN must not show in the next product. */
Test(Matmul, K11_ScratchReuse) {
    static const int64_t sizes[][3] = {{7, 5, 9}, {64, 64, 64}, {90, 600, 80}, {1, 600, 64}};
    static const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(dtypes); ++i) {
        const int64_t *size = sizes[i % COUNT_OF(sizes)];
        const kael_dtype dtype = dtypes[i / COUNT_OF(sizes)];
        kael_tensor *a = NULL;
        kael_tensor *b = NULL;
        kael_tensor *nans = NULL;
        ASSERT_OK(kael_tensor_ones(&a, dtype, SHAPE(size[0], size[1])));
        ASSERT_OK(kael_tensor_ones(&b, dtype, SHAPE(size[1], size[2])));
        ASSERT_OK(kael_tensor_full(&nans, dtype, SHAPE(size[1], size[2]), NAN));
        kael_tensor *out = matmul(a, nans);
        expect_ok(kael_matmul_into(out, a, b), "clean product into NaN");
        kael_tensor *expected = NULL;
        ASSERT_OK(kael_tensor_full(&expected, dtype, SHAPE(size[0], size[2]), (double)size[1]));
        expect_same_elements(out, expected, "clean product", size[1]);
        kael_tensor_release(a);
        kael_tensor_release(b);
        kael_tensor_release(nans);
        kael_tensor_release(out);
        kael_tensor_release(expected);
    }
}

static void check_zero_stride(kael_dtype dtype) {
    kael_tensor *a = of(dtype, SHAPE(2, 4), NUMBERS(1, 2, 3, 4, 5, 6, 7, 8));
    kael_tensor *one = of(dtype, SHAPE(1, 1), NUMBERS(1));
    kael_tensor *ones = NULL;
    ASSERT_OK(kael_tensor_broadcast_to(&ones, one, SHAPE(4, 1)));
    kael_tensor *out = matmul(a, ones);
    expect_values(out, 2, NUMBERS(10, 26));
    kael_tensor_release(a);
    kael_tensor_release(one);
    kael_tensor_release(ones);
    kael_tensor_release(out);
}

/* One matrix expanded to three, times three distinct ones: as its copy, on either side. */
static void check_expanded_batch(kael_dtype dtype) {
    kael_tensor *single = tensor_new(dtype, SHAPE(1, 2, 2), TENSOR_ROW_MAJOR, TENSOR_CANCELLING, 1);
    kael_tensor *three = tensor_new(dtype, SHAPE(3, 2, 2), TENSOR_ROW_MAJOR, TENSOR_CANCELLING, 2);
    kael_tensor *expanded = NULL;
    kael_tensor *copy = NULL;
    ASSERT_OK(kael_tensor_broadcast_to(&expanded, single, SHAPE(3, 2, 2)));
    ASSERT_OK(kael_tensor_clone(&copy, expanded));
    for (int side = 0; side < 2; ++side) {
        kael_tensor *view = side == 0 ? matmul(expanded, three) : matmul(three, expanded);
        kael_tensor *distinct = side == 0 ? matmul(copy, three) : matmul(three, copy);
        expect_same_elements(view, distinct, "side", side);
        kael_tensor_release(view);
        kael_tensor_release(distinct);
    }
    kael_tensor_release(single);
    kael_tensor_release(three);
    kael_tensor_release(expanded);
    kael_tensor_release(copy);
}

Test(Matmul, K22_ZeroStride) {
    each_dtype(check_zero_stride);
    each_dtype(check_expanded_batch);
}

static void check_flipped(kael_dtype dtype) {
    kael_tensor *a = of(dtype, SHAPE(2, 2), NUMBERS(1, 2, 3, 4));
    kael_tensor *identity = of(dtype, SHAPE(2, 2), NUMBERS(1, 0, 0, 1));
    kael_tensor *half = NULL;
    kael_tensor *flipped = NULL;
    ASSERT_OK(kael_tensor_slice(&half, a, 0, 1, -1, -1));
    ASSERT_OK(kael_tensor_slice(&flipped, half, 1, 1, -1, -1));
    kael_tensor *left = matmul(flipped, identity);
    kael_tensor *right = matmul(identity, flipped);
    expect_values(left, 4, NUMBERS(4, 3, 2, 1));
    expect_values(right, 4, NUMBERS(4, 3, 2, 1));
    kael_tensor_release(a);
    kael_tensor_release(identity);
    kael_tensor_release(half);
    kael_tensor_release(flipped);
    kael_tensor_release(left);
    kael_tensor_release(right);
}

Test(Matmul, K23_NegativeStrides) {
    each_dtype(check_flipped);
}

Test(Matmul, K38_ZeroShortcuts) {
    static const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        kael_tensor *zeros = of(dtypes[d], SHAPE(1, 2), NUMBERS(0, 0));
        kael_tensor *with_nan = of(dtypes[d], SHAPE(2, 1), NUMBERS(NAN, 1));
        kael_tensor *out = matmul(zeros, with_nan);
        double value = 0;
        ASSERT_OK(kael_tensor_get(&value, out, (const int64_t[]){0, 0}));
        cr_expect(isnan(value), "0 * NaN gave %g", value);
        kael_tensor_release(zeros);
        kael_tensor_release(with_nan);
        kael_tensor_release(out);
    }
}

/* Long inner sizes: the sums go through several blocks, whose order is fixed. */
Test(Matmul, K58_SkinnyProductsHaveFixedBits) {
    static const shapes all[] = {{2, {400, 2000}, 2, {2000, 1}},
                                 {2, {4, 20000}, 2, {20000, 4}},
                                 {2, {13, 9000}, 2, {9000, 13}}};
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F64, KAEL_F16};
    for (size_t i = 0; i < COUNT_OF(all) * COUNT_OF(dtypes); ++i) {
        const kael_dtype dtype = dtypes[i / COUNT_OF(all)];
        operands o = new_operands(&all[i % COUNT_OF(all)], dtype, dtype, TENSOR_ROW_MAJOR,
                                  TENSOR_ROW_MAJOR, TENSOR_CANCELLING);
        for (int64_t threads = 1; threads <= 16; threads *= 2) {
            use_threads(threads);
            expect_product(&o, "threads");
        }
        free_operands(&o);
    }
}

/* One rounding at the end, not one per step: 2048 + 1 + 1 ... is 2048 if every sum is rounded. */
Test(Matmul, NarrowResultsAreRoundedOnce) {
    kael_tensor *row = NULL;
    kael_tensor *column = NULL;
    ASSERT_OK(kael_tensor_ones(&row, KAEL_F16, SHAPE(4096)));
    ASSERT_OK(kael_tensor_ones(&column, KAEL_F16, SHAPE(4096)));
    kael_tensor *out = matmul(row, column);
    double value = 0;
    ASSERT_OK(kael_tensor_item(&value, out));
    cr_expect_eq(value, 4096, "%g", value);
    cr_expect_eq(kael_tensor_ndim(out), 0);
    kael_tensor_release(row);
    kael_tensor_release(column);
    kael_tensor_release(out);
}

/* More results than are computed before they are converted. */
Test(Matmul, ManyNarrowResultsAreConvertedInParts) {
    static const shapes all[] = {{2, {2300, 3}, 2, {3, 2100}}, {2, {3, 2}, 2, {2, 1500000}}};
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        operands o = new_operands(&all[i], KAEL_BF16, KAEL_BF16, TENSOR_ROW_MAJOR,
                                  TENSOR_TRANSPOSED, TENSOR_CANCELLING);
        expect_product(&o, "new");
        free_operands(&o);
    }
}

/* ---- bad arguments ---- */

Test(Matmul, BadArgumentsAreErrorsAndGiveNothing) {
    kael_tensor *scalar = of(KAEL_F32, 0, NULL, NUMBERS(1));
    kael_tensor *a = of(KAEL_F32, SHAPE(2, 3), NUMBERS(1, 2, 3, 4, 5, 6));
    kael_tensor *vector = of(KAEL_F32, SHAPE(2), NUMBERS(1, 2));
    kael_tensor *flags = of(KAEL_BOOL, SHAPE(3, 2), NUMBERS(1, 0, 1, 0, 1, 0));
    kael_tensor *two = tensor_new(KAEL_F32, SHAPE(2, 3, 2), TENSOR_ROW_MAJOR, TENSOR_CANCELLING, 1);
    kael_tensor *three =
        tensor_new(KAEL_F32, SHAPE(3, 2, 3), TENSOR_ROW_MAJOR, TENSOR_CANCELLING, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "a must not be NULL", kael_matmul, NULL, a);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "b must not be NULL", kael_matmul, a, NULL);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "a must have at least 1 dimension, got shape ()", kael_matmul,
                   scalar, a);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "b must have at least 1 dimension, got shape ()", kael_matmul,
                   a, scalar);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE,
                   "a of shape (2, 3) and b of shape (2, 3) must agree in the last size of a and "
                   "the last but one of b, got 3 and 2",
                   kael_matmul, a, a);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE,
                   "a of shape (2, 3) and b of shape (2) must agree in the last size of a and the "
                   "only one of b, got 3 and 2",
                   kael_matmul, a, vector);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE,
                   "a of shape (2, 3, 2) and b of shape (3, 2, 3) must have batch sizes that are "
                   "equal or 1, got 2 and 3",
                   kael_matmul, two, three);
    EXPECT_FAILURE(KAEL_ERROR_DTYPE, "b must have a dtype of numbers, got bool", kael_matmul, a,
                   flags);
    EXPECT_FAILURE(KAEL_ERROR_DTYPE, "a must have a dtype of numbers, got bool", kael_matmul, flags,
                   a);
    expect_error(kael_matmul(NULL, a, a), KAEL_ERROR_VALUE, "out NULL", "out");
    expect_error(kael_matmul_into(NULL, a, a), KAEL_ERROR_VALUE, "out NULL", "out");
    kael_tensor_release(scalar);
    kael_tensor_release(a);
    kael_tensor_release(vector);
    kael_tensor_release(flags);
    kael_tensor_release(two);
    kael_tensor_release(three);
}

Test(Matmul, AnOutputThatDoesNotFitIsAnErrorAndUnchanged) {
    kael_tensor *a = of(KAEL_F32, SHAPE(2, 2), NUMBERS(1, 2, 3, 4));
    kael_tensor *wide = of(KAEL_F64, SHAPE(2, 2), NUMBERS(5, 6, 7, 8));
    kael_tensor *tall = of(KAEL_F32, SHAPE(4, 1), NUMBERS(5, 6, 7, 8));
    expect_error(kael_matmul_into(wide, a, a), KAEL_ERROR_DTYPE, "out f32 f64", "dtype");
    expect_error(kael_matmul_into(tall, a, a), KAEL_ERROR_SHAPE, "out 2 4", "shape");
    expect_values(wide, 4, NUMBERS(5, 6, 7, 8));
    expect_values(tall, 4, NUMBERS(5, 6, 7, 8));
    kael_tensor_release(a);
    kael_tensor_release(wide);
    kael_tensor_release(tall);
}

/* An empty matrix's shape may name results that no memory holds. */
Test(Matmul, K48_ResultsThatOverflow) {
    kael_tensor *a = NULL;
    kael_tensor *b = NULL;
    ASSERT_OK(kael_tensor_empty(&a, KAEL_F32, SHAPE(INT64_C(1) << 32, 0)));
    ASSERT_OK(kael_tensor_empty(&b, KAEL_F32, SHAPE(0, INT64_C(1) << 32)));
    kael_tensor *out = poison();
    expect_error(kael_matmul(&out, a, b), KAEL_ERROR_SHAPE, "4294967296", "2^64 results");
    cr_expect_null(out);
    kael_tensor_release(a);
    kael_tensor_release(b);
}

/* Fails the first allocation, then the second and so on: the output stays as it was. */
Test(Matmul, FailedAllocationsLeaveTheOutputUnchanged) {
    static const shapes all[] = {
        {3, {5, 60, 70}, 3, {5, 70, 50}},
        {3, {3, 150, 530}, 3, {3, 530, 130}},
        {2, {150, 530}, 1, {530}},
    };
    static const kael_dtype dtypes[] = {KAEL_F32, KAEL_F16, KAEL_I8};
    kael_set_caching_allocator_enabled(false);
    use_threads(3);
    for (size_t i = 0; i < COUNT_OF(all) * COUNT_OF(dtypes); ++i) {
        const shapes *s = &all[i % COUNT_OF(all)];
        const kael_dtype dtype = dtypes[i / COUNT_OF(all)];
        operands o =
            new_operands(s, dtype, dtype, TENSOR_TRANSPOSED, TENSOR_STEPPED, TENSOR_CANCELLING);
        int64_t shape[MOST_TEST_DIMS];
        const int64_t ndim = result_shape(shape, s);
        kael_tensor *out = tensor_new(dtype, ndim, shape, TENSOR_ROW_MAJOR, TENSOR_CANCELLING, 3);
        kael_tensor *before = NULL;
        ASSERT_OK(kael_tensor_clone(&before, out));
        bool failed = true;
        int64_t n = 0;
        while (failed && n < 100) {
            kael_system_inject_failures(++n, 1);
            const kael_status status = kael_matmul_into(out, o.a, o.b);
            failed = kael_system_injected_failures() > 0;
            kael_system_inject_failures(0, 0);
            if (failed) {
                cr_expect_eq(status, KAEL_ERROR_MEMORY, "%s", o.text);
                expect_same_elements(out, before, "unchanged after failure", n);
            }
        }
        cr_expect(n > 1 && n < 100, "%" PRId64 " allocations", n);
        expect_result(out, &o, "after failures");
        kael_tensor_release(out);
        kael_tensor_release(before);
        free_operands(&o);
    }
}

/* Nothing of a failed or finished product stays allocated. */
Test(Matmul, MemoryIsGivenBack) {
    const int64_t before = bytes_in_use();
    for (size_t i = 0; i < LARGE_SHAPES; ++i) {
        operands o = new_operands(&large_shapes[i], KAEL_F16, KAEL_I8, TENSOR_STEPPED,
                                  TENSOR_REVERSED, TENSOR_CANCELLING);
        expect_product(&o, "new");
        free_operands(&o);
    }
    cr_expect_eq(bytes_in_use(), before);
}
