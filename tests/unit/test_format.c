/* Tensors as text, and the digits in it. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tensor/decimal.h"
#include "tensor_checks.h"

enum { TEXT_SIZE = 200000 };

static const char *text_of(const kael_tensor *t) {
    static char text[TEXT_SIZE];
    const size_t length = kael_tensor_format(text, sizeof text, t);
    cr_assert_lt(length, sizeof text);
    cr_assert_eq(strlen(text), length);
    return text;
}

static void expect_text(kael_tensor *t, const char *expected) {
    const char *text = text_of(t);
    cr_expect_str_eq(text, expected, "got\n%s\nexpected\n%s", text, expected);
    kael_tensor_release(t);
}

static kael_tensor *tensor_of(kael_dtype dtype, int64_t ndim, const int64_t *shape,
                              const double *values) {
    kael_tensor *t;
    kael_tensor *flat;
    ASSERT_OK(kael_tensor_empty(&t, dtype, ndim, shape));
    ASSERT_OK(kael_tensor_flatten(&flat, t));
    for (int64_t i = 0; i < kael_tensor_numel(t); ++i) {
        ASSERT_OK(kael_tensor_set(flat, &i, values[i]));
    }
    kael_tensor_release(flat);
    return t;
}

typedef struct text_row {
    kael_dtype dtype;
    int64_t ndim;
    int64_t shape[4];
    double values[8];
    const char *text;
} text_row;

/* From NumPy with numpy.set_printoptions(floatmode='unique'), but that digits beyond the shortest
 * ones are zeros here. */
