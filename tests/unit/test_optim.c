/* Optimisers, initialisers, and the linear layer in any layout. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "kael/kael.h"
#include "layouts.h"
#include "oracle/nn_oracle.h"

TestSuite(Optim, .timeout = 60);
TestSuite(Init, .timeout = 60);
TestSuite(LinearLayouts, .timeout = 60);

enum { COUNT = 37, STEPS = 5 };

static double value_at(uint64_t seed, int64_t i) {
    return ((double)(test_random(seed, (uint64_t)i) % 2001) - 1000) / 500;
}

static kael_tensor *vector_of(kael_dtype dtype, uint64_t seed) {
    double values[COUNT];
    for (int64_t i = 0; i < COUNT; ++i) {
        values[i] = value_at(seed, i);
    }
    kael_tensor *doubles;
    kael_tensor *made;
    ASSERT_OK(kael_tensor_from_data(&doubles, KAEL_F64, SHAPE(COUNT), values));
    ASSERT_OK(kael_tensor_to_dtype(&made, doubles, dtype));
    kael_tensor_release(doubles);
    return made;
}

static kael_tensor *leaf_of(kael_dtype dtype, uint64_t seed) {
    kael_tensor *made = vector_of(dtype, seed);
    ASSERT_OK(kael_tensor_set_requires_grad(made, true));
    return made;
}

/* Makes the gradient of a leaf this tensor. */
static void set_gradient(kael_tensor *leaf, const kael_tensor *gradient) {
    kael_tensor *product;
    kael_tensor *sum;
    ASSERT_OK(kael_tensor_zero_grad(leaf));
    ASSERT_OK(kael_mul(&product, leaf, gradient));
    ASSERT_OK(kael_sum(&sum, product, 0, NULL, false));
    ASSERT_OK(kael_backward(sum));
    kael_tensor_release(product);
    kael_tensor_release(sum);
}

static const kael_sgd_options sgd_cases[] = {
    {0.1, 0, 0, false}, {0.1, 0.9, 0, false}, {0.05, 0.9, 0.01, false}, {0.05, 0.9, 0.01, true}};
static const kael_adam_options adam_cases[] = {{1e-2, 0.9, 0.999, 1e-8, 0, false},
                                               {1e-2, 0.9, 0.99, 1e-6, 0.1, false},
                                               {1e-2, 0.8, 0.999, 1e-8, 0.1, true}};

typedef struct trial {
    kael_dtype dtype;
    const kael_sgd_options *sgd; /* or */
    const kael_adam_options *adam;
} trial;

/* Some steps of the library and of the definition; f16 is computed like f32. */
static void check(const trial *t) {
    kael_tensor *leaf = leaf_of(t->dtype, 1);
    const kael_dtype wide = t->dtype == KAEL_F64 ? KAEL_F64 : KAEL_F32;
    kael_optimizer *optimizer;
    ASSERT_OK(t->sgd != NULL ? kael_sgd_create(&optimizer, 1, &leaf, t->sgd)
                             : kael_adam_create(&optimizer, 1, &leaf, t->adam));
    kael_tensor *expected = vector_of(t->dtype, 1);
    kael_tensor *first;
    kael_tensor *second;
    ASSERT_OK(kael_tensor_zeros(&first, wide, SHAPE(COUNT)));
    ASSERT_OK(kael_tensor_zeros(&second, wide, SHAPE(COUNT)));
    for (int step = 1; step <= STEPS; ++step) {
        kael_tensor *gradient = vector_of(t->dtype, (uint64_t)step + 10);
        kael_tensor *g;
        kael_tensor *p;
        set_gradient(leaf, gradient);
        ASSERT_OK(kael_optimizer_step(optimizer));
        ASSERT_OK(kael_tensor_to_dtype(&g, gradient, wide));
        ASSERT_OK(kael_tensor_to_dtype(&p, expected, wide));
        if (p == expected) {
            kael_tensor_release(p);
            ASSERT_OK(kael_tensor_clone(&p, expected));
        }
        void *const m = kael_tensor_data(first);
        void *const v = kael_tensor_data(second);
        const matmul_type type = wide == KAEL_F32 ? MATMUL_F32 : MATMUL_F64;
        if (t->sgd != NULL) {
            oracle_sgd(type, COUNT, t->sgd, kael_tensor_data(g), m, kael_tensor_data(p));
        } else {
            oracle_adam(type, COUNT, t->adam, step, kael_tensor_data(g), m, v, kael_tensor_data(p));
        }
        kael_tensor_release(expected);
        ASSERT_OK(kael_tensor_to_dtype(&expected, p, t->dtype));
        kael_tensor *plain;
        ASSERT_OK(kael_tensor_detach(&plain, leaf));
        test_same(plain, expected, t->sgd != NULL ? "sgd" : "adam");
        kael_tensor *const used[] = {gradient, g, p, plain};
        for (size_t i = 0; i < COUNT_OF(used); ++i) {
            kael_tensor_release(used[i]);
        }
    }
    kael_optimizer_release(optimizer);
    kael_tensor *const used[] = {leaf, expected, first, second};
    for (size_t i = 0; i < COUNT_OF(used); ++i) {
        kael_tensor_release(used[i]);
    }
}

