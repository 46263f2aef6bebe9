/* Reductions: values, cases from practice, threads and errors. */
#include <criterion/criterion.h>
#include <math.h>

#include "kael/parallel.h"
#include "kernels/half.h"
#include "memory/system.h"
#include "reduce_cases.h"
#include "tensor_checks.h"

static const int64_t thread_counts[] = {1, 2, 3, 5, 8, 64};

static kael_tensor *of_doubles(kael_dtype dtype, int64_t ndim, const int64_t *shape,
                               const double *values) {
    kael_tensor *wide;
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&wide, KAEL_F64, ndim, shape, values));
    ASSERT_OK(kael_tensor_to_dtype(&t, wide, dtype));
    kael_tensor_release(wide);
    return t;
}

#define VECTOR(dtype, ...)                                                                         \
    of_doubles(dtype, SHAPE(COUNT_OF(((const double[]){__VA_ARGS__}))),                            \
               (const double[]){__VA_ARGS__})

static kael_tensor *full(kael_dtype dtype, int64_t ndim, const int64_t *shape, double value) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_full(&t, dtype, ndim, shape, value));
    return t;
}

static double number_of(const kael_tensor *t) {
    cr_assert_eq(kael_tensor_numel(t), 1);
    kael_tensor *wide;
    ASSERT_OK(kael_tensor_to_dtype(&wide, t, KAEL_F64));
    const double value = *(const double *)kael_tensor_data(wide);
    kael_tensor_release(wide);
    return value;
}

/* The reduction of all elements. */
static double total(reduce_operation operation, const kael_tensor *t, double correction) {
    kael_tensor *out;
    ASSERT_OK(call_reduction(operation, &out, t, 0, NULL, false, correction));
    const double value = number_of(out);
    kael_tensor_release(out);
    return value;
}

static void expect_total(reduce_operation operation, kael_tensor *t, double expected) {
    const double actual = total(operation, t, 0);
    cr_expect(actual == expected || (isnan(actual) && isnan(expected)), "%s: %.17g, not %.17g",
              reduce_name(operation), actual, expected);
    kael_tensor_release(t);
}

static void expect_along(reduce_operation operation, const kael_tensor *t, int64_t dim,
                         int64_t count, const double *expected) {
    kael_tensor *out;
    ASSERT_OK(call_reduction(operation, &out, t, 1, &dim, false, 0));
    expect_values(out, count, expected);
    kael_tensor_release(out);
}

/* ---- the suite ParallelReduce ---- */

Test(ParallelReduce, ResultsDoNotDependOnThreadCount) {
    const reduce_shape shapes[] = {
        {1, {1000003}}, {2, {1001, 1037}}, {2, {3, 300007}}, {2, {300007, 3}}};
    for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
        kael_tensor *t =
            new_reduce_input(KAEL_F32, &shapes[s], LAYOUT_CONTIGUOUS, VALUES_ORDINARY, s);
        for (int o = 0; o < REDUCE_OPERATIONS; ++o) {
            for (int64_t dim = -1; dim < shapes[s].ndim; ++dim) {
                const int64_t *dims = dim < 0 ? NULL : &dim;
                kael_tensor *expected = NULL;
                for (size_t i = 0; i < COUNT_OF(thread_counts); ++i) {
                    use_threads(thread_counts[i]);
                    kael_tensor *out;
                    ASSERT_OK(
                        call_reduction((reduce_operation)o, &out, t, dims != NULL, dims, false, 1));
                    if (expected == NULL) {
                        expected = kael_tensor_retain(out);
                    }
                    expect_same_tensor(out, expected, "%s, %" PRId64 " threads",
                                       reduce_name((reduce_operation)o), thread_counts[i]);
                    kael_tensor_release(out);
                }
                kael_tensor_release(expected);
            }
        }
        kael_tensor_release(t);
    }
}

