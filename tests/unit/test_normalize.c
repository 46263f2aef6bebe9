/* Layer and RMS normalisation against their definitions, and their gradients. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/kael.h"
#include "layouts.h"
#include "oracle/normalize_oracle.h"

TestSuite(Normalize, .timeout = 120);
TestSuite(FusedKernels, .timeout = 60);

static const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};

/* Finite values around `center`. */
static kael_tensor *finite_values(kael_dtype dtype, int64_t ndim, const int64_t *shape,
                                  double center, uint64_t seed) {
    kael_tensor *doubles;
    kael_tensor *made;
    ASSERT_OK(kael_tensor_empty(&doubles, KAEL_F64, ndim, shape));
    double *values = kael_tensor_data(doubles);
    for (int64_t i = 0; i < kael_tensor_numel(doubles); ++i) {
        values[i] = center + ((double)(test_random(seed, (uint64_t)i) % 20001) - 10000) / 3000;
    }
    ASSERT_OK(kael_tensor_to_dtype(&made, doubles, dtype));
    kael_tensor_release(doubles);
    return made;
}

static kael_tensor *as_doubles(const kael_tensor *tensor) {
    kael_tensor *made;
    ASSERT_OK(kael_tensor_to_dtype(&made, tensor, KAEL_F64));
    return made;
}

static const double *elements(const kael_tensor *tensor) {
    return tensor == NULL ? NULL : kael_tensor_data(tensor);
}

typedef struct setting {
    bool is_centered;
    int64_t dims;
    double eps;
    const kael_tensor *weight;
    const kael_tensor *bias;
} setting;

static kael_status normalize(kael_tensor **out, const kael_tensor *tensor, const setting *how) {
    return how->is_centered
               ? kael_layer_norm(out, tensor, how->dims, how->weight, how->bias, how->eps)
               : kael_rms_norm(out, tensor, how->dims, how->weight, how->eps);
}

static kael_status normalize_into(kael_tensor *out, const kael_tensor *tensor, const setting *how) {
    return how->is_centered
               ? kael_layer_norm_into(out, tensor, how->dims, how->weight, how->bias, how->eps)
               : kael_rms_norm_into(out, tensor, how->dims, how->weight, how->eps);
}

/* The result of a row-major tensor, or with `gradient` its gradient, by the definition. */
static kael_tensor *expected_of(const kael_tensor *tensor, const setting *how,
                                const kael_tensor *gradient) {
    kael_tensor *x = as_doubles(tensor);
    kael_tensor *weight = how->weight == NULL ? NULL : as_doubles(how->weight);
    kael_tensor *bias = how->bias == NULL ? NULL : as_doubles(how->bias);
    kael_tensor *dy = gradient == NULL ? NULL : as_doubles(gradient);
    kael_tensor *results;
    ASSERT_OK(kael_tensor_empty(&results, KAEL_F64, kael_tensor_ndim(x), kael_tensor_shape(x)));
    int64_t count = 1;
    for (int64_t d = kael_tensor_ndim(x) - how->dims; d < kael_tensor_ndim(x); ++d) {
        count *= kael_tensor_shape(x)[d];
    }
    for (int64_t first = 0; first < kael_tensor_numel(x); first += count) {
        const normalize_row row = {
            .is_f32 = kael_tensor_dtype(tensor) != KAEL_F64,
            .is_centered = how->is_centered,
            .eps = how->eps,
            .count = count,
            .x = elements(x) + first,
            .weight = elements(weight),
            .bias = elements(bias),
        };
        double *out = (double *)kael_tensor_data(results) + first;
        if (dy == NULL) {
            oracle_normalize(&row, out);
        } else {
            oracle_normalize_backward(&row, elements(dy) + first, out);
        }
    }
    kael_tensor *rounded;
    ASSERT_OK(kael_tensor_to_dtype(&rounded, results, kael_tensor_dtype(tensor)));
    kael_tensor *const used[] = {x, weight, bias, dy, results};
    for (size_t i = 0; i < COUNT_OF(used); ++i) {
        kael_tensor_release(used[i]);
    }
    return rounded;
}

