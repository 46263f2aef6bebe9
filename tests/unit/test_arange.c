/* Evenly spaced numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kael/parallel.h"
#include "tensor/element.h"
#include "tensor_checks.h"

static const kael_dtype numeric_dtypes[] = {
    KAEL_I8,  KAEL_I16, KAEL_I32, KAEL_I64,  KAEL_U8,  KAEL_U16,
    KAEL_U32, KAEL_U64, KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64,
};

typedef struct count_row {
    double start;
    double stop;
    double step;
    int64_t count;
} count_row;

/* The counts are those of numpy.arange. */
Test(Arange, CountsAreNumPys) {
    const count_row rows[] = {
        {0, 10, 1, 10},   {0, 1, 0.1, 10},         {1, 2, 0.3, 4},
        {5, 0, -1, 5},    {0, -1, -0.25, 4},       {0, 0, 1, 0},
        {3, 1, 1, 0},     {1, 3, -1, 0},           {0, 10, 3, 4},
        {0, 9, 3, 3},     {-5, 5, 2.5, 4},         {0, 1, 1.0 / 3, 3},
        {1, 1.3, 0.1, 4}, {0, 3.0000000001, 1, 4}, {1e10, 1e10 + 4, 1, 4},
        {0, 5, 1e300, 1}, {0, 1e-310, 1e-311, 11}, {10, 0, -3, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        const count_row *r = &rows[i];
        kael_tensor *t;
        ASSERT_OK(kael_tensor_arange(&t, KAEL_F64, r->start, r->stop, r->step));
        cr_expect_eq(kael_tensor_ndim(t), 1);
        cr_expect_eq(kael_tensor_numel(t), r->count, "row %zu: %" PRId64, i, kael_tensor_numel(t));
        const double *elements = kael_tensor_data(t);
        for (int64_t k = 0; k < r->count; ++k) {
            const double distance = (double)k * r->step;
            cr_expect_eq(elements[k], r->start + distance, "row %zu", i);
        }
        kael_tensor_release(t);
    }
}

Test(Arange, EveryDtypeOfNumbers) {
    for (size_t d = 0; d < COUNT_OF(numeric_dtypes); ++d) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_arange(&t, numeric_dtypes[d], 3, 100, 7));
        cr_expect_eq(kael_tensor_dtype(t), numeric_dtypes[d]);
        EXPECT_VALUES(t, 3, 10, 17, 24, 31, 38, 45, 52, 59, 66, 73, 80, 87, 94);
        kael_tensor_release(t);
        ASSERT_OK(kael_tensor_arange(&t, numeric_dtypes[d], 100, 3, -30));
        EXPECT_VALUES(t, 100, 70, 40, 10);
        kael_tensor_release(t);
        ASSERT_OK(kael_tensor_arange(&t, numeric_dtypes[d], 0, 2.5, 1));
        EXPECT_VALUES(t, 0, 1, 2);
        kael_tensor_release(t);
        ASSERT_OK(kael_tensor_arange(&t, numeric_dtypes[d], 5, 5, 1));
        cr_expect_eq(kael_tensor_numel(t), 0);
        kael_tensor_release(t);
    }
}

/* No error accumulates: each element is rounded from its own sum. */
Test(Arange, ElementsAreRoundedOnce) {
    const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        const int64_t size = kael_dtype_size(dtypes[d]);
        kael_tensor *t;
        ASSERT_OK(kael_tensor_arange(&t, dtypes[d], -0.7, 700, 0.1));
        cr_assert_eq(kael_tensor_numel(t), 7007);
        for (int64_t i = 0; i < 7007; ++i) {
            unsigned char expected[KAEL_MAX_ELEMENT_SIZE];
            const double distance = (double)i * 0.1;
            ASSERT_OK(kael_element_from_double(expected, dtypes[d], -0.7 + distance));
            cr_expect_arr_eq((char *)kael_tensor_data(t) + i * size, expected, (size_t)size);
        }
        kael_tensor_release(t);
    }
}

Test(Arange, IntegersAreExact) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_arange(&t, KAEL_I64, -0x1p63, 0x1p63, 0x1p61));
    const int64_t *integers = kael_tensor_data(t);
    cr_assert_eq(kael_tensor_numel(t), 8);
    for (int64_t i = 0; i < 8; ++i) {
        cr_expect_eq(integers[i], (i - 4) * (INT64_C(1) << 61));
    }
    kael_tensor_release(t);
    const int64_t odd = (INT64_C(1) << 53) - 1;
    ASSERT_OK(kael_tensor_arange(&t, KAEL_I64, (double)odd, 0x1p62, (double)odd));
    integers = kael_tensor_data(t);
    cr_assert_eq(kael_tensor_numel(t), 512);
    for (int64_t i = 0; i < 512; ++i) {
        cr_expect_eq(integers[i], (i + 1) * odd);
    }
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_arange(&t, KAEL_U64, 0, 0x1p64, 0x1p62));
    const uint64_t *naturals = kael_tensor_data(t);
    cr_assert_eq(kael_tensor_numel(t), 4);
    cr_expect_eq(naturals[3], UINT64_C(3) << 62);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_arange(&t, KAEL_U64, 0x1p63, -0x1p62, -0x1p63));
    naturals = kael_tensor_data(t);
    cr_assert_eq(kael_tensor_numel(t), 2);
    cr_expect(naturals[0] == UINT64_C(1) << 63 && naturals[1] == 0);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_arange(&t, KAEL_I8, 127, 1e6, 1e300));
    EXPECT_VALUES(t, 127);
    kael_tensor_release(t);
}