Test(ParallelReduce, ManyOutputsMatchSlices) {
    use_threads(3);
    const reduce_shape shape = {2, {1000, 1000}};
    kael_tensor *t = new_reduce_input(KAEL_F32, &shape, LAYOUT_CONTIGUOUS, VALUES_ORDINARY, 5);
    for (int64_t dim = 0; dim < 2; ++dim) {
        for (reduce_operation o = REDUCE_SUM; o < REDUCE_OPERATIONS; ++o) {
            kael_tensor *all;
            ASSERT_OK(call_reduction(o, &all, t, 1, &dim, false, 1));
            for (int64_t i = 0; i < 1000; i += 37) {
                kael_tensor *slice;
                kael_tensor *own;
                kael_tensor *element;
                ASSERT_OK(kael_tensor_select(&slice, t, 1 - dim, i));
                ASSERT_OK(call_reduction(o, &own, slice, 0, NULL, false, 1));
                ASSERT_OK(kael_tensor_select(&element, all, 0, i));
                expect_same_tensor(element, own, "%s along %" PRId64 ", output %" PRId64,
                                   reduce_name(o), dim, i);
                kael_tensor_release(element);
                kael_tensor_release(own);
                kael_tensor_release(slice);
            }
            kael_tensor_release(all);
        }
    }
    kael_tensor_release(t);
}

Test(ParallelReduce, LongSumIsMoreAccurateThanRunningTotal) {
    const int64_t count = INT64_C(1) << 24;
    kael_tensor *t = full(KAEL_F64, 1, &count, 0.1);
    const double exact = (double)count * 0.1; /* exact but for its own rounding: a power of two */
    double running = 0;
    for (int64_t i = 0; i < count; ++i) {
        running += 0.1;
    }
    const double sum = total(REDUCE_SUM, t, 0);
    cr_expect_lt(fabs(sum - exact), fabs(running - exact));
    cr_expect_lt(fabs(sum - exact), 1e-7);
    kael_tensor_release(t);
}

Test(ParallelReduce, EmptyReductionsKeepTheirMeaning) {
    const double expected[REDUCE_OPERATIONS] = {
        [REDUCE_SUM] = 0,
        [REDUCE_PROD] = 1,
        [REDUCE_MEAN] = (double)NAN,
        [REDUCE_VAR] = (double)NAN,
        [REDUCE_STD] = (double)NAN,
        [REDUCE_NORM] = 0,
        [REDUCE_LOGSUMEXP] = -(double)INFINITY,
        [REDUCE_ANY] = 0,
        [REDUCE_ALL] = 1,
        [REDUCE_COUNT_NONZERO] = 0,
    };
    for (int dtype = KAEL_BOOL; dtype <= KAEL_F64; ++dtype) {
        for (reduce_operation o = REDUCE_SUM; o < REDUCE_OPERATIONS; ++o) {
            if (o < REDUCE_MAX || o > REDUCE_ARGMIN) {
                kael_tensor *t = full((kael_dtype)dtype, SHAPE(0), 0);
                expect_total(o, t, expected[o]);
            }
        }
    }
    kael_tensor *t = full(KAEL_F32, SHAPE(3, 0, 2), 0);
    kael_tensor *out;
    ASSERT_OK(kael_prod(&out, t, 1, DIMS(1), true));
    cr_expect_eq(kael_tensor_ndim(out), 3);
    EXPECT_VALUES(out, 1, 1, 1, 1, 1, 1);
    kael_tensor_release(out);
    ASSERT_OK(kael_sum(&out, t, 2, DIMS(0, 2), false));
    cr_expect_eq(kael_tensor_numel(out), 0);
    cr_expect_eq(kael_tensor_ndim(out), 1);
    kael_tensor_release(out);
    kael_tensor_release(t);
}

/* ---- cases from practice ---- */

