/* Elementwise operations: the cases that other libraries got wrong, and the rules of kael/ops.h. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kael/ops.h"
#include "kael/parallel.h"
#include "ops_fixture.h"
#include "tensor/element.h"
#include "tensor/overlap.h"
#include "tensor/tensor.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SHAPE(...)                                                                                 \
    (int64_t) COUNT_OF(((const int64_t[]){__VA_ARGS__})), (const int64_t[]) {                      \
        __VA_ARGS__                                                                                \
    }

#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

/* A tensor of `dtype` with these values, which it holds exactly. */
static kael_tensor *from(kael_dtype dtype, const double *values, int64_t ndim,
                         const int64_t *shape) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, dtype, ndim, shape));
    char *data = kael_tensor_data(t);
    for (int64_t i = 0; i < kael_tensor_numel(t); ++i) {
        ASSERT_OK(kael_element_from_double(data + i * kael_dtype_size(dtype), dtype, values[i]));
    }
    return t;
}

#define VECTOR(dtype, ...)                                                                         \
    from(dtype, (const double[]){__VA_ARGS__},                                                     \
         SHAPE((int64_t)COUNT_OF(((const double[]){__VA_ARGS__}))))

static double value_at(const kael_tensor *t, int64_t index) {
    const int64_t offset = kael_tensor_ndim(t) == 0 ? 0 : index * kael_tensor_strides(t)[0];
    const char *data = kael_tensor_data(t);
    return kael_element_to_double(data + offset * kael_dtype_size(t->dtype), t->dtype);
}

static void expect_values(const kael_tensor *t, kael_dtype dtype, int64_t count,
                          const double *expected, const char *text) {
    cr_expect_eq(kael_tensor_dtype(t), dtype, "%s: %s", text, kael_dtype_name(t->dtype));
    cr_assert_eq(kael_tensor_numel(t), count, "%s", text);
    for (int64_t i = 0; i < count; ++i) {
        const double value = value_at(t, i);
        const bool same = isnan(expected[i])
                              ? isnan(value)
                              : value == expected[i] && signbit(value) == signbit(expected[i]);
        cr_expect(same, "%s [%" PRId64 "]: %g, not %g", text, i, value, expected[i]);
    }
}