Test(Optim, steps_have_the_bits_of_their_definition) {
    static const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        for (size_t i = 0; i < COUNT_OF(sgd_cases); ++i) {
            check(&(trial){dtypes[d], &sgd_cases[i], NULL});
        }
        for (size_t i = 0; i < COUNT_OF(adam_cases); ++i) {
            check(&(trial){dtypes[d], NULL, &adam_cases[i]});
        }
    }
}

/* Of f(p) = (p - 3)^2, from 0: Adam's first step is the learning rate in size, and it arrives. */
Test(Optim, AdamFindsAMinimum) {
    kael_tensor *p;
    kael_optimizer *optimizer;
    ASSERT_OK(kael_tensor_zeros(&p, KAEL_F64, 0, NULL));
    ASSERT_OK(kael_tensor_set_requires_grad(p, true));
    ASSERT_OK(
        kael_adam_create(&optimizer, 1, &p, &(kael_adam_options){0.1, 0.9, 0.999, 1e-8, 0, false}));
    for (int step = 0; step < 500; ++step) {
        kael_tensor *difference;
        kael_tensor *loss;
        ASSERT_OK(kael_sub_scalar(&difference, p, kael_scalar_float(3)));
        ASSERT_OK(kael_sqr(&loss, difference));
        ASSERT_OK(kael_optimizer_zero_grad(optimizer));
        ASSERT_OK(kael_backward(loss));
        ASSERT_OK(kael_optimizer_step(optimizer));
        kael_tensor_release(difference);
        kael_tensor_release(loss);
        if (step == 0) {
            cr_assert_float_eq(*(double *)kael_tensor_data(p), 0.1, 1e-9);
        }
    }
    cr_assert_float_eq(*(double *)kael_tensor_data(p), 3, 1e-3);
    kael_optimizer_release(optimizer);
    kael_tensor_release(p);
}

Test(Optim, layouts_and_threads_do_not_matter) {
    const int64_t shape[] = {301, 407};
    kael_tensor *results[3];
    for (int round = 0; round < 3; ++round) {
        ASSERT_OK(kael_set_num_threads(1 + 2 * round));
        kael_tensor *start;
        kael_tensor *gradient;
        kael_generator *generator;
        ASSERT_OK(kael_generator_create(&generator, 4));
        ASSERT_OK(kael_random_normal(&start, generator, KAEL_F32, 2, shape, 0, 1));
        ASSERT_OK(kael_random_normal(&gradient, generator, KAEL_F32, 2, shape, 0, 1));
        kael_tensor *leaf = test_relayout(start, (test_layout)round);
        ASSERT_OK(kael_tensor_set_requires_grad(leaf, true));
        set_gradient(leaf, gradient);
        kael_optimizer *optimizer;
        ASSERT_OK(kael_adam_create(&optimizer, 1, &leaf, &adam_cases[1]));
        ASSERT_OK(kael_optimizer_step(optimizer));
        ASSERT_OK(kael_optimizer_step(optimizer));
        ASSERT_OK(kael_tensor_detach(&results[round], leaf));
        test_same(results[round], results[0], "layouts");
        kael_optimizer_release(optimizer);
        kael_generator_release(generator);
        kael_tensor_release(leaf);
        kael_tensor_release(start);
        kael_tensor_release(gradient);
    }
    for (int round = 0; round < 3; ++round) {
        kael_tensor_release(results[round]);
    }
}

