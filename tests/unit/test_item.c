/* Reading and writing single elements. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "tensor_checks.h"

static const kael_dtype all_dtypes[] = {
    KAEL_BOOL, KAEL_I8,  KAEL_I16, KAEL_I32,  KAEL_I64, KAEL_U8,  KAEL_U16,
    KAEL_U32,  KAEL_U64, KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64,
};

static kael_tensor *zeros(kael_dtype dtype, int64_t size) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_zeros(&t, dtype, 1, &size));
    return t;
}

static double get(const kael_tensor *t, int64_t index) {
    double value = -12345;
    ASSERT_OK(kael_tensor_get(&value, t, &index));
    return value;
}

static int64_t get_i64(const kael_tensor *t, int64_t index) {
    int64_t value = -12345;
    ASSERT_OK(kael_tensor_get_i64(&value, t, &index));
    return value;
}

Test(Item, EveryDtypeHoldsSmallNumbers) {
    for (size_t d = 0; d < COUNT_OF(all_dtypes); ++d) {
        const bool is_bool = all_dtypes[d] == KAEL_BOOL;
        kael_tensor *t = zeros(all_dtypes[d], 3);
        for (int64_t i = 0; i < 3; ++i) {
            ASSERT_OK(kael_tensor_set(t, &i, (double)(40 + i)));
            cr_expect_eq(get(t, i), is_bool ? 1 : 40 + (double)i);
            cr_expect_eq(get_i64(t, i), is_bool ? 1 : 40 + i);
            ASSERT_OK(kael_tensor_set_i64(t, &i, 50 + i));
            cr_expect_eq(get(t, i - 3), is_bool ? 1 : 50 + (double)i);
            cr_expect_eq(get_i64(t, i - 3), is_bool ? 1 : 50 + i);
        }
        kael_tensor_release(t);
    }
}

typedef struct integer_range {
    kael_dtype dtype;
    int64_t lowest;
    int64_t highest;
} integer_range;

Test(Item, IntegersReachTheirLimitsAndNotBeyond) {
    const integer_range ranges[] = {
        {KAEL_I8, INT8_MIN, INT8_MAX},    {KAEL_I16, INT16_MIN, INT16_MAX},
        {KAEL_I32, INT32_MIN, INT32_MAX}, {KAEL_I64, INT64_MIN, INT64_MAX},
        {KAEL_U8, 0, UINT8_MAX},          {KAEL_U16, 0, UINT16_MAX},
        {KAEL_U32, 0, UINT32_MAX},        {KAEL_U64, 0, INT64_MAX},
    };
    const int64_t first = 0;
    for (size_t i = 0; i < COUNT_OF(ranges); ++i) {
        const integer_range *r = &ranges[i];
        kael_tensor *t = zeros(r->dtype, 1);
        ASSERT_OK(kael_tensor_set_i64(t, &first, r->lowest));
        cr_expect_eq(get_i64(t, 0), r->lowest);
        cr_expect_eq(get(t, 0), (double)r->lowest);
        ASSERT_OK(kael_tensor_set_i64(t, &first, r->highest));
        cr_expect_eq(get_i64(t, 0), r->highest);
        cr_expect_eq(get(t, 0), (double)r->highest);
        const int64_t beyond[] = {r->lowest == INT64_MIN ? 0 : r->lowest - 1,
                                  r->highest == INT64_MAX ? 0 : r->highest + 1};
        for (int k = 0; k < 2; ++k) {
            if (beyond[k] == 0) {
                continue;
            }
            char message[100];
            snprintf(message, sizeof message, "value %" PRId64 " is not in the range of %s",
                     beyond[k], kael_dtype_name(r->dtype));
            cr_expect_eq(kael_tensor_set_i64(t, &first, beyond[k]), KAEL_ERROR_VALUE);
            cr_expect_str_eq(kael_last_error_message(), message);
            cr_expect_eq(get_i64(t, 0), r->highest, "an error writes nothing");
        }
        kael_tensor_release(t);
    }
}

Test(Item, LargeU64HaveNoI64) {
    const uint64_t data[] = {UINT64_MAX, (uint64_t)INT64_MAX + 1};
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_U64, SHAPE(2), data));
    int64_t value = 7;
    cr_expect_eq(kael_tensor_get_i64(&value, t, DIMS(0)), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(),
                     "value 18446744073709551615 is not in the range of i64");
    cr_expect_eq(kael_tensor_get_i64(&value, t, DIMS(1)), KAEL_ERROR_VALUE);
    cr_expect_eq(value, 7);
    cr_expect_eq(get(t, 0), 0x1p64);
    cr_expect_eq(get(t, 1), 0x1p63);
    kael_tensor_release(t);
}

Test(Item, FloatsAsI64AreCut) {
    const double data[] = {2.9, -2.9, -0.5, 0x1.fffffffffffffp62, -0x1p63};
    const int64_t expected[] = {2, -2, 0, INT64_MAX - 1023, INT64_MIN};
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_F64, SHAPE(5), data));
    for (int64_t i = 0; i < 5; ++i) {
        cr_expect_eq(get_i64(t, i), expected[i]);
    }
    kael_tensor_release(t);
    const double bad[] = {NAN, INFINITY, -INFINITY, 0x1p63, -0x1.0000000000001p63, DBL_MAX};
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_F64, SHAPE(6), bad));
    for (int64_t i = 0; i < 6; ++i) {
        int64_t value = 7;
        cr_expect_eq(kael_tensor_get_i64(&value, t, &i), KAEL_ERROR_VALUE, "%g", bad[i]);
        cr_expect_eq(value, 7);
    }
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_full(&t, KAEL_F16, SHAPE(1), INFINITY));
    int64_t value;
    cr_expect_eq(kael_tensor_item_i64(&value, t), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "value inf is not in the range of i64");
    kael_tensor_release(t);
}

/* 2^62 + 2^54 is the middle between two bf16; one more must round up, although no double tells. */
Test(Item, I64RoundOnce) {
    const int64_t middle = (INT64_C(1) << 62) + (INT64_C(1) << 54);
    const struct {
        kael_dtype dtype;
        int64_t value;
        double expected;
    } rows[] = {
        {KAEL_BF16, middle, 0x1p62},
        {KAEL_BF16, middle + 1, 0x1.02p62},
        {KAEL_BF16, -middle - 1, -0x1.02p62},
        {KAEL_F32, (INT64_C(1) << 62) + (INT64_C(1) << 38), 0x1p62},
        {KAEL_F32, (INT64_C(1) << 62) + (INT64_C(1) << 38) + 1, 0x1.000002p62},
        {KAEL_F64, (INT64_C(1) << 62) + (INT64_C(1) << 9) + 1, 0x1.0000000000001p62},
        {KAEL_F16, 2049, 2048},
        {KAEL_F16, 65520, INFINITY},
        {KAEL_F16, INT64_MIN, -INFINITY},
    };
    for (size_t i = 0; i < COUNT_OF(rows); ++i) {
        kael_tensor *t = zeros(rows[i].dtype, 1);
        ASSERT_OK(kael_tensor_set_i64(t, DIMS(0), rows[i].value));
        cr_expect_eq(get(t, 0), rows[i].expected, "row %zu: %a", i, get(t, 0));
        kael_tensor_release(t);
    }
}