#define EXPECT_VECTOR(t, dtype, ...)                                                               \
    expect_values(t, dtype, (int64_t)COUNT_OF(((const double[]){__VA_ARGS__})),                    \
                  (const double[]){__VA_ARGS__}, #__VA_ARGS__)

/* The values of a one-dimensional result, which is released. */
#define EXPECT_RESULT(call, dtype, ...)                                                            \
    do {                                                                                           \
        kael_tensor *out = NULL;                                                                   \
        ASSERT_OK(call);                                                                           \
        EXPECT_VECTOR(out, dtype, __VA_ARGS__);                                                    \
        kael_tensor_release(out);                                                                  \
    } while (0)

static void expect_error(kael_status status, kael_status expected, const char *words) {
    cr_expect_eq(status, expected, "%s: %s", words, kael_last_error_message());
    cr_expect_not_null(strstr(kael_last_error_message(), words), "'%s' in: %s", words,
                       kael_last_error_message());
}

/* The call fails so, and leaves no result. */
#define EXPECT_NO_RESULT(call, status, words)                                                      \
    do {                                                                                           \
        kael_tensor *out = (kael_tensor *)(void *)&(int64_t){0};                                   \
        expect_error(call, status, words);                                                         \
        cr_expect_null(out, "%s", #call);                                                          \
    } while (0)

static void release_all(size_t count, kael_tensor *const *tensors) {
    for (size_t i = 0; i < count; ++i) {
        kael_tensor_release(tensors[i]);
    }
}
#define RELEASE(...)                                                                               \
    release_all(COUNT_OF(((kael_tensor *const[]){__VA_ARGS__})),                                   \
                (kael_tensor *const[]){__VA_ARGS__})

static const kael_dtype signed_dtypes[] = {KAEL_I8, KAEL_I16, KAEL_I32, KAEL_I64};
static const kael_dtype number_dtypes[] = {KAEL_I8,  KAEL_I16,  KAEL_I32, KAEL_I64,
                                           KAEL_U8,  KAEL_U16,  KAEL_U32, KAEL_U64,
                                           KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};

/* ---- memory that operands share ---- */

static kael_tensor *view_of(kael_tensor *t, int64_t ndim, const int64_t *shape,
                            const int64_t *strides, int64_t offset) {
    kael_tensor *view;
    ASSERT_OK(kael_tensor_create_view(&view, t->storage, t->dtype, ndim, shape, strides, offset));
    return view;
}

Test(OpsOverlap, K04_ResultIsAsIfInputsHadBeenCopied) {
    for (size_t d = 0; d < COUNT_OF(number_dtypes); ++d) {
        const kael_dtype dtype = number_dtypes[d];
        kael_tensor *m = from(dtype, (const double[]){5, 7, 1, 2}, SHAPE(2, 2));
        kael_tensor *transposed;
        ASSERT_OK(kael_tensor_transpose(&transposed, m, 0, 1));
        ASSERT_OK(kael_add_in_place(m, transposed));
        kael_tensor *flat = view_of(m, SHAPE(4), (const int64_t[]){1}, 0);
        EXPECT_VECTOR(flat, dtype, 10, 8, 8, 4);

        kael_tensor *v = VECTOR(dtype, 1, 1, 1, 1, 1);
        kael_tensor *head = view_of(v, SHAPE(4), (const int64_t[]){1}, 0);
        kael_tensor *tail = view_of(v, SHAPE(4), (const int64_t[]){1}, 1);
        ASSERT_OK(kael_add_in_place(tail, head));
        EXPECT_VECTOR(v, dtype, 1, 2, 2, 2, 2);

        kael_tensor *w = VECTOR(dtype, 1, 2, 3, 4);
        kael_tensor *reversed = view_of(w, SHAPE(4), (const int64_t[]){-1}, 3);
        ASSERT_OK(kael_add_in_place(w, reversed));
        EXPECT_VECTOR(w, dtype, 5, 5, 5, 5);
        RELEASE(m, transposed, flat, v, head, tail, w, reversed);
    }
}

Test(OpsOverlap, K04_LargeMatrixPlusItsTranspose) {
    enum { N = 1500 };
    const int64_t sizes[] = {100, N};
    for (size_t s = 0; s < COUNT_OF(sizes); ++s) {
        const int64_t n = sizes[s];
        for (int64_t threads = 1; threads <= 3; ++threads) {
            ASSERT_OK(kael_set_num_threads(threads));
            kael_tensor *m;
            ASSERT_OK(kael_tensor_ones(&m, KAEL_F32, SHAPE(n, n)));
            kael_tensor *transposed;
            ASSERT_OK(kael_tensor_transpose(&transposed, m, 0, 1));
            ASSERT_OK(kael_add_in_place(m, transposed));
            const float *data = kael_tensor_data(m);
            int64_t wrong = 0;
            for (int64_t i = 0; i < n * n; ++i) {
                wrong += data[i] != 2;
            }
            cr_expect_eq(wrong, 0);
            RELEASE(m, transposed);
        }
    }
}

/* Every overlap of a vector with a shifted, reversed or stepped view of itself, and of operations
 * with one, two and three inputs. */
Test(OpsOverlap, K04_AllShiftsStepsAndDirections) {
    enum { N = 40, COUNT = 11 };
    const kael_dtype dtypes[] = {KAEL_U8, KAEL_I16, KAEL_BF16, KAEL_F32, KAEL_F64};
    uint64_t seed = 4;
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        for (int64_t trial = 0; trial < 600; ++trial) {
            uint64_t at = seed;
            kael_tensor *v = ops_tensor(dtypes[d], LAYOUT_ROW, 1, N, &at);
            kael_tensor *w = ops_tensor(dtypes[d], LAYOUT_ROW, 1, N, &seed);
            kael_tensor *views[2][3];
            for (int k = 0; k < 3; ++k) {
                const int64_t step = (int64_t)(elementwise_random(&seed) % 3) + 1;
                const int64_t stride = elementwise_random(&seed) % 2 == 0 ? step : -step;
                const int64_t offset =
                    stride > 0
                        ? (int64_t)(elementwise_random(&seed) % (uint64_t)(N - step * (COUNT - 1)))
                        : N - 1 -
                              (int64_t)(elementwise_random(&seed) %
                                        (uint64_t)(N - step * (COUNT - 1)));
                views[0][k] = view_of(v, SHAPE(COUNT), &stride, offset);
                views[1][k] = view_of(w, SHAPE(COUNT), &stride, offset);
            }
            kael_tensor *expected;
            switch (trial % 3) {
            case 0:
                ASSERT_OK(kael_sqr(&expected, views[1][1]));
                ASSERT_OK(kael_sqr_into(views[0][0], views[0][1]));
                break;
            case 1:
                ASSERT_OK(kael_sub(&expected, views[1][1], views[1][2]));
                ASSERT_OK(kael_sub_into(views[0][0], views[0][1], views[0][2]));
                break;
            default:
                ASSERT_OK(kael_fma(&expected, views[1][1], views[1][2], views[1][0]));
                ASSERT_OK(kael_fma_into(views[0][0], views[0][1], views[0][2], views[0][0]));
            }
            ASSERT_OK(kael_copy_into(views[1][0], expected));
            const size_t bytes = (size_t)(N * kael_dtype_size(dtypes[d]));
            cr_expect_eq(memcmp(v->data, w->data, bytes), 0, "%s, trial %" PRId64,
                         kael_dtype_name(dtypes[d]), trial);
            RELEASE(v, w, expected, views[0][0], views[0][1], views[0][2], views[1][0], views[1][1],
                    views[1][2]);
        }
    }
}

Test(OpsOverlap, K05_OutputsThatRepeatElementsAreRefused) {
    for (size_t d = 0; d < COUNT_OF(number_dtypes); ++d) {
        kael_tensor *t = VECTOR(number_dtypes[d], 2);
        kael_tensor *expanded;
        ASSERT_OK(kael_tensor_broadcast_to(&expanded, t, SHAPE(3)));
        expect_error(kael_mul_scalar_in_place(expanded, kael_scalar_int(2)), KAEL_ERROR_VALUE,
                     "out must not have two elements at one place, got shape (3) with strides (0)");
        expect_error(kael_add_into(expanded, t, t), KAEL_ERROR_SHAPE, "out must have shape (1)");
        expect_error(kael_sqr_in_place(expanded), KAEL_ERROR_VALUE, "two elements");
        expect_error(kael_copy_into(expanded, t), KAEL_ERROR_VALUE, "two elements");
        EXPECT_VECTOR(t, number_dtypes[d], 2);
        RELEASE(t, expanded);
    }
}

typedef struct overlap_case {
    int64_t ndim;
    int64_t shape[3];
    int64_t strides[3];
    bool distinct;
} overlap_case;

Test(OpsOverlap, LayoutsThatRepeatElements) {
    const overlap_case cases[] = {
        {1, {4}, {1}, true},
        {1, {4}, {-3}, true},
        {1, {1}, {0}, true},
        {1, {2}, {0}, false},
        {2, {3, 1}, {1, 0}, true},
        {2, {2, 3}, {3, 2}, true},   /* 0 2 4 3 5 7 */
        {2, {2, 3}, {2, 1}, false},  /* 0 1 2 2 3 4 */
        {2, {3, 3}, {1, -1}, false}, /* a diagonal is one place */
        {2, {3, 2}, {2, 3}, true},   /* 0 3 2 5 4 7 */
        {2, {4, 3}, {2, 3}, false},  /* 3 x 2 is 2 x 3 */
        {3, {2, 2, 2}, {3, 5, 8}, false},
        {3, {2, 2, 2}, {3, 5, 9}, true},
        {3, {2, 0, 2}, {0, 0, 0}, true},
    };
    kael_tensor *t;
    ASSERT_OK(kael_tensor_zeros(&t, KAEL_U8, SHAPE(100)));
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const overlap_case *c = &cases[i];
        kael_tensor *view = view_of(t, c->ndim, c->shape, c->strides, 40);
        cr_expect_eq(kael_tensor_require_distinct_elements(view, "out"),
                     c->distinct ? KAEL_OK : KAEL_ERROR_VALUE, "case %zu", i);
        kael_tensor_release(view);
    }
    kael_tensor_release(t);
}