/* A parameter without a gradient stays; a saved one that was moved is noticed. */
Test(Optim, moves_only_what_has_a_gradient_and_is_noticed) {
    kael_tensor *leaves[] = {leaf_of(KAEL_F32, 1), leaf_of(KAEL_F32, 2)};
    kael_tensor *gradient = vector_of(KAEL_F32, 3);
    kael_tensor *before = vector_of(KAEL_F32, 2);
    kael_optimizer *optimizer;
    ASSERT_OK(kael_sgd_create(&optimizer, 2, leaves, &sgd_cases[1]));
    set_gradient(leaves[0], gradient);
    kael_tensor *square;
    kael_tensor *sum;
    ASSERT_OK(kael_sqr(&square, leaves[0]));
    ASSERT_OK(kael_sum(&sum, square, 0, NULL, false));
    ASSERT_OK(kael_optimizer_step(optimizer));
    kael_tensor *plain;
    ASSERT_OK(kael_tensor_detach(&plain, leaves[1]));
    test_same(plain, before, "without a gradient");
    test_error(kael_backward(sum), KAEL_ERROR_STATE, "");
    kael_optimizer_release(optimizer);
    kael_tensor *const used[] = {leaves[0], leaves[1], gradient, before, square, sum, plain};
    for (size_t i = 0; i < COUNT_OF(used); ++i) {
        kael_tensor_release(used[i]);
    }
}

Test(Optim, bad_input_is_an_error) {
    kael_tensor *leaf = leaf_of(KAEL_F32, 1);
    kael_tensor *plain = vector_of(KAEL_F32, 1);
    kael_optimizer *out;
    kael_tensor *const twice[] = {leaf, leaf};
    kael_tensor *const none[] = {NULL};
    const kael_sgd_options sgd = sgd_cases[1];
    test_error(kael_sgd_create(NULL, 1, &leaf, &sgd), KAEL_ERROR_VALUE, "out");
    test_error(kael_sgd_create(&out, 1, &leaf, NULL), KAEL_ERROR_VALUE, "options");
    test_error(kael_sgd_create(&out, 1, NULL, &sgd), KAEL_ERROR_VALUE, "parameters");
    test_error(kael_sgd_create(&out, -1, &leaf, &sgd), KAEL_ERROR_VALUE, "got -1");
    test_error(kael_sgd_create(&out, 1, none, &sgd), KAEL_ERROR_VALUE, "parameter 0");
    test_error(kael_sgd_create(&out, 2, twice, &sgd), KAEL_ERROR_VALUE, "share elements");
    test_error(kael_sgd_create(&out, 1, &plain, &sgd), KAEL_ERROR_STATE, "leaf");
    cr_assert_null(out);
    static const kael_sgd_options bad_sgd[] = {
        {-1, 0, 0, false},   {NAN, 0, 0, false}, {INFINITY, 0, 0, false}, {1, 1, 0, false},
        {1, -0.1, 0, false}, {1, 0, -1, false},  {1, 0, 0, true}};
    for (size_t i = 0; i < COUNT_OF(bad_sgd); ++i) {
        test_error(kael_sgd_create(&out, 1, &leaf, &bad_sgd[i]), KAEL_ERROR_VALUE, "got");
    }
    static const kael_adam_options bad_adam[] = {{1, 1, 0.9, 1e-8, 0, false},
                                                 {1, 0.9, 1, 1e-8, 0, false},
                                                 {1, 0.9, 0.9, 0, 0, false},
                                                 {1, 0.9, 0.9, 1e-8, NAN, false}};
    for (size_t i = 0; i < COUNT_OF(bad_adam); ++i) {
        test_error(kael_adam_create(&out, 1, &leaf, &bad_adam[i]), KAEL_ERROR_VALUE, "got");
    }
    kael_tensor *view;
    ASSERT_OK(kael_tensor_detach(&view, leaf));
    ASSERT_OK(kael_tensor_set_requires_grad(view, true));
    test_error(kael_sgd_create(&out, 2, (kael_tensor *[]){leaf, view}, &sgd), KAEL_ERROR_VALUE,
               "parameters 0 and 1 share elements");
    kael_tensor_release(view);
    test_error(kael_adam_create(&out, 1, &leaf, &(kael_adam_options){1, 0.9, 0.9, 1e-50, 0, false}),
               KAEL_ERROR_VALUE, "eps must be positive in the f32");
    ASSERT_OK(kael_sgd_create(&out, 1, &leaf, &sgd));
    test_error(kael_optimizer_set_learning_rate(out, -2), KAEL_ERROR_VALUE, "got -2");
    ASSERT_OK(kael_optimizer_set_learning_rate(out, 2));
    test_error(kael_optimizer_step(NULL), KAEL_ERROR_VALUE, "optimizer");
    kael_optimizer_release(out);
    kael_optimizer_release(NULL);
    kael_tensor_release(leaf);
    kael_tensor_release(plain);
}