Test(Arange, LimitsOfIntegersAreReachedAndNotPassed) {
    const struct {
        kael_dtype dtype;
        double lowest;
        double end; /* highest + 1 */
    } ranges[] = {
        {KAEL_I8, -0x1p7, 0x1p7},    {KAEL_I16, -0x1p15, 0x1p15}, {KAEL_I32, -0x1p31, 0x1p31},
        {KAEL_I64, -0x1p63, 0x1p63}, {KAEL_U8, 0, 0x1p8},         {KAEL_U16, 0, 0x1p16},
        {KAEL_U32, 0, 0x1p32},       {KAEL_U64, 0, 0x1p64},
    };
    for (size_t i = 0; i < COUNT_OF(ranges); ++i) {
        const kael_dtype dtype = ranges[i].dtype;
        const double lowest = ranges[i].lowest;
        const double end = ranges[i].end;
        const double step = (end - lowest) / 16;
        kael_tensor *t;
        ASSERT_OK(kael_tensor_arange(&t, dtype, lowest, end + step / 2 - step, step));
        cr_expect_eq(kael_tensor_numel(t), 16);
        kael_tensor_release(t);
        ASSERT_OK(kael_tensor_arange(&t, dtype, end - step, lowest - step, -step));
        cr_expect_eq(kael_tensor_numel(t), 16);
        double last;
        ASSERT_OK(kael_tensor_get(&last, t, DIMS(-1)));
        cr_expect_eq(last, lowest);
        kael_tensor_release(t);
        t = poison();
        cr_expect_eq(kael_tensor_arange(&t, dtype, lowest, end + step, step), KAEL_ERROR_VALUE);
        cr_expect_null(t);
        t = poison();
        cr_expect_eq(kael_tensor_arange(&t, dtype, end - step, lowest - 2 * step, -step),
                     KAEL_ERROR_VALUE);
        cr_expect_null(t);
        t = poison();
        cr_expect_eq(kael_tensor_arange(&t, dtype, end, end + 1e30, 1e30), KAEL_ERROR_VALUE);
        cr_expect_null(t);
        t = poison();
        cr_expect_eq(kael_tensor_arange(&t, dtype, lowest, 3e300, 1e300), KAEL_ERROR_VALUE);
        cr_expect_null(t);
    }
}

Test(Arange, BadArgumentsAreNamed) {
    cr_expect_eq(kael_tensor_arange(NULL, KAEL_F32, 0, 1, 1), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "out must not be NULL");
    EXPECT_FAILURE(KAEL_ERROR_DTYPE, "dtype must be one of numbers, got bool (0)",
                   kael_tensor_arange, KAEL_BOOL, 0, 1, 1);
    EXPECT_FAILURE(KAEL_ERROR_DTYPE, "dtype must be one of numbers, got unknown dtype (13)",
                   kael_tensor_arange, (kael_dtype)13, 0, 1, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "step must not be 0", kael_tensor_arange, KAEL_F32, 0, 1, 0);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "step must not be 0", kael_tensor_arange, KAEL_F32, 1, 1,
                   -0.0);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "start must be finite, got nan", kael_tensor_arange, KAEL_F32,
                   (double)NAN, 1, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "stop must be finite, got inf", kael_tensor_arange, KAEL_F32,
                   0, (double)INFINITY, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "step must be finite, got -inf", kael_tensor_arange, KAEL_F32,
                   0, 1, -(double)INFINITY);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "start must be whole for dtype i32, got 0.5",
                   kael_tensor_arange, KAEL_I32, 0.5, 3, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "step must be whole for dtype u8, got 0.25",
                   kael_tensor_arange, KAEL_U8, 0, 3, 0.25);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "value 300 is not in the range of u8", kael_tensor_arange,
                   KAEL_U8, 300, 400, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "the last number, about 256, is not in the range of u8",
                   kael_tensor_arange, KAEL_U8, 0, 257, 1);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "the last number, about -1, is not in the range of u32",
                   kael_tensor_arange, KAEL_U32, 5, -2, -1);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "1e+300 numbers do not fit in a tensor", kael_tensor_arange,
                   KAEL_F32, 0, 1e300, 1);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "inf numbers do not fit in a tensor", kael_tensor_arange,
                   KAEL_F32, -1e308, 1e308, 1);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE,
                   "the bytes of shape (2305843009213693952) and dtype f64 do not fit in 63 bits",
                   kael_tensor_arange, KAEL_F64, 0, 0x1p61, 1);
    kael_tensor *t = poison();
    cr_expect_eq(kael_tensor_arange(&t, KAEL_F64, 0, 0x1p58, 1), KAEL_ERROR_MEMORY);
    cr_expect_null(t);
}

/* Long enough for several chunks. */
Test(Arange, TheSameForAnyNumberOfThreads) {
    const int64_t threads[] = {1, 2, 3, 5, 8};
    enum { COUNT = 2100001 };
    const kael_dtype dtypes[] = {KAEL_F32, KAEL_I32};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        kael_tensor *first = NULL;
        for (size_t i = 0; i < COUNT_OF(threads); ++i) {
            ASSERT_OK(kael_set_num_threads(threads[i]));
            kael_tensor *t;
            ASSERT_OK(kael_tensor_arange(&t, dtypes[d], -1000, COUNT - 1000, 1));
            cr_assert_eq(kael_tensor_numel(t), COUNT);
            if (first == NULL) {
                first = kael_tensor_retain(t);
            }
            cr_expect_eq(memcmp(kael_tensor_data(t), kael_tensor_data(first), 4 * COUNT), 0);
            kael_tensor_release(t);
        }
        for (int64_t i = 0; i < COUNT; i += 1000) {
            int64_t value;
            ASSERT_OK(kael_tensor_get_i64(&value, first, &i));
            cr_expect_eq(value, i - 1000);
        }
        kael_tensor_release(first);
    }
}
