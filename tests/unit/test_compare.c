/* kael_equal and kael_allclose. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "kael/compare.h"
#include "kael/parallel.h"
#include "layouts.h"
#include "tensor/tensor.h"

static bool equal(const kael_tensor *a, const kael_tensor *b) {
    bool result;
    ASSERT_OK(kael_equal(&result, a, b));
    return result;
}

static bool close_to(const kael_tensor *a, const kael_tensor *b, double rtol, double atol,
                     bool equal_nan) {
    bool result;
    ASSERT_OK(kael_allclose(&result, a, b, rtol, atol, equal_nan));
    return result;
}

/* Every layout against every layout, with one element that differs in any place. */
Test(Compare, EqualFindsAnyElementInAnyLayout) {
    const int64_t shape[] = {3, 5, 7};
    KAEL_EACH_DTYPE(dtype) {
        kael_tensor *base = test_values(dtype, 3, shape, 1, ROW_MAJOR);
        for (int pair = 0; pair < TEST_LAYOUTS * TEST_LAYOUTS; ++pair) {
            kael_tensor *a = test_relayout(base, (test_layout)(pair % TEST_LAYOUTS));
            kael_tensor *b = test_relayout(base, (test_layout)(pair / TEST_LAYOUTS));
            cr_expect(equal(a, b), "%s, layouts %d", kael_dtype_name(dtype), pair);
            int64_t at[3] = {0, 0, 0};
            do {
                char *element = test_element(b, at);
                *element = (char)(*element ^ 1); /* the lowest bit */
                if (pair == 0) {
                    bool is_nan_still;
                    kael_tensor *single[2];
                    ASSERT_OK(kael_tensor_create_view(&single[0], a->storage, dtype, 0, NULL, NULL,
                                                      (test_element(a, at) - (char *)a->data) /
                                                          kael_dtype_size(dtype)));
                    double value;
                    ASSERT_OK(kael_tensor_item(&value, single[0]));
                    is_nan_still = isnan(value);
                    cr_expect_eq(equal(a, b), is_nan_still, "%s", kael_dtype_name(dtype));
                    kael_tensor_release(single[0]);
                }
                *element = (char)(*element ^ 1);
            } while (test_next(3, shape, at));
            cr_expect(equal(a, b));
            kael_tensor_release(a);
            kael_tensor_release(b);
        }
        kael_tensor_release(base);
    }
}

static kael_tensor *vector(kael_dtype dtype, int64_t count, const double *values) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, dtype, 1, &count));
    for (int64_t i = 0; i < count; ++i) {
        ASSERT_OK(kael_tensor_set(t, &i, values[i]));
    }
    return t;
}

Test(Compare, NanEqualsNanAndZerosDiffer) {
    const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t i = 0; i < COUNT_OF(dtypes); ++i) {
        for (int64_t count = 1; count < 70; ++count) {
            double values[70];
            for (int64_t k = 0; k < count; ++k) {
                values[k] = k % 3 == 0 ? NAN : INFINITY;
            }
            kael_tensor *a = vector(dtypes[i], count, values);
            kael_tensor *b = vector(dtypes[i], count, values);
            /* Another NaN: its sign and a bit of its payload. */
            char *bytes = b->data;
            const int64_t size = kael_dtype_size(dtypes[i]);
            bytes[size - 1] = (char)(bytes[size - 1] ^ 0x80);
            bytes[0] = (char)(bytes[0] ^ 1);
            cr_expect(equal(a, b), "%s", kael_dtype_name(dtypes[i]));
            ASSERT_OK(kael_tensor_set(b, (const int64_t[]){count - 1}, 1));
            cr_expect(!equal(a, b), "%s", kael_dtype_name(dtypes[i]));
            ASSERT_OK(kael_tensor_set(a, (const int64_t[]){count - 1}, 0.0));
            ASSERT_OK(kael_tensor_set(b, (const int64_t[]){count - 1}, -0.0));
            cr_expect(!equal(a, b), "%s", kael_dtype_name(dtypes[i]));
            cr_expect(close_to(a, b, 0, 0, true), "%s", kael_dtype_name(dtypes[i]));
            ASSERT_OK(kael_tensor_set(b, (const int64_t[]){count - 1}, 0.0));
            cr_expect(equal(a, b), "%s", kael_dtype_name(dtypes[i]));
            kael_tensor_release(a);
            kael_tensor_release(b);
        }
    }
}