/* Mean 0 and the variance of the formula, within 5 standard errors. */
static void check_spread(kael_status (*fill)(kael_tensor *, kael_generator *, double),
                         double variance, double most) {
    const int64_t shape[] = {200, 50, 3};
    kael_generator *generator;
    kael_tensor *weight;
    ASSERT_OK(kael_generator_create(&generator, 12));
    ASSERT_OK(kael_tensor_zeros(&weight, KAEL_F64, 3, shape));
    ASSERT_OK(kael_tensor_set_requires_grad(weight, true));
    ASSERT_OK(fill(weight, generator, 1.5));
    const double *values = kael_tensor_data(weight);
    const int64_t count = kael_tensor_numel(weight);
    double sum = 0;
    double squares = 0;
    for (int64_t i = 0; i < count; ++i) {
        cr_assert_leq(fabs(values[i]), most);
        sum += values[i];
        squares += values[i] * values[i];
    }
    cr_assert_float_eq(sum / (double)count, 0, 5 * sqrt(variance / (double)count));
    cr_assert_float_eq(squares / (double)count / variance, 1, 5 * sqrt(2.0 / (double)count));
    kael_tensor_release(weight);
    kael_generator_release(generator);
}

Test(Init, has_the_variance_of_its_formula) {
    const double xavier = 1.5 * 1.5 * 2 / (150 + 600);
    const double kaiming = 1.5 * 1.5 / 150;
    check_spread(kael_init_xavier_uniform, xavier, sqrt(3 * xavier) * (1 + 1e-15));
    check_spread(kael_init_xavier_normal, xavier, 10 * sqrt(xavier));
    check_spread(kael_init_kaiming_uniform, kaiming, sqrt(3 * kaiming) * (1 + 1e-15));
    check_spread(kael_init_kaiming_normal, kaiming, 10 * sqrt(kaiming));
}

Test(Init, bad_input_is_an_error) {
    kael_generator *generator;
    kael_tensor *weight;
    kael_tensor *whole;
    kael_tensor *flat = vector_of(KAEL_F32, 1);
    ASSERT_OK(kael_generator_create(&generator, 12));
    ASSERT_OK(kael_tensor_zeros(&weight, KAEL_F32, SHAPE(2, 3)));
    ASSERT_OK(kael_tensor_zeros(&whole, KAEL_I32, SHAPE(2, 3)));
    test_error(kael_init_xavier_uniform(NULL, generator, 1), KAEL_ERROR_VALUE, "weight");
    test_error(kael_init_xavier_uniform(weight, NULL, 1), KAEL_ERROR_VALUE, "generator");
    test_error(kael_init_kaiming_normal(flat, generator, 1), KAEL_ERROR_SHAPE, "got 1");
    test_error(kael_init_kaiming_normal(weight, generator, 0), KAEL_ERROR_VALUE, "gain");
    test_error(kael_init_kaiming_normal(weight, generator, NAN), KAEL_ERROR_VALUE, "gain");
    test_error(kael_init_kaiming_normal(whole, generator, 1), KAEL_ERROR_DTYPE, "");
    cr_assert(kael_grad_mode_enabled());
    kael_tensor_release(flat);
    kael_tensor_release(weight);
    kael_tensor_release(whole);
    kael_generator_release(generator);
}