/* ---- values ---- */

Test(Ops, K07_NanWinsAndNegativeZeroIsLess) {
    const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        kael_tensor *a = VECTOR(dtypes[d], NAN, 1, 0, -0.0, 2, INFINITY, NAN);
        kael_tensor *b = VECTOR(dtypes[d], 1, NAN, -0.0, 0, 2, -INFINITY, NAN);
        EXPECT_RESULT(kael_maximum(&out, a, b), dtypes[d], NAN, NAN, 0, 0, 2, INFINITY, NAN);
        EXPECT_RESULT(kael_minimum(&out, a, b), dtypes[d], NAN, NAN, -0.0, -0.0, 2, -INFINITY, NAN);
        RELEASE(a, b);
    }
}

/* At every length around the width of vectors, and every position. */
Test(Ops, K07_NanAtEveryPosition) {
    enum { MOST = 70 };
    for (int64_t n = 1; n <= MOST; ++n) {
        for (int64_t position = 0; position < n; ++position) {
            kael_tensor *zeros;
            ASSERT_OK(kael_tensor_zeros(&zeros, KAEL_F32, 1, &n));
            kael_tensor *t;
            ASSERT_OK(kael_tensor_zeros(&t, KAEL_F32, 1, &n));
            ((float *)t->data)[position] = NAN;
            kael_tensor *out[3];
            ASSERT_OK(kael_maximum(&out[0], zeros, t));
            ASSERT_OK(kael_minimum(&out[1], t, zeros));
            ASSERT_OK(kael_relu(&out[2], t));
            for (int k = 0; k < 3; ++k) {
                for (int64_t i = 0; i < n; ++i) {
                    cr_expect_eq(isnan(((float *)out[k]->data)[i]) != 0, i == position);
                }
            }
            RELEASE(zeros, t, out[0], out[1], out[2]);
        }
    }
}

Test(Ops, K18_IntegerDivisionDoesNotTrap) {
    const int64_t lengths[] = {1, 7, 16, 33, 1000};
    for (size_t d = 0; d < COUNT_OF(signed_dtypes); ++d) {
        for (size_t l = 0; l < COUNT_OF(lengths); ++l) {
            const kael_dtype dtype = signed_dtypes[d];
            const double lowest = -ldexp(1, 8 * (int)kael_dtype_size(dtype) - 1);
            kael_tensor *sevens;
            kael_tensor *zeros;
            kael_tensor *low;
            kael_tensor *minus_ones;
            ASSERT_OK(kael_tensor_full(&sevens, dtype, 1, &lengths[l], 7));
            ASSERT_OK(kael_tensor_zeros(&zeros, dtype, 1, &lengths[l]));
            ASSERT_OK(kael_tensor_full(&low, dtype, 1, &lengths[l], lowest));
            ASSERT_OK(kael_tensor_full(&minus_ones, dtype, 1, &lengths[l], -1));
            EXPECT_NO_RESULT(kael_floor_divide(&out, sevens, zeros), KAEL_ERROR_ARITHMETIC,
                             "floor_divide of integers by zero");
            EXPECT_NO_RESULT(kael_remainder(&out, sevens, zeros), KAEL_ERROR_ARITHMETIC,
                             "remainder of integers by zero");
            kael_tensor *out;
            ASSERT_OK(kael_floor_divide(&out, low, minus_ones));
            cr_expect_eq(value_at(out, lengths[l] - 1), lowest);
            kael_tensor_release(out);
            ASSERT_OK(kael_remainder(&out, low, minus_ones));
            cr_expect_eq(value_at(out, lengths[l] - 1), 0);
            RELEASE(out, sevens, zeros, low, minus_ones);
        }
    }
}

/* One zero anywhere, in any layout, is found before anything is written. */
Test(Ops, K18_AZeroDivisorLeavesTheOutputAsItWas) {
    enum { ROWS = 5, COLUMNS = 21 };
    uint64_t seed = 18;
    for (kael_dtype dtype = KAEL_I8; dtype <= KAEL_U64; ++dtype) {
        for (ops_layout layout = 0; layout < LAYOUT_COUNT; ++layout) {
            kael_tensor *a = ops_tensor(dtype, LAYOUT_ROW_MAJOR, ROWS, COLUMNS, &seed);
            kael_tensor *b = ops_tensor(dtype, layout, ROWS, COLUMNS, &seed);
            kael_tensor *before;
            ASSERT_OK(kael_tensor_clone(&before, a));
            ops_make_positive(b, false);
            memset(ops_element_at(b, 3, 17), 0, (size_t)kael_dtype_size(dtype));
            expect_error(kael_floor_divide_in_place(a, b), KAEL_ERROR_ARITHMETIC, "zero");
            expect_error(kael_remainder_into(a, a, b), KAEL_ERROR_ARITHMETIC, "zero");
            cr_expect_eq(memcmp(a->data, before->data, (size_t)kael_tensor_storage_bytes(a)), 0);
            ops_make_positive(b, false);
            ASSERT_OK(kael_floor_divide_in_place(a, b));
            RELEASE(a, b, before);
        }
    }
}

Test(Ops, DivisionByZeroOfFloatsAndOfNothingIsFine) {
    kael_tensor *a = VECTOR(KAEL_I32, 1, -1, 0);
    kael_tensor *zero = VECTOR(KAEL_I32, 0);
    EXPECT_RESULT(kael_div(&out, a, zero), KAEL_F64, INFINITY, -INFINITY, NAN);
    kael_tensor *f = VECTOR(KAEL_F32, 7, -7, 0);
    EXPECT_RESULT(kael_floor_divide(&out, f, zero), KAEL_F64, INFINITY, -INFINITY, NAN);
    EXPECT_RESULT(kael_remainder(&out, f, zero), KAEL_F64, NAN, NAN, NAN);
    kael_tensor *empty;
    ASSERT_OK(kael_tensor_empty(&empty, KAEL_I32, SHAPE(2, 0)));
    kael_tensor *out;
    ASSERT_OK(kael_floor_divide(&out, empty, zero));
    cr_expect_eq(kael_tensor_numel(out), 0);
    RELEASE(a, zero, f, empty, out);
}