Test(Reduce, K06_SlowAxisSums) {
    const kael_dtype halves[] = {KAEL_BF16, KAEL_F16};
    for (int transposed = 0; transposed < 2; ++transposed) {
        const int64_t ones_shape[2][2] = {{4096, 2}, {2, 4096}};
        const int64_t large_shape[2][2] = {{1025, 2}, {2, 1025}};
        for (size_t i = 0; i < COUNT_OF(halves); ++i) {
            kael_tensor *t = full(halves[i], 2, ones_shape[transposed], 1);
            expect_along(REDUCE_SUM, t, transposed, 2, (const double[]){4096, 4096});
            kael_tensor_release(t);
        }
        kael_tensor *t = full(KAEL_F32, 2, large_shape[transposed], 1);
        float *data = kael_tensor_data(t);
        data[0] = 0x1p24F;
        data[transposed == 0 ? 1 : 1025] = 0x1p24F;
        expect_along(REDUCE_SUM, t, transposed, 2, (const double[]){16778240, 16778240});
        kael_tensor *view;
        ASSERT_OK(kael_tensor_transpose(&view, t, 0, 1));
        expect_along(REDUCE_SUM, view, 1 - transposed, 2, (const double[]){16778240, 16778240});
        kael_tensor_release(view);
        kael_tensor_release(t);
    }
}

static void expect_nan_at(kael_dtype dtype, int64_t count, int64_t position, int64_t stride) {
    kael_tensor *t = full(dtype, 2, (const int64_t[]){count, stride}, 0);
    kael_tensor *column;
    kael_tensor *nan;
    kael_tensor *at;
    ASSERT_OK(kael_tensor_select(&column, t, 1, 0));
    ASSERT_OK(kael_tensor_narrow(&at, column, 0, position, 1));
    ASSERT_OK(kael_tensor_full(&nan, dtype, SHAPE(1), (double)NAN));
    memcpy(kael_tensor_data(at), kael_tensor_data(nan), (size_t)kael_dtype_size(dtype));
    cr_expect(isnan(total(REDUCE_MAX, column, 0)), "%" PRId64, position);
    cr_expect(isnan(total(REDUCE_MIN, column, 0)), "%" PRId64, position);
    cr_expect_eq(total(REDUCE_ARGMAX, column, 0), (double)position);
    cr_expect_eq(total(REDUCE_ARGMIN, column, 0), (double)position);
    kael_tensor *out;
    ASSERT_OK(kael_argmax(&out, t, 0, false));
    cr_expect_eq(*(const int64_t *)kael_tensor_data(out), position);
    kael_tensor_release(out);
    kael_tensor_release(nan);
    kael_tensor_release(at);
    kael_tensor_release(column);
    kael_tensor_release(t);
}

Test(Reduce, K07_NanAtEveryPosition) {
    const int64_t positions[] = {0, 1, 7, 8, 15, 16, 499, 500, 999};
    for (int64_t threads = 1; threads <= 8; ++threads) {
        use_threads(threads);
        for (int dtype = KAEL_F16; dtype <= KAEL_F64; ++dtype) {
            for (size_t i = 0; i < COUNT_OF(positions); ++i) {
                expect_nan_at((kael_dtype)dtype, 1000, positions[i], 1);
                expect_nan_at((kael_dtype)dtype, 1000, positions[i], 3);
            }
        }
    }
    for (int64_t count = 1; count < 150; ++count) {
        for (int64_t position = 0; position < count; ++position) {
            expect_nan_at(KAEL_F32, count, position, 1);
        }
    }
    expect_nan_at(KAEL_F32, 300000, 200000, 1);
}

Test(Reduce, K07_TheFirstOfSeveralNans) {
    const double nan = (double)NAN;
    expect_total(REDUCE_ARGMAX, VECTOR(KAEL_F32, 1, nan, 5, -nan, nan), 1);
    expect_total(REDUCE_ARGMIN, VECTOR(KAEL_BF16, 1, 2, -nan, nan, 0), 2);
    expect_total(REDUCE_ARGMAX, VECTOR(KAEL_F64, 2, 9, 4, 9, 9), 1);
    expect_total(REDUCE_ARGMAX, VECTOR(KAEL_I8, 2, 9, 4, 9, 9), 1);
    expect_total(REDUCE_ARGMIN, VECTOR(KAEL_U16, 2, 1, 4, 1, 1), 1);
}