Test(Compare, EqualNeedsTheSameDtypeAndShape) {
    kael_tensor *a;
    kael_tensor *b;
    ASSERT_OK(kael_tensor_zeros(&a, KAEL_I32, SHAPE(2, 3)));
    ASSERT_OK(kael_tensor_zeros(&b, KAEL_U32, SHAPE(2, 3)));
    cr_expect(!equal(a, b));
    cr_expect(close_to(a, b, 0, 0, false));
    kael_tensor_release(b);
    ASSERT_OK(kael_tensor_zeros(&b, KAEL_I32, SHAPE(3, 2)));
    cr_expect(!equal(a, b));
    kael_tensor_release(b);
    ASSERT_OK(kael_tensor_zeros(&b, KAEL_I32, SHAPE(1, 2, 3)));
    cr_expect(!equal(a, b));
    kael_tensor_release(b);
    kael_tensor_release(a);
    ASSERT_OK(kael_tensor_zeros(&a, KAEL_F32, SHAPE(0, 3)));
    ASSERT_OK(kael_tensor_zeros(&b, KAEL_F32, SHAPE(0, 3)));
    cr_expect(equal(a, b));
    cr_expect(equal(a, a));
    kael_tensor_release(b);
    ASSERT_OK(kael_tensor_zeros(&b, KAEL_F32, SHAPE(0, 4)));
    cr_expect(!equal(a, b));
    kael_tensor_release(b);
    kael_tensor_release(a);
}

/* A repeated tensor as either operand. */
Test(Compare, BroadcastViewsAreComparedWhole) {
    const double values[] = {1, 2, 3};
    kael_tensor *row = vector(KAEL_F32, 3, values);
    kael_tensor *wide;
    kael_tensor *dense;
    ASSERT_OK(kael_tensor_broadcast_to(&wide, row, SHAPE(4, 3)));
    ASSERT_OK(kael_tensor_clone(&dense, wide));
    cr_expect(equal(wide, dense));
    cr_expect(equal(dense, wide));
    ASSERT_OK(kael_tensor_set(dense, (const int64_t[]){3, 2}, 4));
    cr_expect(!equal(wide, dense));
    cr_expect(!equal(dense, wide));
    kael_tensor_release(row);
    kael_tensor_release(wide);
    kael_tensor_release(dense);
}

typedef struct close_case {
    double a;
    double b;
    double rtol;
    double atol;
    bool equal_nan;
    bool close;
} close_case;

static const close_case close_cases[] = {
    {1, 1, 0, 0, false, true},
    {1, 1.5, 0, 0.5, false, true},
    {1, 1.5, 0, 0.25, false, false},
    {100, 101, 0.01, 0, false, true},
    {101, 100, 0.01, 0, false, true},
    {99, 100, 0.01, 0, false, true},
    {100, 99, 0.01, 0, false, false}, /* the tolerance is relative to b */
    {0, 0.25, 1, 0, false, true},
    {0.25, 0, 1, 0, false, false},
    {INFINITY, INFINITY, 0, 0, false, true},
    {INFINITY, -INFINITY, 1, 1, false, false},
    {1, INFINITY, 1, 1, false, false},
    {INFINITY, 1, 1, 1, false, false},
    {-INFINITY, -INFINITY, 0, 0, false, true},
    {NAN, NAN, 1, 1, false, false},
    {NAN, NAN, 0, 0, true, true},
    {NAN, 1, 1, 1, true, false},
    {1, NAN, 1, 1, true, false},
    {1, 2, INFINITY, 0, false, true},
    {1, 2, 0, INFINITY, false, true},
    {0.0, -0.0, 0, 0, false, true},
};