static const text_row text_rows[] = {
    {KAEL_F64,
     2,
     {2, 2},
     {0, 1.5, 0.25, -INFINITY},
     "[[0.   1.5 ]\n"
     " [0.25 -inf]]"},
    {KAEL_F64, 1, {4}, {1, 2, 3, 4}, "[1. 2. 3. 4.]"},
    {KAEL_F64,
     1,
     {3},
     {0.1, 0.2, 0.30000000000000004},
     "[0.1                 0.2                 0.30000000000000004]"},
    {KAEL_F32, 1, {3}, {0.1, 0.2, 0.3}, "[0.1 0.2 0.3]"},
    {KAEL_F16, 1, {3}, {0.1, 0.2, 0.3}, "[0.1 0.2 0.3]"},
    {KAEL_F64,
     2,
     {2, 2},
     {0.1, 10000000000.0, NAN, -1e-05},
     "[[ 1.e-01  1.e+10]\n"
     " [    nan -1.e-05]]"},
    {KAEL_F64, 1, {3}, {100000000.0, 1, 2}, "[1.e+08 1.e+00 2.e+00]"},
    {KAEL_F64, 1, {3}, {99999999, 100000.0, 200000.0}, "[99999999.   100000.   200000.]"},
    {KAEL_F64, 1, {2}, {0.0001, 0.0002}, "[0.0001 0.0002]"},
    {KAEL_F64, 1, {2}, {9e-05, 0.0002}, "[9.e-05 2.e-04]"},
    {KAEL_F64, 1, {2}, {1000, 1}, "[1000.    1.]"},
    {KAEL_F64, 1, {2}, {1001, 1}, "[1.001e+03 1.000e+00]"},
    {KAEL_F64, 1, {3}, {-0.0, 0, 5}, "[-0.  0.  5.]"},
    {KAEL_F64, 1, {2}, {0, 0}, "[0. 0.]"},
    {KAEL_F64, 1, {3}, {NAN, INFINITY, -INFINITY}, "[ nan  inf -inf]"},
    {KAEL_F64, 1, {3}, {NAN, 1, 2}, "[nan  1.  2.]"},
    {KAEL_F64, 1, {3}, {INFINITY, 1, 2}, "[inf  1.  2.]"},
    {KAEL_F64, 1, {3}, {-INFINITY, 1, 2}, "[-inf   1.   2.]"},
    {KAEL_F64, 1, {3}, {-INFINITY, -100, 2}, "[ -inf -100.    2.]"},
    {KAEL_F64,
     1,
     {2},
     {5e-324, 1.7976931348623157e+308},
     "[5.0000000000000000e-324 1.7976931348623157e+308]"},
    {KAEL_F64, 1, {3}, {1e+100, -2.5e-07, 0}, "[ 1.0e+100 -2.5e-007  0.0e+000]"},
    {KAEL_F64, 1, {2}, {10000000000.0, NAN}, "[1.e+10    nan]"},
    {KAEL_F64, 1, {2}, {10000000000.0, -INFINITY}, "[1.e+10   -inf]"},
    {KAEL_F32, 1, {3}, {16777216, 33554432, 1}, "[1.6777216e+07 3.3554432e+07 1.0000000e+00]"},
    {KAEL_F32, 1, {2}, {3.4028235e+38, 1e-45}, "[3.4028235e+38 1.0000000e-45]"},
    {KAEL_F16, 1, {3}, {65504, 0.5, 60000}, "[6.55e+04 5.00e-01 6.00e+04]"},
    {KAEL_F16, 1, {2}, {6e-08, 6.104e-05}, "[6.000e-08 6.104e-05]"},
    {KAEL_F16, 1, {3}, {NAN, -INFINITY, 1}, "[ nan -inf   1.]"},
    {KAEL_F64, 0, {0}, {2.5}, "2.5"},
    {KAEL_F32, 0, {0}, {-1e-08}, "-1.e-08"},
    {KAEL_F64, 0, {0}, {NAN}, "nan"},
    {KAEL_F64, 0, {0}, {-INFINITY}, "-inf"},
    {KAEL_I32,
     2,
     {2, 3},
     {1, -20, 300, 4, 5, -6},
     "[[  1 -20 300]\n"
     " [  4   5  -6]]"},
    {KAEL_I8, 1, {2}, {-128, 127}, "[-128  127]"},
    {KAEL_I16, 0, {0}, {-7}, "-7"},
    {KAEL_BOOL, 1, {3}, {1, 0, 1}, "[ True False  True]"},
    {KAEL_BOOL, 1, {2}, {1, 1}, "[ True  True]"},
    {KAEL_BOOL, 0, {0}, {1}, "True"},
    {KAEL_BOOL, 0, {0}, {0}, "False"},
    {KAEL_U8, 3, {1, 1, 1}, {9}, "[[[9]]]"},
    {KAEL_I32,
     3,
     {2, 1, 3},
     {1, 2, 3, 4, 5, 6},
     "[[[1 2 3]]\n"
     "\n"
     " [[4 5 6]]]"},
    {KAEL_I32,
     4,
     {2, 2, 2, 1},
     {0, 1, 2, 3, 4, 5, 6, 7},
     "[[[[0]\n"
     "   [1]]\n"
     "\n"
     "  [[2]\n"
     "   [3]]]\n"
     "\n"
     "\n"
     " [[[4]\n"
     "   [5]]\n"
     "\n"
     "  [[6]\n"
     "   [7]]]]"},
    {KAEL_I32, 1, {0}, {0}, "[]"},
    {KAEL_F32, 3, {3, 0, 2}, {0}, "[]"},
    {KAEL_BOOL, 2, {2, 0}, {0}, "[]"},

};

Test(Format, TextsAreNumPys) {
    for (size_t i = 0; i < COUNT_OF(text_rows); ++i) {
        const text_row *row = &text_rows[i];
        expect_text(tensor_of(row->dtype, row->ndim, row->shape, row->values), row->text);
    }
}

Test(Format, Bf16) {
    expect_text(tensor_of(KAEL_BF16, SHAPE(4), (const double[]){0.1, 1.0 / 3, 3, 100}),
                "[  0.1     0.334   3.    100.   ]");
    expect_text(tensor_of(KAEL_BF16, SHAPE(2), (const double[]){3e38, 1}), "[3.e+38 1.e+00]");
    expect_text(tensor_of(KAEL_BF16, SHAPE(2), (const double[]){257, NAN}), "[256.  nan]");
}

Test(Format, TheLimitsOfIntegers) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_U64, SHAPE(2), (const uint64_t[]){UINT64_MAX, 0}));
    expect_text(t, "[18446744073709551615                    0]");
    ASSERT_OK(
        kael_tensor_from_data(&t, KAEL_I64, SHAPE(2), (const int64_t[]){INT64_MIN, INT64_MAX}));
    expect_text(t, "[-9223372036854775808  9223372036854775807]");
}