Test(Reduce, ZerosOfBothSigns) {
    const double mixed[] = {-0.0, 0.0, -0.0, -1, -0.0, 0.0, -3, -0.0, -0.0, -0.0};
    for (int dtype = KAEL_F16; dtype <= KAEL_F64; ++dtype) {
        kael_tensor *t = of_doubles((kael_dtype)dtype, SHAPE(10), mixed);
        cr_expect_not(signbit(total(REDUCE_MAX, t, 0)));
        cr_expect_eq(total(REDUCE_ARGMAX, t, 0), 0);
        kael_tensor_release(t);
        t = VECTOR((kael_dtype)dtype, 0.0, 2, -0.0, 0.0, 5);
        cr_expect(signbit(total(REDUCE_MIN, t, 0)));
        cr_expect_eq(total(REDUCE_ARGMIN, t, 0), 0);
        kael_tensor_release(t);
        t = full((kael_dtype)dtype, SHAPE(1000), -0.0);
        cr_expect(signbit(total(REDUCE_MAX, t, 0)));
        cr_expect_not(signbit(total(REDUCE_SUM, t, 0))); /* lanes start at 0 */
        kael_tensor_release(t);
    }
}

/* Sum, mean, variance and norm, also when the number of threads changes between calls. */
Test(Reduce, K16_ThreadCountsChangedBetweenCalls) {
    const reduce_shape shape = {1, {1000003}};
    const reduce_operation operations[] = {REDUCE_SUM, REDUCE_MEAN, REDUCE_VAR, REDUCE_NORM};
    kael_tensor *t = new_reduce_input(KAEL_F32, &shape, LAYOUT_CONTIGUOUS, VALUES_ORDINARY, 16);
    for (size_t o = 0; o < COUNT_OF(operations); ++o) {
        kael_tensor *expected = new_expected(operations[o], t, 1, false, 1);
        for (size_t i = 0; i < 2 * COUNT_OF(thread_counts); ++i) {
            use_threads(thread_counts[i * 5 % COUNT_OF(thread_counts)]);
            kael_tensor *out;
            ASSERT_OK(call_reduction(operations[o], &out, t, 0, NULL, false, 1));
            expect_same_tensor(out, expected, "%s, call %zu", reduce_name(operations[o]), i);
            kael_tensor_release(out);
        }
        kael_tensor_release(expected);
    }
    kael_tensor_release(t);
}

Test(Reduce, K23_ArgmaxOfAReversedView) {
    kael_tensor *t = VECTOR(KAEL_F32, 9, 1, 9);
    kael_tensor *reversed;
    ASSERT_OK(kael_tensor_slice(&reversed, t, 0, 2, -1, -1));
    cr_expect_eq(total(REDUCE_ARGMAX, reversed, 0), 0);
    cr_expect_eq(total(REDUCE_ARGMIN, reversed, 0), 1);
    kael_tensor_release(reversed);
    kael_tensor_release(t);
}

Test(Reduce, K29_NarrowMeansAndNorms) {
    expect_total(REDUCE_MEAN, full(KAEL_F16, SHAPE(3), 40000), 40000);
    expect_total(REDUCE_MEAN, full(KAEL_F16, SHAPE(100000), 1), 1);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F16, 30000, 40000), 49984);
    expect_total(REDUCE_MEAN, full(KAEL_F32, SHAPE(2), 3e38), (double)3e38F);
    expect_total(REDUCE_SUM, full(KAEL_F16, SHAPE(3), 40000), (double)INFINITY);
    expect_total(REDUCE_NORM, full(KAEL_F32, SHAPE(4), 1e38), (double)(2 * 1e38F));
}

Test(Reduce, K30_IntegersSumIn64BitsAndAverageInDouble) {
    expect_total(REDUCE_SUM, full(KAEL_I8, SHAPE(200), 1), 200);
    expect_total(REDUCE_MEAN, full(KAEL_I8, SHAPE(200), 1), 1);
    expect_total(REDUCE_SUM, VECTOR(KAEL_U8, 200, 100), 300);
    expect_total(REDUCE_MEAN, VECTOR(KAEL_U8, 200, 100), 150);
    expect_total(REDUCE_SUM, full(KAEL_I32, SHAPE(2), 2147483647), 4294967294);
    expect_total(REDUCE_MEAN, full(KAEL_I32, SHAPE(2), 2147483647), 2147483647);
    expect_total(REDUCE_SUM, full(KAEL_BOOL, SHAPE(300), 1), 300);
    expect_total(REDUCE_MEAN, full(KAEL_BOOL, SHAPE(300), 1), 1);
    expect_total(REDUCE_SUM, full(KAEL_I64, SHAPE(2), 0x1p62), -0x1p63);
    expect_total(REDUCE_SUM, full(KAEL_U64, SHAPE(2), 0x1p63), 0);
    expect_total(REDUCE_MEAN, full(KAEL_I64, SHAPE(4), 0x1p62), 0x1p62);
    expect_total(REDUCE_PROD, VECTOR(KAEL_I8, -100, 100, 3), -30000);
}