Test(Compare, AllcloseIsNumPysFormula) {
    for (size_t i = 0; i < COUNT_OF(close_cases); ++i) {
        const close_case *c = &close_cases[i];
        for (int dtypes = 0; dtypes < 4; ++dtypes) {
            for (int64_t place = 0; place < 40; ++place) {
                double a[40];
                double b[40];
                for (int k = 0; k < 40; ++k) {
                    a[k] = b[k] = k;
                }
                a[place] = c->a;
                b[place] = c->b;
                kael_tensor *x = vector(dtypes % 2 == 0 ? KAEL_F32 : KAEL_F64, 40, a);
                kael_tensor *y = vector(dtypes / 2 == 0 ? KAEL_F32 : KAEL_F64, 40, b);
                cr_expect_eq(close_to(x, y, c->rtol, c->atol, c->equal_nan), c->close,
                             "%g and %g, %g %g", c->a, c->b, c->rtol, c->atol);
                kael_tensor_release(x);
                kael_tensor_release(y);
            }
        }
    }
}

Test(Compare, AllcloseBroadcastsAndConverts) {
    const double column[] = {1, 2};
    const double row[] = {1, 2, 3};
    kael_tensor *a = vector(KAEL_I8, 2, column);
    kael_tensor *b = vector(KAEL_F16, 3, row);
    kael_tensor *tall;
    ASSERT_OK(kael_tensor_unsqueeze(&tall, a, 1));
    cr_expect(close_to(tall, b, 0, 2, false));
    cr_expect(close_to(b, tall, 0, 2, false));
    cr_expect(!close_to(tall, b, 0, 1.5, false));
    cr_expect(!close_to(b, tall, 0, 1.5, false));
    bool result = true;
    test_error(kael_allclose(&result, a, b, 0, 0, false), KAEL_ERROR_SHAPE, "(2)");
    kael_tensor_release(tall);
    kael_tensor_release(a);
    kael_tensor_release(b);
}

/* Large enough for several chunks, in all thread counts. */
Test(Compare, ManyElementsOnManyThreads) {
    const int64_t count = 3 * KAEL_ELEMENT_GRAIN + 11;
    const int64_t threads[] = {1, 2, 3, 5, 8};
    kael_tensor *a;
    kael_tensor *b;
    ASSERT_OK(kael_tensor_full(&a, KAEL_F32, 1, &count, 1.5));
    ASSERT_OK(kael_tensor_clone(&b, a));
    const int64_t places[] = {0, 4095, 4096, KAEL_ELEMENT_GRAIN - 1, KAEL_ELEMENT_GRAIN, count - 1};
    for (size_t t = 0; t < COUNT_OF(threads); ++t) {
        ASSERT_OK(kael_set_num_threads(threads[t]));
        cr_expect(equal(a, b));
        cr_expect(close_to(a, b, 0, 0, false));
        for (size_t i = 0; i < COUNT_OF(places); ++i) {
            ASSERT_OK(kael_tensor_set(b, &places[i], 1.75));
            cr_expect(!equal(a, b));
            cr_expect(!close_to(a, b, 0, 0.125, false));
            cr_expect(close_to(a, b, 0, 0.25, false));
            ASSERT_OK(kael_tensor_set(b, &places[i], 1.5));
        }
    }
    kael_tensor_release(a);
    kael_tensor_release(b);
}

Test(Compare, BadArguments) {
    kael_tensor *t;
    bool result = true;
    ASSERT_OK(kael_tensor_zeros(&t, KAEL_F32, SHAPE(2)));
    test_error(kael_equal(NULL, t, t), KAEL_ERROR_VALUE, "result must not be NULL");
    test_error(kael_equal(&result, NULL, t), KAEL_ERROR_VALUE, "a must not be NULL");
    test_error(kael_equal(&result, t, NULL), KAEL_ERROR_VALUE, "b must not be NULL");
    test_error(kael_allclose(NULL, t, t, 0, 0, false), KAEL_ERROR_VALUE, "result");
    test_error(kael_allclose(&result, NULL, t, 0, 0, false), KAEL_ERROR_VALUE, "a must");
    test_error(kael_allclose(&result, t, NULL, 0, 0, false), KAEL_ERROR_VALUE, "b must");
    test_error(kael_allclose(&result, t, t, -1, 0, false), KAEL_ERROR_VALUE,
               "rtol must be at least 0, got -1");
    test_error(kael_allclose(&result, t, t, 0, NAN, false), KAEL_ERROR_VALUE,
               "atol must be at least 0, got nan");
    cr_expect(result);
    kael_tensor_release(t);
}