/* The composed product and sum, whatever the layout, the dtype and the leading dimensions. */
Test(LinearLayouts, any_layout_dtype_and_leading_dimensions) {
    static const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    static const struct {
        int64_t ndim;
        int64_t shape[3];
    } cases[] = {{1, {5}}, {2, {3, 5}}, {3, {2, 3, 5}}, {3, {2, 0, 5}}};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        for (size_t c = 0; c < COUNT_OF(cases); ++c) {
            kael_tensor *input =
                test_values(dtypes[d], cases[c].ndim, cases[c].shape, 1, ROW_MAJOR);
            kael_tensor *weight = test_values(dtypes[d], SHAPE(4, 5), 2, ROW_MAJOR);
            kael_tensor *bias = test_values(dtypes[d], SHAPE(4), 3, ROW_MAJOR);
            kael_tensor *across;
            kael_tensor *product;
            kael_tensor *expected;
            ASSERT_OK(kael_tensor_transpose(&across, weight, 0, 1));
            ASSERT_OK(kael_matmul(&product, input, across));
            ASSERT_OK(kael_add(&expected, product, bias));
            for (test_layout layout = ROW_MAJOR; layout < TEST_LAYOUTS; ++layout) {
                kael_tensor *x = test_relayout(input, layout);
                kael_tensor *w = test_relayout(weight, layout);
                kael_tensor *b = test_relayout(bias, layout);
                kael_tensor *out;
                ASSERT_OK(kael_linear(&out, x, w, b));
                test_same(out, expected, "with a bias");
                kael_tensor *into = test_relayout(product, layout);
                ASSERT_OK(kael_linear_into(into, x, w, b));
                test_same(into, expected, "into");
                kael_tensor_release(out);
                ASSERT_OK(kael_linear(&out, x, w, NULL));
                test_same(out, product, "without a bias");
                kael_tensor *const used[] = {x, w, b, out, into};
                for (size_t i = 0; i < COUNT_OF(used); ++i) {
                    kael_tensor_release(used[i]);
                }
            }
            kael_tensor *const used[] = {input, weight, bias, across, product, expected};
            for (size_t i = 0; i < COUNT_OF(used); ++i) {
                kael_tensor_release(used[i]);
            }
        }
    }
}

Test(LinearLayouts, the_result_may_overlap_the_operands) {
    kael_tensor *input = test_values(KAEL_F32, SHAPE(6, 6), 1, ROW_MAJOR);
    kael_tensor *weight = test_values(KAEL_F32, SHAPE(6, 6), 2, ROW_MAJOR);
    kael_tensor *expected;
    ASSERT_OK(kael_linear(&expected, input, weight, NULL));
    for (int operand = 0; operand < 2; ++operand) {
        kael_tensor *operands[2];
        ASSERT_OK(kael_tensor_clone(&operands[0], input));
        ASSERT_OK(kael_tensor_clone(&operands[1], weight));
        ASSERT_OK(kael_linear_into(operands[operand], operands[0], operands[1], NULL));
        test_same(operands[operand], expected, operand == 0 ? "input" : "weight");
        kael_tensor_release(operands[0]);
        kael_tensor_release(operands[1]);
    }
    kael_tensor_release(expected);
    kael_tensor_release(input);
    kael_tensor_release(weight);
}

static kael_status checked_linear(kael_tensor **out, const kael_tensor *const *inputs,
                                  void *context) {
    (void)context;
    return kael_linear(out, inputs[0], inputs[1], inputs[2]);
}

Test(LinearLayouts, gradients_of_three_dimensions) {
    kael_generator *generator;
    kael_tensor *x;
    kael_tensor *w;
    kael_tensor *b;
    ASSERT_OK(kael_generator_create(&generator, 12));
    ASSERT_OK(kael_random_normal(&x, generator, KAEL_F64, SHAPE(2, 3, 5), 0, 1));
    ASSERT_OK(kael_random_normal(&w, generator, KAEL_F64, SHAPE(4, 5), 0, 1));
    ASSERT_OK(kael_random_normal(&b, generator, KAEL_F64, SHAPE(4), 0, 1));
    kael_tensor *const inputs[] = {x, w, b};
    for (size_t i = 0; i < COUNT_OF(inputs); ++i) {
        ASSERT_OK(kael_tensor_set_requires_grad(inputs[i], true));
    }
    ASSERT_OK(kael_gradcheck(checked_linear, NULL, 3, (const kael_tensor *[]){x, w, b}, 1e-6, 1e-6,
                             1e-6));
    for (size_t i = 0; i < COUNT_OF(inputs); ++i) {
        kael_tensor_release(inputs[i]);
    }
    kael_generator_release(generator);
}