Test(Reduce, K35_EmptyAndSingleElements) {
    expect_total(REDUCE_SUM, full(KAEL_F32, SHAPE(0), 0), 0);
    expect_total(REDUCE_PROD, full(KAEL_F32, SHAPE(0), 0), 1);
    expect_total(REDUCE_MEAN, full(KAEL_F32, SHAPE(0), 0), (double)NAN);
    kael_tensor *none = full(KAEL_F32, SHAPE(0), 0);
    EXPECT_FAILURE(KAEL_ERROR_VALUE,
                   "tensor must have elements along the reduced dimensions for max, got shape (0)",
                   kael_max, none, 0, NULL, false);
    EXPECT_FAILURE(
        KAEL_ERROR_VALUE,
        "tensor must have elements along the reduced dimensions for argmax, got shape (0)",
        kael_argmax, none, 0, false);
    kael_tensor_release(none);
    kael_tensor *rows = full(KAEL_F32, SHAPE(0, 4), 0);
    kael_tensor *out;
    ASSERT_OK(kael_max(&out, rows, 1, DIMS(1), false));
    cr_expect_eq(kael_tensor_ndim(out), 1);
    cr_expect_eq(kael_tensor_shape(out)[0], 0);
    kael_tensor_release(out);
    ASSERT_OK(kael_argmin(&out, rows, 1, true));
    cr_expect_eq(kael_tensor_shape(out)[1], 1);
    kael_tensor_release(out);
    EXPECT_FAILURE(
        KAEL_ERROR_VALUE,
        "tensor must have elements along the reduced dimensions for max, got shape (0, 4)",
        kael_max, rows, 1, DIMS(0), false);
    kael_tensor_release(rows);
    kael_tensor *five = VECTOR(KAEL_F32, 5);
    cr_expect(isnan(total(REDUCE_VAR, five, 1)));
    cr_expect_eq(total(REDUCE_VAR, five, 0), 0);
    cr_expect(isnan(total(REDUCE_STD, five, 1)));
    cr_expect_eq(total(REDUCE_STD, five, 0), 0);
    kael_tensor_release(five);
}

Test(Reduce, K39_TiesHaveOneMaximum) {
    expect_total(REDUCE_MAX, VECTOR(KAEL_F32, 3, 3, 1), 3);
    for (int64_t threads = 1; threads <= 8; threads += 7) {
        use_threads(threads);
        expect_total(REDUCE_MAX, full(KAEL_F32, SHAPE(10000), 7), 7);
        expect_total(REDUCE_ARGMAX, full(KAEL_F32, SHAPE(10000), 7), 0);
        expect_total(REDUCE_ARGMIN, full(KAEL_F32, SHAPE(400000), 7), 0);
    }
}

Test(Reduce, K48_MoreElementsThan32BitsCount) {
    const int64_t count = (INT64_C(1) << 31) + 16;
    kael_tensor *one = full(KAEL_U8, SHAPE(1), 1);
    kael_tensor *many;
    ASSERT_OK(kael_tensor_broadcast_to(&many, one, 1, &count));
    cr_expect_eq(total(REDUCE_SUM, many, 0), 2147483664.0);
    kael_tensor_release(many);
    kael_tensor_release(one);
}

/* ---- values ---- */