/* A leaf's gradient from that of the result. */
static kael_tensor *gradient_of(kael_tensor *leaf, const setting *how, const kael_tensor *dy) {
    kael_tensor *result;
    kael_tensor *gradient;
    ASSERT_OK(kael_tensor_set_requires_grad(leaf, true));
    ASSERT_OK(normalize(&result, leaf, how));
    ASSERT_OK(kael_backward_from(result, dy, false));
    ASSERT_OK(kael_tensor_grad(&gradient, leaf));
    ASSERT_OK(kael_tensor_set_requires_grad(leaf, false));
    kael_tensor_release(result);
    return gradient;
}

static void check_layouts(const kael_tensor *tensor, const setting *how, const char *what) {
    kael_tensor *dy = finite_values(kael_tensor_dtype(tensor), kael_tensor_ndim(tensor),
                                    kael_tensor_shape(tensor), 0, 77);
    kael_tensor *expected = expected_of(tensor, how, NULL);
    kael_tensor *expected_gradient = expected_of(tensor, how, dy);
    for (test_layout layout = ROW_MAJOR; layout < TEST_LAYOUTS; ++layout) {
        kael_tensor *in = test_relayout(tensor, layout);
        kael_tensor *upstream = test_relayout(dy, layout);
        kael_tensor *out;
        ASSERT_OK(normalize(&out, in, how));
        test_same(out, expected, what);
        kael_tensor *gradient = gradient_of(in, how, upstream);
        test_same(gradient, expected_gradient, what);
        ASSERT_OK(normalize_into(in, in, how));
        test_same(in, expected, what);
        kael_tensor *const used[] = {in, upstream, out, gradient};
        for (size_t i = 0; i < COUNT_OF(used); ++i) {
            kael_tensor_release(used[i]);
        }
    }
    kael_tensor_release(expected_gradient);
    kael_tensor_release(expected);
    kael_tensor_release(dy);
}

static void check_affine(const kael_tensor *tensor, int64_t dims, const char *what) {
    const int64_t *row = kael_tensor_shape(tensor) + kael_tensor_ndim(tensor) - dims;
    kael_tensor *weight = finite_values(kael_tensor_dtype(tensor), dims, row, 1, 5);
    kael_tensor *bias = finite_values(kael_tensor_dtype(tensor), dims, row, 0, 6);
    for (int with = 0; with < 4; ++with) {
        setting how = {true, dims, 1e-5, with & 1 ? weight : NULL, with & 2 ? bias : NULL};
        check_layouts(tensor, &how, what);
        if (how.bias == NULL) {
            how.is_centered = false;
            check_layouts(tensor, &how, what);
        }
    }
    kael_tensor_release(weight);
    kael_tensor_release(bias);
}

Test(Normalize, has_the_bits_of_its_definition) {
    static const struct {
        int64_t ndim;
        int64_t shape[4];
        int64_t dims;
    } cases[] = {
        {1, {1}, 1},        {1, {9}, 1},        {2, {3, 7}, 1},       {2, {4, 8}, 1},
        {2, {11, 65}, 1},   {2, {5, 1}, 1},     {3, {2, 3, 5}, 2},    {3, {5, 3, 4}, 3},
        {2, {1, 16385}, 1}, {2, {6, 33000}, 1}, {4, {2, 3, 2, 9}, 2},
    };
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        for (size_t i = 0; i < COUNT_OF(cases); ++i) {
            kael_tensor *tensor =
                finite_values(dtypes[d], cases[i].ndim, cases[i].shape, 3, i + 100 * d);
            char what[80];
            snprintf(what, sizeof what, "case %zu, dtype %d", i, (int)dtypes[d]);
            check_affine(tensor, cases[i].dims, what);
            kael_tensor_release(tensor);
        }
    }
}