Test(Ops, DivisionRoundsDown) {
    kael_tensor *a = VECTOR(KAEL_F64, 7, -7, 7, -7, 5, -5, 1, 0, -0.0, INFINITY, 3);
    kael_tensor *b = VECTOR(KAEL_F64, 2, 2, -2, -2, INFINITY, INFINITY, 0.1, -3, 3, 2, NAN);
    EXPECT_RESULT(kael_floor_divide(&out, a, b), KAEL_F64, 3, -4, -4, 3, 0, -1, 9, -0.0, -0.0, NAN,
                  NAN);
    EXPECT_RESULT(kael_remainder(&out, a, b), KAEL_F64, 1, 1, -1, -1, 5, INFINITY,
                  0.09999999999999995, -0.0, 0, NAN, NAN);
    kael_tensor *i = VECTOR(KAEL_I8, 7, -7, 7, -7);
    kael_tensor *j = VECTOR(KAEL_I8, 2, 2, -2, -2);
    EXPECT_RESULT(kael_floor_divide(&out, i, j), KAEL_I8, 3, -4, -4, 3);
    EXPECT_RESULT(kael_remainder(&out, i, j), KAEL_I8, 1, 1, -1, -1);
    EXPECT_RESULT(kael_div(&out, i, j), KAEL_F64, 3.5, -3.5, -3.5, 3.5);
    RELEASE(a, b, i, j);
}

Test(Ops, K19_CastsSaturateAtEveryPosition) {
    const double values[] = {NAN, INFINITY, -1, -1.5, -0.5, 256, 3e9, 1e20};
    const struct {
        kael_dtype dtype;
        double expected[8];
    } cases[] = {
        {KAEL_U8, {0, 255, 0, 0, 0, 255, 255, 255}},
        {KAEL_I8, {0, 127, -1, -1, 0, 127, 127, 127}},
        {KAEL_I32, {0, 2147483647, -1, -1, 0, 256, 2147483647, 2147483647}},
        {KAEL_I64, {0, 9223372036854775807.0, -1, -1, 0, 256, 3e9, 9223372036854775807.0}},
    };
    const kael_dtype sources[] = {KAEL_F32, KAEL_F64};
    const int64_t lengths[] = {8, 9, 33};
    for (size_t s = 0; s < COUNT_OF(sources); ++s) {
        for (size_t l = 0; l < COUNT_OF(lengths); ++l) {
            double tiled[33];
            for (int64_t i = 0; i < lengths[l]; ++i) {
                tiled[i] = values[i % 8];
            }
            kael_tensor *in = from(sources[s], tiled, 1, &lengths[l]);
            for (size_t c = 0; c < COUNT_OF(cases); ++c) {
                kael_tensor *out;
                ASSERT_OK(kael_tensor_empty(&out, cases[c].dtype, 1, &lengths[l]));
                ASSERT_OK(kael_copy_into(out, in));
                for (int64_t i = 0; i < lengths[l]; ++i) {
                    cr_expect_eq(value_at(out, i), cases[c].expected[i % 8], "%s %g",
                                 kael_dtype_name(cases[c].dtype), tiled[i]);
                }
                kael_tensor_release(out);
            }
            kael_tensor_release(in);
        }
    }
}

Test(Ops, K23_NegativeSteps) {
    for (size_t d = 0; d < COUNT_OF(number_dtypes); ++d) {
        const int64_t count = kael_dtype_size(number_dtypes[d]) == 1 ? 120 : 20000;
        const bool exact = number_dtypes[d] != KAEL_F16 && number_dtypes[d] != KAEL_BF16;
        if (!exact) {
            continue;
        }
        kael_tensor *t;
        kael_tensor *view;
        kael_tensor *copy;
        kael_tensor *out;
        kael_tensor *expected;
        ASSERT_OK(kael_tensor_arange(&t, number_dtypes[d], 0, (double)count, 1));
        ASSERT_OK(kael_tensor_slice(&view, t, 0, count - 1, -1, -3));
        ASSERT_OK(kael_tensor_clone(&copy, view));
        ASSERT_OK(kael_sub_scalar(&out, view, kael_scalar_float(0.25)));
        ASSERT_OK(kael_sub_scalar(&expected, copy, kael_scalar_float(0.25)));
        cr_expect_eq(out->dtype, number_dtypes[d] == KAEL_F32 ? KAEL_F32 : KAEL_F64);
        for (int64_t i = 0; i < out->numel; ++i) {
            const double exact_value = (double)(count - 1 - 3 * i) - 0.25;
            cr_expect_eq(value_at(out, i),
                         number_dtypes[d] == KAEL_F32 ? (float)exact_value : exact_value);
            cr_expect_eq(value_at(out, i), value_at(expected, i));
        }
        RELEASE(t, view, copy, out, expected);
    }
}

Test(Ops, K32_MixedSigns) {
    kael_tensor *u8 = VECTOR(KAEL_U8, 1, 2, 3);
    kael_tensor *i8 = VECTOR(KAEL_I8, -19);
    EXPECT_RESULT(kael_le(&out, u8, i8), KAEL_BOOL, 0, 0, 0);
    EXPECT_RESULT(kael_ge(&out, u8, i8), KAEL_BOOL, 1, 1, 1);
    EXPECT_RESULT(kael_add(&out, u8, i8), KAEL_I16, -18, -17, -16);
    kael_tensor *u16 = VECTOR(KAEL_U16, 65535, 40000);
    kael_tensor *i16 = VECTOR(KAEL_I16, -1, -1);
    EXPECT_RESULT(kael_add(&out, u16, i16), KAEL_I32, 65534, 39999);
    EXPECT_RESULT(kael_lt(&out, u16, i16), KAEL_BOOL, 0, 0);
    RELEASE(u8, i8, u16, i16);
}