Test(Reduce, TextbookValues) {
    kael_tensor *t = of_doubles(KAEL_F32, SHAPE(2, 3), (const double[]){1, 2, 3, 4, 5, 9});
    expect_along(REDUCE_SUM, t, 0, 3, (const double[]){5, 7, 12});
    expect_along(REDUCE_SUM, t, -1, 2, (const double[]){6, 18});
    expect_along(REDUCE_PROD, t, 1, 2, (const double[]){6, 180});
    expect_along(REDUCE_MEAN, t, 1, 2, (const double[]){2, 6});
    expect_along(REDUCE_VAR, t, 0, 3, (const double[]){2.25, 2.25, 9});
    expect_along(REDUCE_STD, t, 0, 3, (const double[]){1.5, 1.5, 3});
    expect_along(REDUCE_MAX, t, 0, 3, (const double[]){4, 5, 9});
    expect_along(REDUCE_MIN, t, 1, 2, (const double[]){1, 4});
    expect_along(REDUCE_ARGMAX, t, 1, 2, (const double[]){2, 2});
    expect_along(REDUCE_ARGMIN, t, 0, 3, (const double[]){0, 0, 0});
    expect_along(REDUCE_COUNT_NONZERO, t, 0, 3, (const double[]){2, 2, 2});
    cr_expect_eq(total(REDUCE_ARGMAX, t, 0), 5);
    cr_expect_eq(total(REDUCE_VAR, t, 1), 8);
    kael_tensor_release(t);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 3, 4), 5);
    expect_total(REDUCE_ANY, VECTOR(KAEL_F32, 0, -0.0, (double)NAN), 1);
    expect_total(REDUCE_ALL, VECTOR(KAEL_F32, 1, (double)NAN, -3), 1);
    expect_total(REDUCE_ALL, VECTOR(KAEL_F32, 1, -0.0, -3), 0);
    expect_total(REDUCE_ANY, full(KAEL_I16, SHAPE(70000), 0), 0);
}

Test(Reduce, NormsNeitherOverflowNorVanish) {
    /* 5e200, but that the norm of the doubles nearest to 3e200 and 4e200 is nearer to this. */
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 3e200, 4e200), nextafter(5e200, 0));
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 3e-200, 4e-200), 5e-200);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 0x1p-1074), 0x1p-1074);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 3 * 0x1p-1074, -4 * 0x1p-1074), 5 * 0x1p-1074);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, -0x1.fffffffffffffp1023), 0x1.fffffffffffffp1023);
    expect_total(REDUCE_NORM, full(KAEL_F64, SHAPE(4), 0x1p1023), (double)INFINITY);
    expect_total(REDUCE_NORM, full(KAEL_F64, SHAPE(50000), 0x1p1000), 0x1p1000 * sqrt(50000));
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 0, -0.0), 0);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, 1, -(double)INFINITY), (double)INFINITY);
    expect_total(REDUCE_NORM, VECTOR(KAEL_F64, (double)NAN, (double)INFINITY), (double)NAN);
}

/* The rows of one tensor do not touch each other. */
Test(Reduce, LogsumexpAtInfinity) {
    const double inf = (double)INFINITY;
    const double rows[] = {-inf, -inf, -inf, -inf, 0, -inf, 1000, 0, -inf, inf, 0, 0, -inf, inf, 0};
    kael_tensor *t = of_doubles(KAEL_F32, SHAPE(5, 3), rows);
    expect_along(REDUCE_LOGSUMEXP, t, 1, 5, (const double[]){-inf, 0, 1000, inf, inf});
    kael_tensor_release(t);
    expect_total(REDUCE_LOGSUMEXP, VECTOR(KAEL_F64, inf, (double)NAN), (double)NAN);
    t = full(KAEL_F64, SHAPE(1000), 0);
    cr_expect_float_eq(total(REDUCE_LOGSUMEXP, t, 0), log(1000), 1e-15);
    kael_tensor_release(t);
}

Test(Reduce, VarianceOfLargeNumbersKeepsItsDigits) {
    kael_tensor *t = VECTOR(KAEL_F64, 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16);
    cr_expect_eq(total(REDUCE_VAR, t, 1), 30);
    cr_expect_eq(total(REDUCE_VAR, t, 0.5), 90 / 3.5);
    cr_expect_eq(total(REDUCE_VAR, t, 5), (double)INFINITY);
    kael_tensor_release(t);
}