Test(Normalize, does_not_depend_on_threads_or_other_rows) {
    const int64_t shape[] = {1403, 257};
    kael_tensor *tensor = finite_values(KAEL_F32, 2, shape, -2, 9);
    kael_tensor *alone;
    ASSERT_OK(kael_set_num_threads(1));
    ASSERT_OK(kael_standardize(&alone, tensor, 1, 1e-5));
    for (int threads = 2; threads <= 8; threads += 3) {
        kael_tensor *out;
        ASSERT_OK(kael_set_num_threads(threads));
        ASSERT_OK(kael_standardize(&out, tensor, 1, 1e-5));
        test_same(out, alone, "threads");
        kael_tensor_release(out);
    }
    for (int64_t row = 0; row < shape[0]; row += 201) {
        kael_tensor *one;
        kael_tensor *out;
        kael_tensor *expected;
        ASSERT_OK(kael_tensor_select(&one, tensor, 0, row));
        ASSERT_OK(kael_standardize(&out, one, 1, 1e-5));
        ASSERT_OK(kael_tensor_select(&expected, alone, 0, row));
        test_same(out, expected, "one row");
        kael_tensor_release(one);
        kael_tensor_release(out);
        kael_tensor_release(expected);
    }
    kael_tensor_release(alone);
    kael_tensor_release(tensor);
}

static double element(const kael_tensor *tensor, int64_t index) {
    kael_tensor *doubles = as_doubles(tensor);
    const double value = elements(doubles)[index];
    kael_tensor_release(doubles);
    return value;
}

Test(FusedKernels, StandardizeTrace) {
    const float row[] = {1, 2, 3, 4};
    const double expected[] = {-1.341635, -0.447212, 0.447212, 1.341635};
    kael_tensor *tensor;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_from_data(&tensor, KAEL_F32, SHAPE(4), row));
    ASSERT_OK(kael_standardize(&out, tensor, 1, 1e-5));
    for (int64_t i = 0; i < 4; ++i) {
        cr_assert_float_eq(element(out, i), expected[i], 5e-7);
    }
    kael_tensor_release(out);
    kael_tensor_release(tensor);
}

/* Squares of large numbers do not cancel. */
Test(Normalize, K03_rows_of_large_and_of_equal_numbers) {
    const float large[] = {60000, 60001, 60002, 60003};
    const double expected[] = {-1.341635, -0.447212, 0.447212, 1.341635};
    kael_tensor *tensor;
    kael_tensor *one;
    kael_tensor *zero;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_from_data(&tensor, KAEL_F32, SHAPE(4), large));
    ASSERT_OK(kael_tensor_ones(&one, KAEL_F32, SHAPE(4)));
    ASSERT_OK(kael_tensor_zeros(&zero, KAEL_F32, SHAPE(4)));
    ASSERT_OK(kael_layer_norm(&out, tensor, 1, one, zero, 1e-5));
    for (int64_t i = 0; i < 4; ++i) {
        cr_assert_float_eq(element(out, i), expected[i], 5e-7);
    }
    kael_tensor_release(out);
    kael_tensor_release(zero);
    kael_tensor_release(one);
    kael_tensor_release(tensor);
    static const struct {
        int64_t count;
        double value;
        double eps;
    } equal[] = {{300, (double)1000.1F, 1e-5}, {2, 14, 1e-6}};
    for (size_t i = 0; i < COUNT_OF(equal); ++i) {
        ASSERT_OK(kael_tensor_full(&tensor, KAEL_F32, SHAPE(equal[i].count), equal[i].value));
        ASSERT_OK(kael_layer_norm(&out, tensor, 1, NULL, NULL, equal[i].eps));
        for (int64_t j = 0; j < equal[i].count; ++j) {
            cr_assert_eq(element(out, j), 0);
        }
        kael_tensor_release(out);
        kael_tensor_release(tensor);
    }
}