/* Where their common dtype, f64, would round both to the same number. */
Test(Ops, K32_ComparisonsOfU64WithSignedNumbersAreExact) {
    const uint64_t unsigned_values[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX, 5};
    const int64_t signed_values[] = {-1, 1, INT64_MAX - 1, INT64_MAX, -1, INT64_MIN};
    enum { COUNT = COUNT_OF(unsigned_values) };
    kael_tensor *u;
    kael_tensor *i;
    ASSERT_OK(kael_tensor_from_data(&u, KAEL_U64, SHAPE(COUNT), unsigned_values));
    ASSERT_OK(kael_tensor_from_data(&i, KAEL_I64, SHAPE(COUNT), signed_values));
    EXPECT_RESULT(kael_lt(&out, u, i), KAEL_BOOL, 0, 0, 0, 0, 0, 0);
    EXPECT_RESULT(kael_gt(&out, u, i), KAEL_BOOL, 1, 0, 1, 1, 1, 1);
    EXPECT_RESULT(kael_lt(&out, i, u), KAEL_BOOL, 1, 0, 1, 1, 1, 1);
    EXPECT_RESULT(kael_eq(&out, i, u), KAEL_BOOL, 0, 1, 0, 0, 0, 0);
    EXPECT_RESULT(kael_ne(&out, u, i), KAEL_BOOL, 1, 0, 1, 1, 1, 1);
    EXPECT_RESULT(kael_le(&out, u, i), KAEL_BOOL, 0, 1, 0, 0, 0, 0);
    EXPECT_RESULT(kael_ge(&out, i, u), KAEL_BOOL, 0, 1, 0, 0, 0, 0);
    RELEASE(u, i);
}

Test(Ops, K38_ZeroTimesSpecialNumbers) {
    const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        kael_tensor *a = VECTOR(dtypes[d], NAN, INFINITY, 3);
        kael_tensor *zero = VECTOR(dtypes[d], 0);
        EXPECT_RESULT(kael_mul(&out, a, zero), dtypes[d], NAN, NAN, 0);
        EXPECT_RESULT(kael_mul_scalar(&out, a, kael_scalar_int(0)), dtypes[d], NAN, NAN, 0);
        EXPECT_RESULT(kael_scalar_mul(&out, kael_scalar_float(0), a), dtypes[d], NAN, NAN, 0);
        EXPECT_RESULT(kael_fma(&out, a, zero, zero), dtypes[d], NAN, NAN, 0);
        RELEASE(a, zero);
    }
}

Test(Ops, SpecialValuesOfUnaryOperations) {
    kael_tensor *t = VECTOR(KAEL_F32, NAN, -INFINITY, -0.0, 0.5, 1.5, 2.5, -2.5, -0.5);
    EXPECT_RESULT(kael_sign(&out, t), KAEL_F32, NAN, -1, 0, 1, 1, 1, -1, -1);
    EXPECT_RESULT(kael_round(&out, t), KAEL_F32, NAN, -INFINITY, -0.0, 0, 2, 2, -2, -0.0);
    EXPECT_RESULT(kael_relu(&out, t), KAEL_F32, NAN, 0, 0, 0.5, 1.5, 2.5, 0, 0);
    EXPECT_RESULT(kael_abs(&out, t), KAEL_F32, NAN, INFINITY, 0, 0.5, 1.5, 2.5, 2.5, 0.5);
    EXPECT_RESULT(kael_neg(&out, t), KAEL_F32, NAN, INFINITY, 0, -0.5, -1.5, -2.5, 2.5, 0.5);
    EXPECT_RESULT(kael_recip(&out, t), KAEL_F32, NAN, -0.0, -INFINITY, 2, 1 / 1.5F, 0.4F, -0.4F,
                  -2);
    EXPECT_RESULT(kael_isfinite(&out, t), KAEL_BOOL, 0, 0, 1, 1, 1, 1, 1, 1);
    EXPECT_RESULT(kael_logical_not(&out, t), KAEL_BOOL, 0, 0, 1, 0, 0, 0, 0, 0);
    kael_tensor_release(t);
}

Test(Ops, BoundsOfClamp) {
    kael_tensor *t = VECTOR(KAEL_F32, -3, 0, 3, NAN);
    kael_tensor *nan = VECTOR(KAEL_F32, NAN);
    kael_tensor *one = VECTOR(KAEL_F32, 1);
    EXPECT_RESULT(kael_clamp_scalar(&out, t, kael_scalar_int(-1), kael_scalar_float(1.5)), KAEL_F32,
                  -1, 0, 1.5, NAN);
    EXPECT_RESULT(kael_clamp_scalar(&out, t, kael_scalar_int(2), kael_scalar_int(-2)), KAEL_F32, -2,
                  -2, -2, NAN);
    EXPECT_RESULT(kael_clamp(&out, t, nan, one), KAEL_F32, NAN, NAN, NAN, NAN);
    EXPECT_RESULT(kael_clamp(&out, t, one, nan), KAEL_F32, NAN, NAN, NAN, NAN);
    ASSERT_OK(kael_clamp_scalar_in_place(t, kael_scalar_int(0), kael_scalar_int(1)));
    EXPECT_VECTOR(t, KAEL_F32, 0, 0, 1, NAN);
    RELEASE(t, nan, one);
}

/* ---- scalars ---- */

Test(OpsScalar, NumbersTakeTheDtypeOfTheTensor) {
    for (size_t d = 0; d < COUNT_OF(number_dtypes); ++d) {
        const kael_dtype dtype = number_dtypes[d];
        kael_tensor *t = VECTOR(dtype, 1, 2, 5);
        EXPECT_RESULT(kael_add_scalar(&out, t, kael_scalar_int(3)), dtype, 4, 5, 8);
        EXPECT_RESULT(kael_add_scalar(&out, t, kael_scalar_uint(3)), dtype, 4, 5, 8);
        EXPECT_RESULT(kael_add_scalar(&out, t, kael_scalar_bool(true)), dtype, 2, 3, 6);
        EXPECT_RESULT(kael_scalar_sub(&out, kael_scalar_int(7), t), dtype, 6, 5, 2);
        const kael_dtype with_float = dtype >= KAEL_F16 ? dtype : KAEL_F64;
        EXPECT_RESULT(kael_mul_scalar(&out, t, kael_scalar_float(0.5)), with_float, 0.5, 1, 2.5);
        EXPECT_RESULT(kael_scalar_div(&out, kael_scalar_int(1), t), with_float, 1, 0.5,
                      dtype == KAEL_F16    ? 0.199951171875
                      : dtype == KAEL_BF16 ? 0.2001953125
                      : dtype == KAEL_F32  ? (double)0.2F
                                           : 0.2);
        ASSERT_OK(kael_sub_scalar_in_place(t, kael_scalar_int(1)));
        EXPECT_VECTOR(t, dtype, 0, 1, 4);
        kael_tensor_release(t);
    }
    kael_tensor *b = VECTOR(KAEL_BOOL, 0, 1);
    EXPECT_RESULT(kael_add_scalar(&out, b, kael_scalar_int(3)), KAEL_I64, 3, 4);
    EXPECT_RESULT(kael_add_scalar(&out, b, kael_scalar_bool(true)), KAEL_BOOL, 1, 1);
    EXPECT_RESULT(kael_add_scalar(&out, b, kael_scalar_float(0.5)), KAEL_F64, 0.5, 1.5);
    kael_tensor_release(b);
}