Test(Format, LongRowsAreBroken) {
    expect_text(arange(KAEL_I32, 30),
                "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 "
                "20 21 22 23\n 24 25 26 27 28 29]");
    kael_tensor *t;
    kael_tensor *rows;
    ASSERT_OK(kael_tensor_arange(&t, KAEL_I64, 0, 60000, 1000));
    ASSERT_OK(kael_tensor_reshape(&rows, t, SHAPE(2, 30)));
    kael_tensor_release(t);
    expect_text(rows, "[[    0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000\n"
                      "  12000 13000 14000 15000 16000 17000 18000 19000 20000 21000 22000 23000\n"
                      "  24000 25000 26000 27000 28000 29000]\n"
                      " [30000 31000 32000 33000 34000 35000 36000 37000 38000 39000 40000 41000\n"
                      "  42000 43000 44000 45000 46000 47000 48000 49000 50000 51000 52000 53000\n"
                      "  54000 55000 56000 57000 58000 59000]]");
    ASSERT_OK(kael_tensor_empty(&t, KAEL_F64, SHAPE(20)));
    for (int64_t i = 0; i < 20; ++i) {
        ASSERT_OK(kael_tensor_set(t, &i, (double)i / 7));
    }
    expect_text(t, "[0.                  0.14285714285714285 0.2857142857142857\n"
                   " 0.42857142857142855 0.5714285714285714  0.7142857142857143\n"
                   " 0.8571428571428571  1.                  1.1428571428571428\n"
                   " 1.2857142857142858  1.4285714285714286  1.5714285714285714\n"
                   " 1.7142857142857142  1.8571428571428572  2.\n"
                   " 2.142857142857143   2.2857142857142856  2.4285714285714284\n"
                   " 2.5714285714285716  2.7142857142857144 ]");
}

Test(Format, LongDimensionsAreElided) {
    expect_text(arange(KAEL_I32, 1001), "[   0    1    2 ...  998  999 1000]");
    expect_text(counting(KAEL_I32, SHAPE(7, 143)), "[[   0    1    2 ...  140  141  142]\n"
                                                   " [ 143  144  145 ...  283  284  285]\n"
                                                   " [ 286  287  288 ...  426  427  428]\n"
                                                   " ...\n"
                                                   " [ 572  573  574 ...  712  713  714]\n"
                                                   " [ 715  716  717 ...  855  856  857]\n"
                                                   " [ 858  859  860 ...  998  999 1000]]");
    expect_text(counting(KAEL_I32, SHAPE(2, 6, 100)), "[[[   0    1    2 ...   97   98   99]\n"
                                                      "  [ 100  101  102 ...  197  198  199]\n"
                                                      "  [ 200  201  202 ...  297  298  299]\n"
                                                      "  [ 300  301  302 ...  397  398  399]\n"
                                                      "  [ 400  401  402 ...  497  498  499]\n"
                                                      "  [ 500  501  502 ...  597  598  599]]\n"
                                                      "\n"
                                                      " [[ 600  601  602 ...  697  698  699]\n"
                                                      "  [ 700  701  702 ...  797  798  799]\n"
                                                      "  [ 800  801  802 ...  897  898  899]\n"
                                                      "  [ 900  901  902 ...  997  998  999]\n"
                                                      "  [1000 1001 1002 ... 1097 1098 1099]\n"
                                                      "  [1100 1101 1102 ... 1197 1198 1199]]]");
    expect_text(counting(KAEL_I32, SHAPE(7, 1, 150)), "[[[   0    1    2 ...  147  148  149]]\n"
                                                      "\n"
                                                      " [[ 150  151  152 ...  297  298  299]]\n"
                                                      "\n"
                                                      " [[ 300  301  302 ...  447  448  449]]\n"
                                                      "\n"
                                                      " ...\n"
                                                      "\n"
                                                      " [[ 600  601  602 ...  747  748  749]]\n"
                                                      "\n"
                                                      " [[ 750  751  752 ...  897  898  899]]\n"
                                                      "\n"
                                                      " [[ 900  901  902 ... 1047 1048 1049]]]");
}

/* Only what is shown is aligned and read. */
Test(Format, HiddenElementsDoNotMatter) {
    kael_tensor *t = arange(KAEL_F64, 2000);
    ASSERT_OK(kael_tensor_set(t, DIMS(1000), -1e300));
    for (int64_t i = -3; i < 0; ++i) {
        ASSERT_OK(kael_tensor_set(t, &i, (double)i));
    }
    expect_text(t, "[ 0.  1.  2. ... -3. -2. -1.]");
}