Test(Reduce, NoDimsLeaveTheElements) {
    kael_tensor *t = of_doubles(KAEL_F32, SHAPE(2, 2), (const double[]){1, -2, 3, 0});
    kael_tensor *out;
    ASSERT_OK(kael_norm(&out, t, 0, DIMS(7), false));
    cr_expect_eq(kael_tensor_ndim(out), 2);
    EXPECT_VALUES(out, 1, 2, 3, 0);
    kael_tensor_release(out);
    kael_tensor_release(t);
    t = full(KAEL_F32, 0, NULL, 2.5);
    cr_expect_eq(total(REDUCE_SUM, t, 0), 2.5);
    cr_expect_eq(total(REDUCE_ARGMAX, t, 0), 0);
    kael_tensor_release(t);
}

Test(Reduce, SixteenDimensions) {
    int64_t shape[KAEL_MAX_DIMS];
    int64_t dims[KAEL_MAX_DIMS];
    for (int64_t d = 0; d < KAEL_MAX_DIMS; ++d) {
        shape[d] = 2;
        dims[d] = KAEL_MAX_DIMS - 1 - d;
    }
    kael_tensor *t = counting(KAEL_F32, KAEL_MAX_DIMS, shape);
    VIEW(t, kael_tensor_permute, dims);
    cr_expect_eq(total(REDUCE_SUM, t, 0), 65535.0 * 32768);
    kael_tensor *out;
    ASSERT_OK(kael_max(&out, t, 15, dims, false)); /* all but dimension 0, the fastest in memory */
    EXPECT_VALUES(out, 65534, 65535);
    kael_tensor_release(out);
    kael_tensor_release(t);
}

/* ---- writing into tensors ---- */

/* An output of any layout, alone or sharing memory with the input. */
Test(Reduce, IntoAnyLayout) {
    const reduce_shape shape = {2, {40, 30}};
    const reduce_shape out_shape = {2, {1, 30}};
    for (int dtype = KAEL_BOOL; dtype <= KAEL_F64; ++dtype) {
        kael_tensor *t =
            new_reduce_input((kael_dtype)dtype, &shape, LAYOUT_TRANSPOSED, VALUES_BITS, 3);
        for (reduce_operation o = REDUCE_SUM; o < REDUCE_OPERATIONS; ++o) {
            kael_tensor *expected = new_expected(o, t, 1, true, 0);
            for (int layout = 0; layout < LAYOUT_REPEATED; ++layout) {
                kael_tensor *out = new_reduce_input(kael_tensor_dtype(expected), &out_shape,
                                                    (reduce_layout)layout, VALUES_BITS, 4);
                ASSERT_OK(call_reduction_into(o, out, t, 1, DIMS(0), true, 0));
                expect_same_tensor(out, expected, "%s into layout %d", reduce_name(o), layout);
                kael_tensor_release(out);
            }
            kael_tensor_release(expected);
        }
        kael_tensor_release(t);
    }
}

Test(Reduce, IntoTheInputItself) {
    kael_tensor *t = counting(KAEL_F64, SHAPE(300, 7));
    for (reduce_operation o = REDUCE_SUM; o <= REDUCE_MIN; ++o) {
        kael_tensor *copy;
        kael_tensor *row;
        ASSERT_OK(kael_tensor_clone(&copy, t));
        ASSERT_OK(kael_tensor_select(&row, copy, 0, 5));
        kael_tensor *expected = new_expected(o, copy, 1, false, 0);
        ASSERT_OK(call_reduction_into(o, row, copy, 1, DIMS(0), false, 0));
        expect_same_tensor(row, expected, "%s into a row of its input", reduce_name(o));
        kael_tensor_release(expected);
        kael_tensor_release(row);
        kael_tensor_release(copy);
    }
    kael_tensor_release(t);
}

/* Neither an error nor another row may change anything else. */
Test(Reduce, K05_IntoRepeatedElements) {
    kael_tensor *two = full(KAEL_F32, SHAPE(1), 2);
    kael_tensor *expanded;
    ASSERT_OK(kael_tensor_broadcast_to(&expanded, two, SHAPE(3)));
    kael_tensor *t = counting(KAEL_F32, SHAPE(4, 3));
    cr_expect_eq(kael_sum_into(expanded, t, 1, DIMS(0), false), KAEL_ERROR_VALUE);
    cr_expect_not_null(strstr(kael_last_error_message(), "out"));
    cr_expect_eq(*(const float *)kael_tensor_data(two), 2);
    kael_tensor_release(expanded);
    kael_tensor_release(two);
    kael_tensor_release(t);
}