Test(OpsScalar, IntegersOutOfRangeAreErrorsButForComparisons) {
    kael_tensor *u8 = VECTOR(KAEL_U8, 0, 255);
    kael_tensor *i8 = VECTOR(KAEL_I8, -128, 127);
    kael_tensor *i64 = VECTOR(KAEL_I64, -1, 1);
    kael_tensor *u64 = VECTOR(KAEL_U64, 0, 1);
    EXPECT_NO_RESULT(kael_add_scalar(&out, u8, kael_scalar_int(256)), KAEL_ERROR_VALUE,
                     "b is 256, which is not in the range of u8");
    EXPECT_NO_RESULT(kael_add_scalar(&out, u8, kael_scalar_int(-1)), KAEL_ERROR_VALUE, "b is -1");
    EXPECT_NO_RESULT(kael_scalar_sub(&out, kael_scalar_int(128), i8), KAEL_ERROR_VALUE,
                     "a is 128, which is not in the range of i8");
    EXPECT_NO_RESULT(kael_mul_scalar(&out, i64, kael_scalar_uint(UINT64_MAX)), KAEL_ERROR_VALUE,
                     "b is 18446744073709551615, which is not in the range of i64");
    EXPECT_NO_RESULT(kael_mul_scalar(&out, u64, kael_scalar_int(-1)), KAEL_ERROR_VALUE, "u64");
    EXPECT_RESULT(kael_lt_scalar(&out, u8, kael_scalar_int(300)), KAEL_BOOL, 1, 1);
    EXPECT_RESULT(kael_eq_scalar(&out, u8, kael_scalar_int(-1)), KAEL_BOOL, 0, 0);
    EXPECT_RESULT(kael_scalar_lt(&out, kael_scalar_int(-1), u64), KAEL_BOOL, 1, 1);
    EXPECT_RESULT(kael_gt_scalar(&out, i64, kael_scalar_uint(UINT64_MAX)), KAEL_BOOL, 0, 0);
    kael_scalar unknown = kael_scalar_int(1);
    unknown.kind = (kael_scalar_kind)7;
    EXPECT_NO_RESULT(kael_add_scalar(&out, u8, unknown), KAEL_ERROR_VALUE, "b has kind 7");
    RELEASE(u8, i8, i64, u64);
}

Test(OpsScalar, NumbersAreRoundedOnce) {
    kael_tensor *f16 = VECTOR(KAEL_F16, 0);
    kael_tensor *f32 = VECTOR(KAEL_F32, 0);
    EXPECT_RESULT(kael_add_scalar(&out, f16, kael_scalar_float(1e9)), KAEL_F16, INFINITY);
    EXPECT_RESULT(kael_add_scalar(&out, f16, kael_scalar_int(70000)), KAEL_F16, INFINITY);
    EXPECT_RESULT(kael_add_scalar(&out, f16, kael_scalar_int(2049)), KAEL_F16, 2048);
    EXPECT_RESULT(kael_add_scalar(&out, f32, kael_scalar_int(16777217)), KAEL_F32, 16777216);
    /* Just above the middle between two floats, and a double rounds it to the middle. */
    EXPECT_RESULT(
        kael_add_scalar(&out, f32, kael_scalar_int((INT64_C(1) << 60) + (INT64_C(1) << 36) + 1)),
        KAEL_F32, 0x1.000002p60);
    EXPECT_RESULT(kael_add_scalar(&out, f32, kael_scalar_float(0.1)), KAEL_F32, (double)0.1F);
    RELEASE(f16, f32);
}

/* ---- shapes, dtypes and arguments ---- */

Test(Ops, ResultsAreDenseInTheCommonOrder) {
    kael_tensor *a;
    kael_tensor *b;
    ASSERT_OK(kael_tensor_ones(&a, KAEL_F32, SHAPE(2, 3, 4)));
    ASSERT_OK(kael_tensor_ones(&b, KAEL_F32, SHAPE(4, 1)));
    const struct {
        int64_t dims[3];
        int64_t strides[3];
    } cases[] = {
        {{0, 1, 2}, {12, 4, 1}}, {{2, 1, 0}, {1, 4, 12}}, {{0, 2, 1}, {12, 1, 4}},
        {{1, 0, 2}, {4, 12, 1}}, {{1, 2, 0}, {4, 1, 12}}, {{2, 0, 1}, {1, 12, 4}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        kael_tensor *view;
        kael_tensor *out;
        ASSERT_OK(kael_tensor_permute(&view, a, cases[i].dims));
        ASSERT_OK(kael_add(&out, view, view));
        for (int d = 0; d < 3; ++d) {
            cr_expect_eq(kael_tensor_strides(out)[d], cases[i].strides[d], "case %zu", i);
        }
        cr_expect_eq(kael_tensor_is_contiguous(out), i == 0);
        kael_tensor *sum;
        ASSERT_OK(kael_neg(&sum, view));
        cr_expect_arr_eq(kael_tensor_strides(sum), kael_tensor_strides(out), sizeof(int64_t[3]));
        RELEASE(view, out, sum);
    }
    /* Backwards operands give forward results; gaps vanish; the first operand that knows decides.
     */
    kael_tensor *reversed;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_slice(&reversed, a, 2, 3, -1, -2));
    ASSERT_OK(kael_neg(&out, reversed));
    cr_expect_arr_eq(kael_tensor_strides(out), ((const int64_t[]){6, 2, 1}), sizeof(int64_t[3]));
    RELEASE(a, b, reversed, out);
}