/* As (x - mean) / sqrt(var + eps) in double. */
Test(FusedKernels, StandardizeOfNonFiniteRows) {
    const double rows[][4] = {
        {1, NAN, 2, 3}, {1, INFINITY, 2, 3}, {1, -INFINITY, INFINITY, 3}, {1, 2, 3, 4}};
    kael_tensor *tensor;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_from_data(&tensor, KAEL_F64, SHAPE(4, 4), rows));
    ASSERT_OK(kael_standardize(&out, tensor, 1, 1e-5));
    for (int64_t i = 0; i < 12; ++i) {
        cr_assert(isnan(element(out, i)), "element %d is %g", (int)i, element(out, i));
    }
    cr_assert_float_eq(element(out, 15), 1.341635, 5e-7);
    kael_tensor_release(out);
    ASSERT_OK(kael_rms_norm(&out, tensor, 1, NULL, 1e-5));
    cr_assert(isnan(element(out, 0)));
    cr_assert(element(out, 4) == 0 && isnan(element(out, 5)) && element(out, 6) == 0);
    kael_tensor_release(out);
    kael_tensor_release(tensor);
}

static kael_status checked_layer_norm(kael_tensor **out, const kael_tensor *const *inputs,
                                      void *context) {
    (void)context;
    return kael_layer_norm(out, inputs[0], 2, inputs[1], inputs[2], 1e-3);
}

static kael_status checked_rms_norm(kael_tensor **out, const kael_tensor *const *inputs,
                                    void *context) {
    (void)context;
    return kael_rms_norm(out, inputs[0], 2, inputs[1], 1e-3);
}

static kael_status checked_bias_alone(kael_tensor **out, const kael_tensor *const *inputs,
                                      void *context) {
    (void)context;
    return kael_layer_norm(out, inputs[0], 2, NULL, inputs[2], 1e-3);
}

Test(FusedKernels, StandardizeGradcheck) {
    kael_tensor *inputs[] = {
        finite_values(KAEL_F64, SHAPE(3, 2, 5), 1, 1),
        finite_values(KAEL_F64, SHAPE(2, 5), 1, 2),
        finite_values(KAEL_F64, SHAPE(2, 5), 0, 3),
    };
    for (size_t i = 0; i < COUNT_OF(inputs); ++i) {
        ASSERT_OK(kael_tensor_set_requires_grad(inputs[i], true));
    }
    const kael_tensor *const all[] = {inputs[0], inputs[1], inputs[2]};
    ASSERT_OK(kael_gradcheck(checked_layer_norm, NULL, 3, all, 1e-6, 1e-6, 1e-6));
    ASSERT_OK(kael_gradcheck(checked_rms_norm, NULL, 2, all, 1e-6, 1e-6, 1e-6));
    ASSERT_OK(kael_tensor_set_requires_grad(inputs[1], false));
    ASSERT_OK(kael_gradcheck(checked_bias_alone, NULL, 3, all, 1e-6, 1e-6, 1e-6));
    for (size_t i = 0; i < COUNT_OF(inputs); ++i) {
        kael_tensor_release(inputs[i]);
    }
}

/* Gradients of weights are sums over rows of gradient * h. */
Test(Normalize, gradients_of_weights_are_sums_over_rows) {
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        kael_tensor *x = finite_values(dtypes[d], SHAPE(30, 17), 2, 11);
        kael_tensor *dy = finite_values(dtypes[d], SHAPE(30, 17), 0, 12);
        kael_tensor *weight = finite_values(dtypes[d], SHAPE(17), 1, 13);
        kael_tensor *bias = finite_values(dtypes[d], SHAPE(17), 0, 14);
        ASSERT_OK(kael_tensor_set_requires_grad(weight, true));
        ASSERT_OK(kael_tensor_set_requires_grad(bias, true));
        kael_tensor *out;
        ASSERT_OK(kael_layer_norm(&out, x, 1, weight, bias, 1e-5));
        ASSERT_OK(kael_backward_from(out, dy, false));
        kael_tensor *of_weight;
        kael_tensor *of_bias;
        ASSERT_OK(kael_tensor_grad(&of_weight, weight));
        ASSERT_OK(kael_tensor_grad(&of_bias, bias));
        const kael_dtype wide = dtypes[d] == KAEL_F64 ? KAEL_F64 : KAEL_F32;
        kael_tensor *wide_x;
        kael_tensor *h;
        kael_tensor *product;
        kael_tensor *sum;
        kael_tensor *expected;
        ASSERT_OK(kael_tensor_to_dtype(&wide_x, x, wide));
        ASSERT_OK(kael_standardize(&h, wide_x, 1, 1e-5));
        ASSERT_OK(kael_mul(&product, dy, h));
        ASSERT_OK(kael_sum(&sum, product, 1, (const int64_t[]){0}, false));
        ASSERT_OK(kael_tensor_to_dtype(&expected, sum, dtypes[d]));
        test_same(of_weight, expected, "weight");
        kael_tensor_release(sum);
        kael_tensor_release(expected);
        ASSERT_OK(kael_sum(&expected, dy, 1, (const int64_t[]){0}, false));
        test_same(of_bias, expected, "bias");
        kael_tensor *const used[] = {x,       dy,     weight, bias,    out,     of_weight,
                                     of_bias, wide_x, h,      product, expected};
        for (size_t i = 0; i < COUNT_OF(used); ++i) {
            kael_tensor_release(used[i]);
        }
    }
}