Test(Item, DoublesConvertAsFullDoes) {
    for (size_t d = 0; d < COUNT_OF(all_dtypes); ++d) {
        const double values[] = {0.3, 2.7, -1.5, 300, 70000, 1e300, NAN, -0.0};
        for (size_t i = 0; i < COUNT_OF(values); ++i) {
            kael_tensor *full;
            kael_tensor *t = zeros(all_dtypes[d], 1);
            const kael_status status = kael_tensor_full(&full, all_dtypes[d], SHAPE(1), values[i]);
            cr_expect_eq(kael_tensor_set(t, DIMS(0), values[i]), status);
            if (status == KAEL_OK) {
                cr_expect_arr_eq(kael_tensor_data(t), kael_tensor_data(full),
                                 (size_t)kael_dtype_size(all_dtypes[d]));
            } else {
                cr_expect_eq(get(t, 0), 0);
            }
            kael_tensor_release(full);
            kael_tensor_release(t);
        }
    }
}

Test(Item, TheOnlyElementNeedsNoIndices) {
    kael_tensor *t;
    double value;
    int64_t integer;
    ASSERT_OK(kael_tensor_full(&t, KAEL_F32, 0, NULL, 2.5));
    ASSERT_OK(kael_tensor_item(&value, t));
    cr_expect_eq(value, 2.5);
    ASSERT_OK(kael_tensor_get(&value, t, NULL));
    cr_expect_eq(value, 2.5);
    ASSERT_OK(kael_tensor_set(t, NULL, 3.5));
    ASSERT_OK(kael_tensor_item_i64(&integer, t));
    cr_expect_eq(integer, 3);
    kael_tensor_release(t);
    kael_tensor *numbers = counting(KAEL_I16, SHAPE(2, 3));
    kael_tensor *row;
    ASSERT_OK(kael_tensor_select(&row, numbers, 0, 1));
    ASSERT_OK(kael_tensor_slice(&t, row, 0, 2, 1, -1));
    ASSERT_OK(kael_tensor_item(&value, t));
    cr_expect_eq(value, 5);
    kael_tensor_release(t);
    kael_tensor_release(row);
    kael_tensor_release(numbers);
}