/* ---- errors ---- */

Test(Reduce, ErrorsNameTheArgumentAndTheRule) {
    kael_tensor *t = counting(KAEL_F32, SHAPE(2, 3));
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim 2 is out of range for a tensor of 2 dimensions", kael_sum,
                   t, 1, DIMS(2), false);
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim -3 is out of range for a tensor of 2 dimensions",
                   kael_argmax, t, -3, false);
    EXPECT_FAILURE(KAEL_ERROR_VALUE,
                   "dims must name each dimension once, got -1 for dimension 1 again", kael_mean, t,
                   2, DIMS(1, -1), false);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "ndims must not be negative, got -1", kael_prod, t, -1,
                   DIMS(0), false);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "dims must not be NULL when ndims is 1", kael_max, t, 1, NULL,
                   false);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "tensor must not be NULL", kael_norm, NULL, 0, NULL, false);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "correction must be finite, got nan", kael_var, t, 0, NULL,
                   false, (double)NAN);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "correction must be finite, got inf", kael_std, t, 0, NULL,
                   false, (double)INFINITY);
    kael_tensor *scalar = full(KAEL_F32, 0, NULL, 1);
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim 0 is out of range for a tensor of 0 dimensions",
                   kael_argmin, scalar, 0, false);
    kael_tensor_release(scalar);
    cr_expect_eq(kael_sum(NULL, t, 0, NULL, false), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "out must not be NULL");
    kael_tensor_release(t);
}

static void expect_into_error(kael_status status, kael_status expected, const char *message,
                              kael_tensor *out, double kept) {
    cr_expect_eq(status, expected, "%s", message);
    cr_expect_str_eq(kael_last_error_message(), message);
    if (out != NULL) {
        kael_tensor *all;
        ASSERT_OK(kael_min(&all, out, 0, NULL, false));
        cr_expect_eq(number_of(all), kept);
        kael_tensor_release(all);
        kael_tensor_release(out);
    }
}

Test(Reduce, OutputsThatDoNotFit) {
    kael_tensor *t = counting(KAEL_I32, SHAPE(2, 3));
    kael_tensor *out = full(KAEL_I32, SHAPE(3), 9);
    expect_into_error(kael_sum_into(out, t, 1, DIMS(0), false), KAEL_ERROR_DTYPE,
                      "out must have dtype i64, got i32", out, 9);
    out = full(KAEL_I64, SHAPE(3), 9);
    expect_into_error(kael_sum_into(out, t, 1, DIMS(0), true), KAEL_ERROR_SHAPE,
                      "out must have shape (1, 3), got (3)", out, 9);
    out = full(KAEL_I64, SHAPE(2), 9);
    expect_into_error(kael_argmax_into(out, t, 0, false), KAEL_ERROR_SHAPE,
                      "out must have shape (3), got (2)", out, 9);
    expect_into_error(kael_any_into(NULL, t, 0, NULL, false), KAEL_ERROR_VALUE,
                      "out must not be NULL", NULL, 0);
    kael_tensor_release(t);
}

Test(Reduce, NothingIsLeaked) {
    const int64_t before = bytes_in_use();
    const reduce_shape shape = {2, {3, 40000}};
    kael_tensor *t = new_reduce_input(KAEL_F64, &shape, LAYOUT_CONTIGUOUS, VALUES_BITS, 1);
    for (reduce_operation o = REDUCE_SUM; o < REDUCE_OPERATIONS; ++o) {
        kael_tensor *out;
        ASSERT_OK(call_reduction(o, &out, t, 1, DIMS(1), false, 0));
        ASSERT_OK(call_reduction_into(o, out, t, 1, DIMS(1), false, 0));
        kael_tensor_release(out);
    }
    kael_tensor_release(t);
    cr_expect_eq(bytes_in_use(), before);
}