Test(Format, VastTensorsHaveBoundedTexts) {
    int64_t shape[KAEL_MAX_DIMS];
    for (int i = 0; i < KAEL_MAX_DIMS; ++i) {
        shape[i] = 9;
    }
    kael_tensor *one;
    kael_tensor *t;
    ASSERT_OK(kael_tensor_ones(&one, KAEL_U8, 0, NULL));
    ASSERT_OK(kael_tensor_broadcast_to(&t, one, KAEL_MAX_DIMS, shape));
    const char *text = text_of(t);
    cr_expect_eq(strncmp(text, "[[[[[[[[[[[[[[[[1 1 1 ... 1 1 1]", 32), 0);
    cr_expect_not_null(strstr(text, "\n\n ...]"));
    cr_expect_lt(strlen(text), (size_t)50000);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_broadcast_to(&t, one, SHAPE(INT64_C(1) << 40)));
    expect_text(t, "[1 1 1 ... 1 1 1]");
    ASSERT_OK(kael_tensor_broadcast_to(&t, one, SHAPE(INT64_C(1) << 40, 0, INT64_C(1) << 40)));
    expect_text(t, "[]");
    kael_tensor_release(one);
}

Test(Format, ViewsShowWhatTheySee) {
    kael_tensor *t = counting(KAEL_I32, SHAPE(3, 4));
    kael_tensor *view;
    ASSERT_OK(kael_tensor_transpose(&view, t, 0, 1));
    expect_text(view, "[[ 0  4  8]\n [ 1  5  9]\n [ 2  6 10]\n [ 3  7 11]]");
    ASSERT_OK(kael_tensor_slice(&view, t, 1, 3, -1, -2));
    expect_text(view, "[[ 3  1]\n [ 7  5]\n [11  9]]");
    kael_tensor_release(t);
}

/* As snprintf: whatever the room, the length is the same and nothing is written beyond. */
Test(Format, TextsAreCutToTheBuffer) {
    kael_tensor *t = counting(KAEL_I32, SHAPE(3, 4));
    const char expected[] = "[[ 0  1  2  3]\n [ 4  5  6  7]\n [ 8  9 10 11]]";
    cr_expect_eq(kael_tensor_format(NULL, 0, t), strlen(expected));
    for (size_t size = 0; size < sizeof expected + 3; ++size) {
        char buffer[sizeof expected + 4];
        memset(buffer, '#', sizeof buffer);
        cr_expect_eq(kael_tensor_format(buffer, size, t), strlen(expected));
        const size_t kept = size == 0 ? 0 : size <= strlen(expected) ? size - 1 : strlen(expected);
        cr_expect_eq(memcmp(buffer, expected, kept), 0);
        cr_expect(size == 0 || buffer[kept] == '\0');
        cr_expect_eq(buffer[size == 0 ? 0 : kept + 1], '#');
    }
    kael_tensor_release(t);
}

Test(Format, TheRoundingModeDoesNotMatter) {
    const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST};
    const double values[] = {0.1, 1e23, 0x1p-44, 1.0 / 3};
    kael_tensor *t = tensor_of(KAEL_F64, SHAPE(4), values);
    for (size_t i = 0; i < COUNT_OF(modes); ++i) {
        cr_assert_eq(fesetround(modes[i]), 0);
        const char *text = text_of(t);
        cr_expect_str_eq(text, "[1.000000000000000e-01 1.000000000000000e+23 "
                               "5.684341886080802e-14\n 3.333333333333333e-01]");
    }
    kael_tensor_release(t);
}

/* The shortest digits. */

static double value_of(uint64_t digits, int exponent) {
    char text[48];
    snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, exponent);
    return strtod(text, NULL);
}

/* As the dtype rounds it. */
static double rounded(double value, kael_dtype dtype) {
    kael_tensor *t;
    double result;
    ASSERT_OK(kael_tensor_full(&t, dtype, 0, NULL, value));
    ASSERT_OK(kael_tensor_item(&result, t));
    kael_tensor_release(t);
    return result;
}