Test(Normalize, bad_input_is_an_error) {
    kael_tensor *x = finite_values(KAEL_F32, SHAPE(2, 3), 0, 1);
    kael_tensor *narrow = finite_values(KAEL_F32, SHAPE(2), 0, 1);
    kael_tensor *doubles = finite_values(KAEL_F64, SHAPE(3), 0, 1);
    kael_tensor *whole;
    kael_tensor *out = x;
    ASSERT_OK(kael_tensor_ones(&whole, KAEL_I32, SHAPE(2, 3)));
    test_error(kael_standardize(&out, x, 0, 1e-5), KAEL_ERROR_VALUE, "got 0");
    cr_assert_null(out);
    test_error(kael_standardize(&out, x, 3, 1e-5), KAEL_ERROR_VALUE, "got 3");
    test_error(kael_standardize(&out, x, 1, 0), KAEL_ERROR_VALUE, "eps must be positive");
    test_error(kael_standardize(&out, x, 1, -1), KAEL_ERROR_VALUE, "got -1");
    test_error(kael_standardize(&out, x, 1, NAN), KAEL_ERROR_VALUE, "eps");
    test_error(kael_standardize(&out, x, 1, INFINITY), KAEL_ERROR_VALUE, "eps");
    test_error(kael_standardize(&out, whole, 1, 1e-5), KAEL_ERROR_DTYPE, "floating");
    test_error(kael_standardize(&out, NULL, 1, 1e-5), KAEL_ERROR_VALUE, "tensor");
    test_error(kael_standardize(NULL, x, 1, 1e-5), KAEL_ERROR_VALUE, "out");
    test_error(kael_layer_norm(&out, x, 1, narrow, NULL, 1e-5), KAEL_ERROR_SHAPE, "weight");
    test_error(kael_layer_norm(&out, x, 1, NULL, doubles, 1e-5), KAEL_ERROR_DTYPE, "bias");
    test_error(kael_rms_norm_into(narrow, x, 1, NULL, 1e-5), KAEL_ERROR_SHAPE, "out");
    kael_tensor_release(whole);
    kael_tensor_release(doubles);
    kael_tensor_release(narrow);
    kael_tensor_release(x);
}

Test(Normalize, empty_tensors) {
    kael_tensor *x;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_empty(&x, KAEL_F32, SHAPE(0, 3)));
    ASSERT_OK(kael_standardize(&out, x, 1, 1e-5));
    cr_assert_eq(kael_tensor_numel(out), 0);
    kael_tensor_release(out);
    kael_tensor_release(x);
    ASSERT_OK(kael_tensor_empty(&x, KAEL_F32, SHAPE(3, 0)));
    ASSERT_OK(kael_rms_norm(&out, x, 1, NULL, 1e-5));
    cr_assert_eq(kael_tensor_shape(out)[0], 3);
    kael_tensor_release(out);
    kael_tensor_release(x);
}