static void expect_error(kael_status status, kael_status expected, const char *message) {
    cr_expect_eq(status, expected, "%s", message);
    cr_expect_str_eq(kael_last_error_message(), message);
}

Test(Item, BadArgumentsAreNamed) {
    kael_tensor *t = counting(KAEL_I16, SHAPE(2, 3));
    double value = 7;
    int64_t integer = 7;
    expect_error(kael_tensor_item(NULL, t), KAEL_ERROR_VALUE, "value must not be NULL");
    expect_error(kael_tensor_item_i64(NULL, t), KAEL_ERROR_VALUE, "value must not be NULL");
    expect_error(kael_tensor_get(NULL, t, DIMS(0, 0)), KAEL_ERROR_VALUE, "value must not be NULL");
    expect_error(kael_tensor_get_i64(NULL, t, DIMS(0, 0)), KAEL_ERROR_VALUE,
                 "value must not be NULL");
    expect_error(kael_tensor_item(&value, NULL), KAEL_ERROR_VALUE, "tensor must not be NULL");
    expect_error(kael_tensor_item_i64(&integer, NULL), KAEL_ERROR_VALUE, "tensor must not be NULL");
    expect_error(kael_tensor_get(&value, NULL, DIMS(0, 0)), KAEL_ERROR_VALUE,
                 "tensor must not be NULL");
    expect_error(kael_tensor_get_i64(&integer, NULL, DIMS(0, 0)), KAEL_ERROR_VALUE,
                 "tensor must not be NULL");
    expect_error(kael_tensor_set(NULL, DIMS(0, 0), 1), KAEL_ERROR_VALUE, "tensor must not be NULL");
    expect_error(kael_tensor_set_i64(NULL, DIMS(0, 0), 1), KAEL_ERROR_VALUE,
                 "tensor must not be NULL");
    expect_error(kael_tensor_get(&value, t, NULL), KAEL_ERROR_VALUE, "indices must not be NULL");
    expect_error(kael_tensor_get_i64(&integer, t, NULL), KAEL_ERROR_VALUE,
                 "indices must not be NULL");
    expect_error(kael_tensor_set(t, NULL, 1), KAEL_ERROR_VALUE, "indices must not be NULL");
    expect_error(kael_tensor_set_i64(t, NULL, 1), KAEL_ERROR_VALUE, "indices must not be NULL");
    expect_error(kael_tensor_item(&value, t), KAEL_ERROR_SHAPE,
                 "tensor must have one element, got shape (2, 3)");
    expect_error(kael_tensor_item_i64(&integer, t), KAEL_ERROR_SHAPE,
                 "tensor must have one element, got shape (2, 3)");
    expect_error(kael_tensor_get(&value, t, DIMS(1, 3)), KAEL_ERROR_INDEX,
                 "index 3 is out of range for dim 1 of size 3");
    expect_error(kael_tensor_get_i64(&integer, t, DIMS(-3, 0)), KAEL_ERROR_INDEX,
                 "index -3 is out of range for dim 0 of size 2");
    expect_error(kael_tensor_set(t, DIMS(2, 0), 1), KAEL_ERROR_INDEX,
                 "index 2 is out of range for dim 0 of size 2");
    expect_error(kael_tensor_set_i64(t, DIMS(0, INT64_MIN), 1), KAEL_ERROR_INDEX,
                 "index -9223372036854775808 is out of range for dim 1 of size 3");
    expect_error(kael_tensor_set(t, DIMS(0, 0), 40000), KAEL_ERROR_VALUE,
                 "value 40000 is not in the range of i16");
    EXPECT_VALUES(t, 0, 1, 2, 3, 4, 5);
    cr_expect(value == 7 && integer == 7);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_empty(&t, KAEL_F32, SHAPE(0)));
    expect_error(kael_tensor_item(&value, t), KAEL_ERROR_SHAPE,
                 "tensor must have one element, got shape (0)");
    expect_error(kael_tensor_get(&value, t, DIMS(0)), KAEL_ERROR_INDEX,
                 "index 0 is out of range for dim 0 of size 0");
    kael_tensor_release(t);
}