/* They give the number back, no fewer digits do, and of that many they are the nearest. */
static void expect_shortest(double value, kael_dtype dtype) {
    const kael_decimal decimal = kael_shortest_decimal(value, dtype);
    cr_assert(decimal.count >= 1 && decimal.count <= KAEL_DECIMAL_DIGITS, "%a", value);
    uint64_t digits = 0;
    for (int i = 0; i < decimal.count; ++i) {
        digits = digits * 10 + (uint64_t)(decimal.digits[i] - '0');
    }
    const int exponent = decimal.point - decimal.count;
    cr_assert_eq(rounded(value_of(digits, exponent), dtype), value, "%a: %" PRIu64 "e%d", value,
                 digits, exponent);
    cr_assert(decimal.digits[0] != '0' && digits % 10 != 0, "%a: %" PRIu64, value, digits);
    const uint64_t fewer = digits / 10;
    cr_assert(fewer == 0 || (rounded(value_of(fewer, exponent + 1), dtype) != value &&
                             rounded(value_of(fewer + 1, exponent + 1), dtype) != value),
              "%a has fewer digits than %" PRIu64, value, digits);
    for (int step = -1; step <= 1 && dtype != KAEL_F64; step += 2) {
        const double neighbour = value_of(digits + (uint64_t)step, exponent);
        cr_assert(rounded(neighbour, dtype) != value || fabs(value_of(digits, exponent) - value) <=
                                                            fabs(neighbour - value) * (1 + 1e-6),
                  "%a is nearer to a neighbour of %" PRIu64, value, digits);
    }
}

Test(Decimal, EveryNumberOf16Bits) {
    const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        for (uint16_t bits = 1; bits < 0x7fff; ++bits) {
            kael_tensor *t;
            double value;
            ASSERT_OK(kael_tensor_from_data(&t, dtypes[d], SHAPE(1), &bits));
            ASSERT_OK(kael_tensor_item(&value, t));
            kael_tensor_release(t);
            if (isfinite(value)) {
                expect_shortest(value, dtypes[d]);
            }
        }
    }
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state ^ *state >> 32;
}

Test(Decimal, RandomNumbersOf32And64Bits) {
    uint64_t state = 1;
    for (int i = 0; i < 20000; ++i) {
        const uint64_t bits = next_random(&state);
        const uint32_t half = (uint32_t)bits;
        float single;
        double number;
        memcpy(&single, &half, sizeof single);
        memcpy(&number, &bits, sizeof number);
        if (isfinite(single) && single != 0) {
            expect_shortest(fabs((double)single), KAEL_F32);
        }
        if (isfinite(number) && number != 0) {
            expect_shortest(fabs(number), KAEL_F64);
        }
    }
}

/* Where the gap below is half of the gap above. */
Test(Decimal, PowersOfTwo) {
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double value = ldexp(1, exponent);
        expect_shortest(value, KAEL_F64);
        if (exponent >= -149 && exponent < 128) {
            expect_shortest(value, KAEL_F32);
        }
    }
}

static void expect_digits(double value, kael_dtype dtype, const char *digits, int point) {
    const kael_decimal decimal = kael_shortest_decimal(value, dtype);
    cr_expect_eq(decimal.count, (int)strlen(digits), "%a", value);
    cr_expect_eq(memcmp(decimal.digits, digits, strlen(digits)), 0, "%a: %.*s", value,
                 decimal.count, decimal.digits);
    cr_expect_eq(decimal.point, point, "%a: %d", value, decimal.point);
}

Test(Decimal, KnownNumbers) {
    expect_digits(0, KAEL_F64, "", 0);
    expect_digits(-0.0, KAEL_F32, "", 0);
    expect_digits(-0.1, KAEL_F64, "1", 0);
    expect_digits(100, KAEL_F64, "1", 3);
    expect_digits(0x1p-44, KAEL_F64, "5684341886080802", -13);
    expect_digits(9007199254740993.0, KAEL_F64, "9007199254740992", 16);
    expect_digits(1e23, KAEL_F64, "1", 24);
    expect_digits(DBL_TRUE_MIN, KAEL_F64, "5", -323);
    expect_digits(DBL_MIN, KAEL_F64, "22250738585072014", -307);
    expect_digits(DBL_MAX, KAEL_F64, "17976931348623157", 309);
    expect_digits((double)FLT_MAX, KAEL_F32, "34028235", 39);
    expect_digits((double)FLT_TRUE_MIN, KAEL_F32, "1", -44);
    expect_digits((double)16777216.0f, KAEL_F32, "16777216", 8);
    expect_digits((double)33554432.0f, KAEL_F32, "33554432", 8);
    expect_digits(65504, KAEL_F16, "655", 5);
    expect_digits(0x1p-24, KAEL_F16, "6", -7);
    expect_digits(0x1.54p-2, KAEL_BF16, "332", 0);
}