Test(Ops, ShapesBroadcast) {
    const struct {
        int64_t a_ndim, a[3], b_ndim, b[3], ndim, shape[3];
    } cases[] = {
        {0, {0}, 2, {2, 3}, 2, {2, 3}},          {1, {3}, 2, {2, 1}, 2, {2, 3}},
        {3, {4, 1, 3}, 2, {2, 1}, 3, {4, 2, 3}}, {2, {0, 3}, 1, {1}, 2, {0, 3}},
        {2, {1, 3}, 2, {0, 1}, 2, {0, 3}},       {3, {1, 1, 1}, 1, {5}, 3, {1, 1, 5}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        kael_tensor *a;
        kael_tensor *b;
        kael_tensor *out;
        ASSERT_OK(kael_tensor_ones(&a, KAEL_I16, cases[i].a_ndim, cases[i].a));
        ASSERT_OK(kael_tensor_ones(&b, KAEL_I16, cases[i].b_ndim, cases[i].b));
        for (int swapped = 0; swapped < 2; ++swapped) {
            ASSERT_OK(swapped ? kael_add(&out, b, a) : kael_add(&out, a, b));
            cr_assert_eq(kael_tensor_ndim(out), cases[i].ndim);
            for (int64_t d = 0; d < cases[i].ndim; ++d) {
                cr_expect_eq(kael_tensor_shape(out)[d], cases[i].shape[d]);
            }
            for (int64_t k = 0; k < kael_tensor_numel(out); ++k) {
                cr_expect_eq(((int16_t *)out->data)[k], 2);
            }
            kael_tensor_release(out);
        }
        RELEASE(a, b);
    }
}

Test(Ops, IntoConvertsWithinAndUpwards) {
    kael_tensor *a = VECTOR(KAEL_F32, 1.5, 2.5);
    kael_tensor *i = VECTOR(KAEL_I16, 300, -2);
    kael_tensor *u = VECTOR(KAEL_U8, 200, 100);
    kael_tensor *f64 = VECTOR(KAEL_F64, 0, 0);
    kael_tensor *f16 = VECTOR(KAEL_F16, 0, 0);
    kael_tensor *i8 = VECTOR(KAEL_I8, 0, 0);
    kael_tensor *flag = VECTOR(KAEL_BOOL, 0, 0);
    ASSERT_OK(kael_add_into(f64, a, a));
    EXPECT_VECTOR(f64, KAEL_F64, 3, 5);
    ASSERT_OK(kael_add_into(f16, a, i));
    EXPECT_VECTOR(f16, KAEL_F16, 301.5, 0.5);
    ASSERT_OK(kael_add_into(i8, i, i));
    EXPECT_VECTOR(i8, KAEL_I8, 88, -4);
    ASSERT_OK(kael_add_into(i8, u, u));
    EXPECT_VECTOR(i8, KAEL_I8, -112, -56);
    ASSERT_OK(kael_lt_into(f16, u, i));
    EXPECT_VECTOR(f16, KAEL_F16, 1, 0);
    expect_error(kael_add_into(i8, a, a), KAEL_ERROR_DTYPE,
                 "out has dtype i8, which cannot take the f32 of add");
    expect_error(kael_add_into(u, i, i), KAEL_ERROR_DTYPE, "cannot take the i16");
    expect_error(kael_add_into(flag, u, u), KAEL_ERROR_DTYPE, "bool");
    EXPECT_VECTOR(u, KAEL_U8, 200, 100);
    RELEASE(a, i, u, f64, f16, i8, flag);
}

/* f16 + f16 is rounded to f16, also on its way to f64. */
Test(Ops, IntoRoundsToTheResultFirst) {
    const kael_dtype halves[] = {KAEL_F16, KAEL_BF16};
    for (size_t d = 0; d < COUNT_OF(halves); ++d) {
        kael_tensor *a = VECTOR(halves[d], 2048, 1);
        kael_tensor *b = VECTOR(halves[d], 1, 0.0009765625);
        kael_tensor *sum;
        kael_tensor *out = VECTOR(KAEL_F64, 0, 0);
        ASSERT_OK(kael_add(&sum, a, b));
        ASSERT_OK(kael_add_into(out, a, b));
        EXPECT_VECTOR(out, KAEL_F64, value_at(sum, 0), value_at(sum, 1));
        cr_expect_eq(value_at(out, 0), 2048);
        RELEASE(a, b, sum, out);
    }
}

Test(Ops, BadArgumentsAreNamed) {
    kael_tensor *a = VECTOR(KAEL_F32, 1, 2);
    kael_tensor *b = VECTOR(KAEL_F32, 1, 2, 3);
    kael_tensor *flags = VECTOR(KAEL_BOOL, 0, 1);
    EXPECT_NO_RESULT(kael_add(&out, NULL, a), KAEL_ERROR_VALUE, "a must not be NULL");
    EXPECT_NO_RESULT(kael_add(&out, a, NULL), KAEL_ERROR_VALUE, "b must not be NULL");
    EXPECT_NO_RESULT(kael_exp(&out, NULL), KAEL_ERROR_VALUE, "x must not be NULL");
    EXPECT_NO_RESULT(kael_fma(&out, a, a, NULL), KAEL_ERROR_VALUE, "c must not be NULL");
    EXPECT_NO_RESULT(kael_add_scalar(&out, NULL, kael_scalar_int(1)), KAEL_ERROR_VALUE, "a must");
    EXPECT_NO_RESULT(kael_scalar_add(&out, kael_scalar_int(1), NULL), KAEL_ERROR_VALUE, "b must");
    EXPECT_NO_RESULT(kael_add(&out, a, b), KAEL_ERROR_SHAPE,
                     "shapes (2) and (3) do not broadcast together");
    EXPECT_NO_RESULT(kael_sub(&out, flags, flags), KAEL_ERROR_DTYPE, "sub is not defined for bool");
    EXPECT_NO_RESULT(kael_neg(&out, flags), KAEL_ERROR_DTYPE, "neg is not defined for bool");
    EXPECT_NO_RESULT(kael_bitwise_and(&out, a, a), KAEL_ERROR_DTYPE,
                     "bitwise_and is not defined for f32");
    EXPECT_NO_RESULT(kael_where(&out, a, a, a), KAEL_ERROR_DTYPE,
                     "a of where must have dtype bool, got f32");
    expect_error(kael_add(NULL, a, a), KAEL_ERROR_VALUE, "out must not be NULL");
    expect_error(kael_add_into(NULL, a, a), KAEL_ERROR_VALUE, "out must not be NULL");
    expect_error(kael_add_in_place(NULL, a), KAEL_ERROR_VALUE, "a must not be NULL");
    expect_error(kael_exp_in_place(NULL), KAEL_ERROR_VALUE, "x must not be NULL");
    expect_error(kael_add_scalar(NULL, a, kael_scalar_int(1)), KAEL_ERROR_VALUE, "out must");
    expect_error(kael_add_into(b, a, a), KAEL_ERROR_SHAPE, "out must have shape (2), got (3)");
    expect_error(kael_copy_into(b, a), KAEL_ERROR_SHAPE, "shapes (3) and (2)");
    expect_error(kael_copy_into(b, NULL), KAEL_ERROR_VALUE, "x must not be NULL");
    EXPECT_VECTOR(a, KAEL_F32, 1, 2);
    RELEASE(a, b, flags);
}

/* ---- threads ---- */

/* Enough elements for several chunks, in layouts that the chunks cut through. */
Test(Ops, ResultsDoNotDependOnThreadCount) {
    enum { ROWS = 1031, COLUMNS = 1201 };
    const int64_t thread_counts[] = {2, 3, 5, 8};
    uint64_t seed = 1;
    const struct {
        kael_dtype a, b;
        ops_layout a_layout, b_layout;
    } cases[] = {
        {KAEL_F32, KAEL_F32, LAYOUT_ROW_MAJOR, LAYOUT_ROW_MAJOR},
        {KAEL_F32, KAEL_F32, LAYOUT_ROW_MAJOR, LAYOUT_TRANSPOSED},
        {KAEL_F32, KAEL_F32, LAYOUT_TRANSPOSED, LAYOUT_TRANSPOSED},
        {KAEL_F16, KAEL_F16, LAYOUT_ROW_MAJOR, LAYOUT_ROW},
        {KAEL_I8, KAEL_F32, LAYOUT_COLUMN, LAYOUT_REVERSED},
        {KAEL_I64, KAEL_U8, LAYOUT_NUMBER, LAYOUT_STEPS},
        {KAEL_F64, KAEL_F64, LAYOUT_WINDOW, LAYOUT_NUMBER},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        kael_tensor *a = ops_tensor(cases[i].a, cases[i].a_layout, ROWS, COLUMNS, &seed);
        kael_tensor *b = ops_tensor(cases[i].b, cases[i].b_layout, ROWS, COLUMNS, &seed);
        kael_tensor *expected[2];
        ASSERT_OK(kael_set_num_threads(1));
        ASSERT_OK(kael_mul(&expected[0], a, b));
        ASSERT_OK(kael_exp(&expected[1], expected[0]));
        for (size_t t = 0; t < COUNT_OF(thread_counts); ++t) {
            kael_tensor *out[2];
            ASSERT_OK(kael_set_num_threads(thread_counts[t]));
            ASSERT_OK(kael_mul(&out[0], a, b));
            ASSERT_OK(kael_exp(&out[1], out[0]));
            for (int k = 0; k < 2; ++k) {
                cr_expect_eq(memcmp(out[k]->data, expected[k]->data,
                                    (size_t)kael_tensor_storage_bytes(out[k])),
                             0, "case %zu, %" PRId64 " threads", i, thread_counts[t]);
            }
            RELEASE(out[0], out[1]);
        }
        RELEASE(a, b, expected[0], expected[1]);
    }
}

/* Outputs too large for the caches are written past them: their rows have the bits that they have
 * alone. `offset` moves the output away from whole cache lines. */
static void check_large(kael_dtype a_dtype, kael_dtype b_dtype, ops_layout b_layout,
                        int64_t offset) {
    enum { ROWS = 3100, COLUMNS = 1501, BLOCK = 155 };
    uint64_t seed = 7;
    kael_dtype dtype;
    ASSERT_OK(kael_promote_dtypes(&dtype, a_dtype, b_dtype));
    kael_tensor *a = ops_tensor(a_dtype, LAYOUT_ROW_MAJOR, ROWS, COLUMNS, &seed);
    kael_tensor *b = ops_tensor(b_dtype, b_layout, ROWS, COLUMNS, &seed);
    kael_tensor *room;
    ASSERT_OK(kael_tensor_zeros(&room, dtype, SHAPE(ROWS * COLUMNS + 2 * offset)));
    kael_tensor *out = view_of(room, SHAPE(ROWS, COLUMNS), (const int64_t[]){COLUMNS, 1}, offset);
    ASSERT_OK(kael_sub_into(out, a, b));
    for (int64_t row = 0; row < ROWS; row += BLOCK) {
        kael_tensor *a_rows;
        kael_tensor *b_rows;
        kael_tensor *expected;
        ASSERT_OK(kael_tensor_narrow(&a_rows, a, 0, row, BLOCK));
        const bool has_rows = kael_tensor_ndim(b) == 2;
        ASSERT_OK(has_rows ? kael_tensor_narrow(&b_rows, b, 0, row, BLOCK)
                           : kael_tensor_detach(&b_rows, b));
        ASSERT_OK(kael_sub(&expected, a_rows, b_rows));
        const char *actual = ops_element_at(out, row, 0);
        cr_expect_eq(memcmp(actual, expected->data, (size_t)kael_tensor_storage_bytes(expected)), 0,
                     "%s - %s, row %" PRId64, kael_dtype_name(a_dtype), kael_dtype_name(b_dtype),
                     row);
        RELEASE(a_rows, b_rows, expected);
    }
    RELEASE(a, b, room, out);
}

Test(Ops, LargeOutputsHaveTheSameBits) {
    for (int64_t threads = 1; threads <= 3; threads += 2) {
        ASSERT_OK(kael_set_num_threads(threads));
        check_large(KAEL_F32, KAEL_F32, LAYOUT_ROW_MAJOR, 0);
        check_large(KAEL_F32, KAEL_F32, LAYOUT_ROW, 3);
        check_large(KAEL_F64, KAEL_F64, LAYOUT_NUMBER, 1);
        check_large(KAEL_F32, KAEL_F64, LAYOUT_ROW_MAJOR, 5);
    }
}
