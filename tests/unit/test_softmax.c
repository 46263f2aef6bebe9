/* Softmax, log softmax and losses: worked values, the oracle's bits in any layout, textbook loops,
 * gradients and errors. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/kael.h"
#include "layouts.h"
#include "oracle/matmul_values.h"
#include "oracle/nn_oracle.h"

static kael_tensor *tensor_of(kael_dtype dtype, int64_t ndim, const int64_t *shape,
                              const void *values) {
    kael_tensor *made;
    ASSERT_OK(kael_tensor_from_data(&made, dtype, ndim, shape, values));
    return made;
}

/* Row-major f64 elements. */
static double *numbers_of(const kael_tensor *tensor) {
    kael_tensor *wide;
    kael_tensor *dense;
    ASSERT_OK(kael_tensor_to_dtype(&wide, tensor, KAEL_F64));
    ASSERT_OK(kael_tensor_contiguous(&dense, wide));
    double *numbers = malloc((size_t)(kael_tensor_numel(dense) + 1) * sizeof *numbers);
    if (kael_tensor_numel(dense) > 0) {
        memcpy(numbers, kael_tensor_data(dense),
               (size_t)kael_tensor_numel(dense) * sizeof *numbers);
    }
    kael_tensor_release(wide);
    kael_tensor_release(dense);
    return numbers;
}

static void expect_near(const kael_tensor *tensor, const double *expected, int64_t count,
                        double tolerance, const char *what) {
    cr_assert_eq(kael_tensor_numel(tensor), count, "%s", what);
    double *numbers = numbers_of(tensor);
    for (int64_t i = 0; i < count; ++i) {
        const bool same = isnan(expected[i])   ? isnan(numbers[i])
                          : isinf(expected[i]) ? numbers[i] == expected[i]
                                               : fabs(numbers[i] - expected[i]) <=
                                                     tolerance * fmax(1, fabs(expected[i]));
        cr_expect(same, "%s: element %" PRId64 " is %.17g, not %.17g", what, i, numbers[i],
                  expected[i]);
    }
    free(numbers);
}

typedef kael_status row_function(kael_tensor **, const kael_tensor *, int64_t);

static void expect_row(row_function *function, int64_t count, const float *row,
                       const double *expected, const char *what) {
    kael_tensor *x = tensor_of(KAEL_F32, 1, &count, row);
    kael_tensor *y;
    ASSERT_OK(function(&y, x, -1));
    expect_near(y, expected, count, 1e-6, what);
    kael_tensor_release(x);
    kael_tensor_release(y);
}

/* ---- worked values ---- */

Test(Softmax, WorkedTrace) {
    expect_row(kael_softmax, 3, (const float[]){1, 2, 3},
               (const double[]){0.090031, 0.244728, 0.665241}, "the trace");
    expect_row(kael_softmax, 2, (const float[]){1000, 1001}, (const double[]){0.268941, 0.731059},
               "large numbers");
    expect_row(kael_softmax, 1, (const float[]){-7}, (const double[]){1}, "one element");
}

Test(LogSoftmax, WorkedTrace) {
    expect_row(kael_log_softmax, 3, (const float[]){1, 2, 3},
               (const double[]){-2.407606, -1.407606, -0.407606}, "the trace");
    expect_row(kael_log_softmax, 2, (const float[]){1000, 1001},
               (const double[]){-1.313262, -0.313262}, "large numbers");
}

Test(LogSoftmax, IsExactWhereLogOfSoftmaxIsNot) {
    expect_row(kael_softmax, 2, (const float[]){0, -200}, (const double[]){1, 0}, "softmax");
    expect_row(kael_log_softmax, 2, (const float[]){0, -200}, (const double[]){0, -200}, "log");
}

Test(Softmax, K25_SoftmaxOnViews) {
    const float values[] = {1, 2, 3, 4, 5, 6};
    const float gaps[] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
    const double expected[] = {0.047426, 0.952574, 0.047426, 0.952574, 0.047426, 0.952574};
    kael_tensor *x = tensor_of(KAEL_F32, SHAPE(2, 3), values);
    ASSERT_OK(kael_tensor_set_requires_grad(x, true));
    kael_tensor *columns;
    kael_tensor *y;
    ASSERT_OK(kael_tensor_transpose(&columns, x, 0, 1));
    ASSERT_OK(kael_softmax(&y, columns, -1));
    expect_near(y, expected, 6, 1e-6, "softmax");

    kael_tensor *buffer = tensor_of(KAEL_F32, SHAPE(3, 4), gaps);
    kael_tensor *every_second;
    kael_tensor *detached;
    ASSERT_OK(kael_tensor_detach(&detached, columns));
    ASSERT_OK(kael_tensor_slice(&every_second, buffer, 1, 0, 4, 2));
    ASSERT_OK(kael_softmax_into(every_second, detached, 1));
    expect_near(every_second, expected, 6, 1e-6, "into every second column");
    const float *all = kael_tensor_data(buffer);
    for (int i = 1; i < 12; i += 2) {
        cr_expect_eq(all[i], 7, "gap %d", i);
    }

    /* The gradient of the second result: y2 * (one_hot - y). */
    kael_tensor *second;
    kael_tensor *total;
    kael_tensor *gradient;
    ASSERT_OK(kael_tensor_select(&second, y, 1, 1));
    ASSERT_OK(kael_sum(&total, second, 0, NULL, false));
    ASSERT_OK(kael_backward(total));
    ASSERT_OK(kael_tensor_grad(&gradient, x));
    const double p = 0.952574 * 0.047426;
    expect_near(gradient, (const double[]){-p, -p, -p, p, p, p}, 6, 1e-6, "backward");
    kael_tensor *const made[] = {x,        columns, y,     buffer,  every_second,
                                 detached, second,  total, gradient};
    for (size_t i = 0; i < COUNT_OF(made); ++i) {
        kael_tensor_release(made[i]);
    }
}

Test(Softmax, K26_SoftmaxAtInfinity) {
    const float rows[] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, -INFINITY, 1000, 0,
                          -INFINITY, INFINITY,  0,         0,         1, 2,         3};
    const double softmax[] = {NAN, NAN, NAN, 0,   1,        0,        1,       0,
                              0,   NAN, NAN, NAN, 0.090031, 0.244728, 0.665241};
    const double logs[] = {NAN,       NAN, NAN, -INFINITY, 0,         -INFINITY, 0,        -1000,
                           -INFINITY, NAN, NAN, NAN,       -2.407606, -1.407606, -0.407606};
    kael_tensor *x = tensor_of(KAEL_F32, SHAPE(5, 3), rows);
    kael_tensor *y;
    ASSERT_OK(kael_softmax(&y, x, 1));
    expect_near(y, softmax, 15, 1e-6, "softmax");
    kael_tensor_release(y);
    ASSERT_OK(kael_log_softmax(&y, x, 1));
    expect_near(y, logs, 15, 1e-6, "log softmax");
    kael_tensor_release(y);
    kael_tensor_release(x);
}

/* ---- against the composed expression ---- */

static kael_tensor *composed(const kael_tensor *x, bool is_log) {
    const int64_t dim = 1;
    kael_tensor *largest;
    kael_tensor *shifted;
    kael_tensor *terms;
    kael_tensor *total;
    kael_tensor *result;
    ASSERT_OK(kael_max(&largest, x, 1, &dim, true));
    ASSERT_OK(kael_sub(&shifted, x, largest));
    ASSERT_OK(kael_exp(&terms, shifted));
    ASSERT_OK(kael_sum(&total, terms, 1, &dim, true));
    if (is_log) {
        kael_tensor *log_total;
        ASSERT_OK(kael_log(&log_total, total));
        ASSERT_OK(kael_sub(&result, shifted, log_total));
        kael_tensor_release(log_total);
    } else {
        ASSERT_OK(kael_div(&result, terms, total));
    }
    kael_tensor_release(largest);
    kael_tensor_release(shifted);
    kael_tensor_release(terms);
    kael_tensor_release(total);
    return result;
}

/* The definition is that of the composed operations, so the bits are the same. */
Test(FusedKernels, HandlesNonFiniteValuesLikeTheComposedPath) {
    static const float specials[] = {NAN, INFINITY, -INFINITY, 0, -0.0F, 1e30F, -1e30F, 2, -3};
    enum { ROWS = 400 };
    for (int64_t columns = 1; columns <= 40; columns += 3) {
        float *values = malloc((size_t)(ROWS * columns) * sizeof *values);
        for (int64_t i = 0; i < ROWS * columns; ++i) {
            const uint64_t random = test_random(5, (uint64_t)i);
            values[i] = random % 4 == 0 ? specials[random / 4 % COUNT_OF(specials)]
                                        : (float)(random % 1000) / 100;
        }
        kael_tensor *x = tensor_of(KAEL_F32, SHAPE(ROWS, columns), values);
        for (int is_log = 0; is_log < 2; ++is_log) {
            kael_tensor *expected = composed(x, is_log);
            kael_tensor *actual;
            ASSERT_OK((is_log ? kael_log_softmax : kael_softmax)(&actual, x, 1));
            test_same(actual, expected, is_log ? "log softmax" : "softmax");
            kael_tensor_release(actual);
            kael_tensor_release(expected);
        }
        kael_tensor_release(x);
        free(values);
    }
}

/* ---- the oracle's bits ---- */

/* The oracle along one dimension, of a contiguous tensor. */
static kael_tensor *by_oracle(const kael_tensor *x, int64_t dim, bool is_log) {
    const kael_dtype dtype = kael_tensor_dtype(x);
    const matmul_type type = dtype == KAEL_F64 ? MATMUL_F64 : MATMUL_F32;
    kael_tensor *wide;
    kael_tensor *last;
    kael_tensor *rows;
    ASSERT_OK(kael_tensor_to_dtype(&wide, x, dtype == KAEL_F64 ? KAEL_F64 : KAEL_F32));
    ASSERT_OK(kael_tensor_transpose(&last, wide, dim, -1));
    ASSERT_OK(kael_tensor_clone(&rows, last));
    const int64_t count = kael_tensor_shape(x)[dim];
    const size_t bytes = (size_t)count * matmul_size(type);
    void *row = malloc(bytes);
    for (int64_t i = 0; i < kael_tensor_numel(x) / count; ++i) {
        void *out = (char *)kael_tensor_data(rows) + (size_t)i * bytes;
        memcpy(row, out, bytes);
        (is_log ? oracle_log_softmax : oracle_softmax)(type, count, row, out);
    }
    free(row);
    kael_tensor *back;
    kael_tensor *result;
    ASSERT_OK(kael_tensor_transpose(&back, rows, dim, -1));
    ASSERT_OK(kael_tensor_to_dtype(&result, back, dtype));
    kael_tensor_release(wide);
    kael_tensor_release(last);
    kael_tensor_release(rows);
    kael_tensor_release(back);
    return result;
}

static void expect_oracle_bits(const kael_tensor *x, int64_t dim) {
    for (int is_log = 0; is_log < 2; ++is_log) {
        kael_tensor *expected = by_oracle(x, dim, is_log);
        for (int layout = ROW_MAJOR; layout < TEST_LAYOUTS; ++layout) {
            kael_tensor *in = test_relayout(x, (test_layout)layout);
            kael_tensor *out = test_relayout(x, (test_layout)((layout + 1) % TEST_LAYOUTS));
            kael_tensor *made;
            ASSERT_OK((is_log ? kael_log_softmax : kael_softmax)(&made, in, dim));
            test_same(made, expected, "a new result");
            ASSERT_OK((is_log ? kael_log_softmax_into : kael_softmax_into)(out, in, dim));
            test_same(out, expected, "an existing result");
            ASSERT_OK((is_log ? kael_log_softmax_into : kael_softmax_into)(in, in, dim));
            test_same(in, expected, "in place");
            kael_tensor_release(made);
            kael_tensor_release(out);
            kael_tensor_release(in);
        }
        kael_tensor_release(expected);
    }
}

Test(FusedKernels, AnyLayoutDimAndDtypeGivesTheOraclesBits) {
    static const int64_t shapes[][3] = {{3, 5, 4}, {1, 17, 70}, {2, 130, 3}, {40, 1, 9}};
    for (kael_dtype dtype = KAEL_F16; dtype <= KAEL_F64; dtype = (kael_dtype)(dtype + 1)) {
        for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
            for (int64_t dim = 0; dim < 3; ++dim) {
                kael_tensor *x = test_values(dtype, 3, shapes[s], s, ROW_MAJOR);
                expect_oracle_bits(x, dim);
                kael_tensor_release(x);
            }
        }
    }
}

/* Rows of one and of several blocks, shared by threads or not; elements so far apart that their
 * exponentials become subnormal and vanish. */
Test(FusedKernels, AnyThreadCountGivesTheOraclesBits) {
    static const int64_t shapes[][2] = {{1, 50257}, {3, 40000}, {9, 33000}, {700, 300}, {5000, 10}};
    for (kael_dtype dtype = KAEL_F32; dtype <= KAEL_F64; dtype = (kael_dtype)(dtype + 1)) {
        for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
            const double spread = dtype == KAEL_F32 ? 110 : 760;
            kael_tensor *x;
            ASSERT_OK(kael_tensor_empty(&x, dtype, 2, shapes[s]));
            for (int64_t i = 0; i < kael_tensor_numel(x); ++i) {
                const double part = (double)(test_random(s, (uint64_t)i) >> 11) * 0x1p-53;
                const double value = (i / 64 % 3 == 0 ? spread : 20) * part;
                if (dtype == KAEL_F32) {
                    ((float *)kael_tensor_data(x))[i] = (float)value;
                } else {
                    ((double *)kael_tensor_data(x))[i] = value;
                }
            }
            for (int is_log = 0; is_log < 2; ++is_log) {
                kael_tensor *expected = by_oracle(x, 1, is_log);
                for (int64_t threads = 1; threads <= 8; threads += threads == 1 ? 1 : 3) {
                    kael_tensor *made;
                    ASSERT_OK(kael_set_num_threads(threads));
                    ASSERT_OK((is_log ? kael_log_softmax : kael_softmax)(&made, x, 1));
                    test_same(made, expected, "rows");
                    kael_tensor_release(made);
                }
                kael_tensor_release(expected);
            }
            kael_tensor_release(x);
        }
    }
}

Test(Softmax, EmptyAndScalar) {
    kael_tensor *x;
    kael_tensor *y;
    ASSERT_OK(kael_tensor_zeros(&x, KAEL_F32, SHAPE(3, 0, 2)));
    for (int64_t dim = -3; dim < 3; ++dim) {
        ASSERT_OK(kael_softmax(&y, x, dim));
        cr_expect_eq(kael_tensor_numel(y), 0);
        kael_tensor_release(y);
    }
    kael_tensor_release(x);
    ASSERT_OK(kael_tensor_full(&x, KAEL_F64, 0, NULL, 5));
    ASSERT_OK(kael_softmax(&y, x, 0));
    expect_near(y, (const double[]){1}, 1, 0, "a scalar");
    kael_tensor_release(y);
    kael_tensor_release(x);
}

Test(Softmax, BadArgumentsAreNamed) {
    kael_tensor *x;
    kael_tensor *integers;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_zeros(&x, KAEL_F32, SHAPE(2, 3)));
    ASSERT_OK(kael_tensor_zeros(&integers, KAEL_I32, SHAPE(2, 3)));
    test_error(kael_softmax(&out, NULL, 0), KAEL_ERROR_VALUE, "tensor");
    cr_expect_null(out);
    test_error(kael_softmax(NULL, x, 0), KAEL_ERROR_VALUE, "out");
    test_error(kael_softmax(&out, integers, 0), KAEL_ERROR_DTYPE, "i32");
    test_error(kael_log_softmax(&out, x, 2), KAEL_ERROR_INDEX, "2");
    test_error(kael_log_softmax(&out, x, -3), KAEL_ERROR_INDEX, "-3");
    test_error(kael_softmax_into(integers, x, 0), KAEL_ERROR_DTYPE, "out");
    kael_tensor_release(x);
    kael_tensor_release(integers);
}

/* ---- losses against textbook loops ---- */

typedef struct loss_case {
    int64_t ndim;
    int64_t shape[4];
    bool probabilities;
    bool weighted;
    bool ignores;
    double smoothing;
    kael_loss_reduction reduction;
} loss_case;

typedef struct loss_operands {
    kael_tensor *logits;
    kael_tensor *targets;
    kael_tensor *weights;
    kael_loss_options options;
    int64_t classes;
    int64_t inner; /* elements behind the class dimension */
    int64_t rows;
} loss_operands;

static loss_operands new_operands(const loss_case *c, kael_dtype dtype) {
    const int64_t class_dim = c->ndim == 1 ? 0 : 1;
    loss_operands o = {.classes = c->shape[class_dim], .inner = 1, .rows = 1};
    int64_t target_shape[4];
    int64_t target_ndim = 0;
    for (int64_t i = 0; i < c->ndim; ++i) {
        o.inner *= i > class_dim ? c->shape[i] : 1;
        if (i != class_dim) {
            o.rows *= c->shape[i];
            target_shape[target_ndim++] = c->shape[i];
        }
    }
    double values[256];
    for (int i = 0; i < 256; ++i) {
        values[i] = (double)(test_random(9, (uint64_t)i) % 4096) / 1024 - 2;
    }
    kael_tensor *wide = tensor_of(KAEL_F64, c->ndim, c->shape, values);
    ASSERT_OK(kael_tensor_to_dtype(&o.logits, wide, dtype));
    kael_tensor_release(wide);
    if (c->probabilities) {
        for (int i = 0; i < 256; ++i) {
            values[i] = (double)(test_random(10, (uint64_t)i) % 256) / 1024;
        }
        wide = tensor_of(KAEL_F64, c->ndim, c->shape, values);
        ASSERT_OK(kael_tensor_to_dtype(&o.targets, wide, dtype));
        kael_tensor_release(wide);
    } else {
        int64_t classes[256];
        for (int64_t i = 0; i < 256; ++i) {
            classes[i] = (int64_t)(test_random(11, (uint64_t)i) % (uint64_t)o.classes);
            classes[i] = c->ignores && i % 3 == 1 ? 255 : classes[i];
        }
        o.targets = tensor_of(KAEL_I64, target_ndim, target_shape, classes);
    }
    if (c->weighted) {
        for (int64_t i = 0; i < o.classes; ++i) {
            values[i] = 0.25 + (double)i / 8;
        }
        wide = tensor_of(KAEL_F64, 1, &o.classes, values);
        ASSERT_OK(kael_tensor_to_dtype(&o.weights, wide, dtype));
        kael_tensor_release(wide);
    }
    o.options = (kael_loss_options){
        .reduction = c->reduction,
        .has_ignore_index = c->ignores,
        .ignore_index = 255,
        .label_smoothing = c->smoothing,
        .class_weights = o.weights,
    };
    return o;
}

static void free_operands(loss_operands *o) {
    kael_tensor_release(o->logits);
    kael_tensor_release(o->targets);
    kael_tensor_release(o->weights);
}

/* Losses by the formula of the header, in double; returns how many results there are. */
static int64_t textbook(const loss_operands *o, const loss_case *c, double *results) {
    double *logits = numbers_of(o->logits);
    double *targets = numbers_of(o->targets);
    double *weights = o->weights == NULL ? NULL : numbers_of(o->weights);
    double sum = 0;
    double divisor = 0;
    for (int64_t row = 0; row < o->rows; ++row) {
        const int64_t first = row / o->inner * o->classes * o->inner + row % o->inner;
        double total = 0;
        for (int64_t j = 0; j < o->classes; ++j) {
            total += exp(logits[first + j * o->inner]);
        }
        double loss = 0;
        double weight = 1;
        const bool ignored = !c->probabilities && targets[row] == 255;
        for (int64_t j = 0; j < o->classes && !ignored; ++j) {
            const double w = weights == NULL ? 1 : weights[j];
            const bool is_target = !c->probabilities && (double)j == targets[row];
            const double p =
                c->probabilities ? targets[first + j * o->inner] : (is_target ? 1.0 : 0.0);
            weight = is_target ? w : weight;
            loss += w * ((1 - c->smoothing) * p + c->smoothing / (double)o->classes) *
                    (log(total) - logits[first + j * o->inner]);
        }
        divisor += ignored ? 0 : weight;
        sum += loss;
        if (c->reduction == KAEL_LOSS_NONE) {
            results[row] = loss;
        }
    }
    if (c->reduction != KAEL_LOSS_NONE) {
        results[0] = c->reduction == KAEL_LOSS_SUM ? sum : sum / divisor;
    }
    free(logits);
    free(targets);
    free(weights);
    return c->reduction == KAEL_LOSS_NONE ? o->rows : 1;
}

static kael_status run_loss(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    const loss_operands *o = context;
    return kael_cross_entropy(out, inputs[0], o->targets, &o->options);
}

static kael_status run_nll(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    const loss_operands *o = context;
    return kael_nll_loss(out, inputs[0], o->targets, &o->options);
}

static void check_gradient(const loss_operands *o, kael_gradcheck_function *function,
                           const char *what) {
    kael_tensor *leaf;
    ASSERT_OK(kael_tensor_clone(&leaf, o->logits));
    ASSERT_OK(kael_tensor_set_requires_grad(leaf, true));
    loss_operands copy = *o;
    const kael_status status =
        kael_gradcheck(function, &copy, 1, (const kael_tensor *const[]){leaf}, 1e-6, 1e-6, 1e-6);
    cr_expect_eq(status, KAEL_OK, "%s: %s", what, kael_last_error_message());
    kael_tensor_release(leaf);
}

static void check_loss(const loss_case *c) {
    static const double tolerances[] = {2e-3, 2e-2, 1e-5, 1e-12};
    char what[160];
    double expected[256];
    for (kael_dtype dtype = KAEL_F16; dtype <= KAEL_F64; dtype = (kael_dtype)(dtype + 1)) {
        loss_operands o = new_operands(c, dtype);
        snprintf(what, sizeof what,
                 "dtype %d, %d dims, probabilities %d, weights %d, ignores %d, smoothing %g, "
                 "reduction %d",
                 (int)dtype, (int)c->ndim, c->probabilities, c->weighted, c->ignores, c->smoothing,
                 (int)c->reduction);
        const int64_t count = textbook(&o, c, expected);
        kael_tensor *loss;
        ASSERT_OK(kael_cross_entropy(&loss, o.logits, o.targets, &o.options));
        cr_expect_eq(kael_tensor_dtype(loss), dtype, "%s", what);
        expect_near(loss, expected, count, tolerances[dtype - KAEL_F16], what);

        kael_tensor *spread = test_relayout(o.logits, SPREAD);
        kael_tensor *again;
        ASSERT_OK(kael_cross_entropy(&again, spread, o.targets, &o.options));
        test_same(again, loss, what);
        kael_tensor_release(again);
        kael_tensor_release(spread);

        if (!c->probabilities && c->smoothing == 0) {
            kael_tensor *logs;
            kael_tensor *nll;
            ASSERT_OK(kael_log_softmax(&logs, o.logits, c->ndim == 1 ? 0 : 1));
            ASSERT_OK(kael_nll_loss(&nll, logs, o.targets, &o.options));
            expect_near(nll, expected, count, tolerances[dtype - KAEL_F16], what);
            kael_tensor_release(logs);
            kael_tensor_release(nll);
        }
        if (dtype == KAEL_F64) {
            check_gradient(&o, run_loss, what);
            if (!c->probabilities && c->smoothing == 0) {
                check_gradient(&o, run_nll, what);
            }
        }
        kael_tensor_release(loss);
        free_operands(&o);
    }
}

Test(CrossEntropy, EveryOptionGivesTheTextbooksLossesAndGradients) {
    static const struct {
        int64_t ndim;
        int64_t shape[4];
    } shapes[] = {{1, {5}}, {2, {7, 5}}, {2, {3, 19}}, {3, {2, 4, 3}}, {4, {2, 3, 2, 2}}};
    for (size_t s = 0; s < COUNT_OF(shapes); ++s) {
        for (int bits = 0; bits < 16; ++bits) {
            for (int reduction = KAEL_LOSS_MEAN; reduction <= KAEL_LOSS_NONE; ++reduction) {
                loss_case c = {
                    .ndim = shapes[s].ndim,
                    .probabilities = bits & 1,
                    .weighted = bits & 2,
                    .ignores = bits & 4,
                    .smoothing = bits & 8 ? 0.125 : 0,
                    .reduction = (kael_loss_reduction)reduction,
                };
                memcpy(c.shape, shapes[s].shape, sizeof c.shape);
                check_loss(&c);
            }
        }
    }
}

static kael_status run_softmax(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    return kael_softmax(out, inputs[0], *(const int64_t *)context);
}

static kael_status run_log_softmax(kael_tensor **out, const kael_tensor *const *inputs,
                                   void *context) {
    return kael_log_softmax(out, inputs[0], *(const int64_t *)context);
}

Test(FusedKernels, GradientsAlongEveryDim) {
    static const double values[] = {-1.3, 0.7, 2.4, -0.2, -2.6, 1.1, 0.4, 0.9, -0.8, 1.7, 0.1, 0.3};
    kael_tensor *x = tensor_of(KAEL_F64, SHAPE(2, 3, 2), values);
    ASSERT_OK(kael_tensor_set_requires_grad(x, true));
    const kael_tensor *const inputs[] = {x};
    for (int64_t dim = -1; dim < 3; ++dim) {
        cr_expect_eq(kael_gradcheck(run_softmax, &dim, 1, inputs, 1e-6, 1e-6, 1e-6), KAEL_OK, "%s",
                     kael_last_error_message());
        cr_expect_eq(kael_gradcheck(run_log_softmax, &dim, 1, inputs, 1e-6, 1e-6, 1e-6), KAEL_OK,
                     "%s", kael_last_error_message());
    }
    kael_tensor_release(x);
}

Test(CrossEntropy, WorkedTrace) {
    const float row[] = {1, 2, 3};
    const int64_t target = 0;
    kael_tensor *logits = tensor_of(KAEL_F32, SHAPE(1, 3), row);
    kael_tensor *targets = tensor_of(KAEL_I64, SHAPE(1), &target);
    ASSERT_OK(kael_tensor_set_requires_grad(logits, true));
    kael_tensor *losses;
    kael_tensor *ones;
    kael_tensor *gradient;
    ASSERT_OK(kael_cross_entropy_losses(&losses, logits, targets));
    expect_near(losses, (const double[]){2.407606}, 1, 1e-6, "the loss");
    ASSERT_OK(kael_tensor_ones(&ones, KAEL_F32, SHAPE(1)));
    ASSERT_OK(kael_backward_from(losses, ones, false));
    ASSERT_OK(kael_tensor_grad(&gradient, logits));
    expect_near(gradient, (const double[]){-0.909969, 0.244728, 0.665241}, 3, 1e-6, "the gradient");
    kael_tensor_release(logits);
    kael_tensor_release(targets);
    kael_tensor_release(losses);
    kael_tensor_release(ones);
    kael_tensor_release(gradient);
}

/* ---- targets ---- */

typedef struct target_case {
    int64_t targets[2];
    bool has_ignore_index;
    int64_t ignore_index;
    double results[3]; /* mean, sum, and how many rows take part */
} target_case;

Test(CrossEntropy, K27_IgnoredTargets) {
    static const float rows[] = {1, 2, 3, 1, 2, 3};
    static const target_case cases[] = {
        {{-100, -100}, false, 0, {NAN, 0, 0}},
        {{2, -100}, false, 0, {0.407606, 0.407606, 1}},
        {{2, 255}, true, 255, {0.407606, 0.407606, 1}},
        {{255, 255}, true, 255, {NAN, 0, 0}},
        {{2, 0}, true, 0, {0.407606, 0.407606, 1}},
        {{2, -1}, true, -1, {0.407606, 0.407606, 1}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        for (int reduction = KAEL_LOSS_MEAN; reduction <= KAEL_LOSS_NONE; ++reduction) {
            const target_case *c = &cases[i];
            const kael_loss_options options = {
                .reduction = (kael_loss_reduction)reduction,
                .has_ignore_index = c->has_ignore_index,
                .ignore_index = c->ignore_index,
            };
            kael_tensor *logits = tensor_of(KAEL_F32, SHAPE(2, 3), rows);
            kael_tensor *targets = tensor_of(KAEL_I64, SHAPE(2), c->targets);
            ASSERT_OK(kael_tensor_set_requires_grad(logits, true));
            kael_tensor *loss;
            ASSERT_OK(kael_cross_entropy(&loss, logits, targets, &options));
            const double losses[] = {c->results[1], 0};
            expect_near(loss, reduction == KAEL_LOSS_NONE ? losses : &c->results[reduction],
                        reduction == KAEL_LOSS_NONE ? 2 : 1, 1e-6, "the loss");
            kael_tensor *ones;
            kael_tensor *gradient;
            ASSERT_OK(
                kael_tensor_ones(&ones, KAEL_F32, kael_tensor_ndim(loss), kael_tensor_shape(loss)));
            ASSERT_OK(kael_backward_from(loss, ones, false));
            ASSERT_OK(kael_tensor_grad(&gradient, logits));
            const double part = c->results[2];
            const double expected[] = {0.090031 * part, 0.244728 * part, -0.334759 * part, 0, 0, 0};
            expect_near(gradient, expected, 6, 1e-6, "the gradient");
            kael_tensor *const made[] = {logits, targets, loss, ones, gradient};
            for (size_t k = 0; k < COUNT_OF(made); ++k) {
                kael_tensor_release(made[k]);
            }
        }
    }
}

Test(CrossEntropy, K27_TargetsOutOfRange) {
    static const float rows[] = {1, 2, 3, 1, 2, 3};
    static const int64_t bad[][2] = {{3, 0}, {-1, 0}, {0, -101}, {0, INT64_MAX}};
    static const char *const words[] = {"targets[0]", "targets[0]", "targets[1]", "targets[1]"};
    kael_tensor *logits = tensor_of(KAEL_F32, SHAPE(2, 3), rows);
    for (size_t i = 0; i < COUNT_OF(bad); ++i) {
        kael_tensor *targets = tensor_of(KAEL_I64, SHAPE(2), bad[i]);
        kael_tensor *out;
        test_error(kael_cross_entropy(&out, logits, targets, NULL), KAEL_ERROR_INDEX, words[i]);
        cr_expect_null(out);
        test_error(kael_nll_loss(&out, logits, targets, NULL), KAEL_ERROR_INDEX, words[i]);
        kael_tensor_release(targets);
    }
    kael_tensor_release(logits);
}

/* An ignored row takes no part, whatever it holds. */
Test(CrossEntropy, IgnoredRowsMayHoldAnything) {
    const float rows[] = {1, 2, 3, NAN, INFINITY, -INFINITY};
    const int64_t classes[] = {2, -100};
    kael_tensor *logits = tensor_of(KAEL_F32, SHAPE(2, 3), rows);
    kael_tensor *targets = tensor_of(KAEL_I64, SHAPE(2), classes);
    ASSERT_OK(kael_tensor_set_requires_grad(logits, true));
    kael_tensor *loss;
    kael_tensor *gradient;
    const kael_loss_options options = {.label_smoothing = 0.1};
    ASSERT_OK(kael_cross_entropy(&loss, logits, targets, &options));
    ASSERT_OK(kael_backward(loss));
    ASSERT_OK(kael_tensor_grad(&gradient, logits));
    double *numbers = numbers_of(gradient);
    cr_expect(isfinite(numbers[0]) && numbers[3] == 0 && numbers[4] == 0 && numbers[5] == 0);
    free(numbers);
    kael_tensor_release(logits);
    kael_tensor_release(targets);
    kael_tensor_release(loss);
    kael_tensor_release(gradient);
}

/* Three losses of 0. */
Test(CrossEntropy, MeanOverRowsWithoutClasses) {
    kael_tensor *logits;
    kael_tensor *mean;
    ASSERT_OK(kael_tensor_zeros(&logits, KAEL_F32, SHAPE(3, 0)));
    ASSERT_OK(kael_cross_entropy(&mean, logits, logits, NULL));
    cr_assert_eq(*(const float *)kael_tensor_data(mean), 0);
    kael_tensor_release(mean);
    kael_tensor_release(logits);
}

Test(CrossEntropy, BadOptionsAreNamed) {
    kael_tensor *logits;
    kael_tensor *targets;
    kael_tensor *weights;
    kael_tensor *scalar;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_zeros(&logits, KAEL_F32, SHAPE(2, 3)));
    ASSERT_OK(kael_tensor_zeros(&targets, KAEL_I64, SHAPE(2)));
    ASSERT_OK(kael_tensor_zeros(&weights, KAEL_F32, SHAPE(2)));
    ASSERT_OK(kael_tensor_zeros(&scalar, KAEL_F32, 0, NULL));
    const kael_loss_options negative = {.label_smoothing = -0.1};
    const kael_loss_options not_a_number = {.label_smoothing = NAN};
    const kael_loss_options smoothing = {.label_smoothing = 0.5};
    const kael_loss_options reduction = {.reduction = (kael_loss_reduction)7};
    const kael_loss_options short_weights = {.class_weights = weights};
    test_error(kael_cross_entropy(&out, logits, targets, &negative), KAEL_ERROR_VALUE,
               "label_smoothing");
    test_error(kael_cross_entropy(&out, logits, targets, &not_a_number), KAEL_ERROR_VALUE,
               "label_smoothing");
    test_error(kael_nll_loss(&out, logits, targets, &smoothing), KAEL_ERROR_VALUE,
               "label_smoothing");
    test_error(kael_cross_entropy(&out, logits, targets, &reduction), KAEL_ERROR_VALUE,
               "reduction");
    test_error(kael_cross_entropy(&out, logits, targets, &short_weights), KAEL_ERROR_SHAPE,
               "class_weights");
    test_error(kael_cross_entropy(&out, scalar, targets, NULL), KAEL_ERROR_SHAPE, "logits");
    test_error(kael_cross_entropy(&out, logits, NULL, NULL), KAEL_ERROR_VALUE, "targets");
    test_error(kael_nll_loss(&out, logits, logits, NULL), KAEL_ERROR_DTYPE, "targets");
    test_error(kael_nll_loss(&out, targets, targets, NULL), KAEL_ERROR_DTYPE, "log_probabilities");
    test_error(kael_cross_entropy(&out, logits, weights, NULL), KAEL_ERROR_SHAPE, "targets");
    test_error(kael_cross_entropy(NULL, logits, targets, NULL), KAEL_ERROR_VALUE, "out");
    kael_tensor *three;
    ASSERT_OK(kael_tensor_zeros(&three, KAEL_F32, SHAPE(3)));
    ASSERT_OK(kael_tensor_set_requires_grad(three, true));
    const kael_loss_options recorded = {.class_weights = three};
    test_error(kael_cross_entropy(&out, logits, targets, &recorded), KAEL_ERROR_UNSUPPORTED,
               "class_weights");
    cr_expect_null(out);
    kael_tensor_release(logits);
    kael_tensor_release(targets);
    kael_tensor_release(weights);
    kael_tensor_release(scalar);
    kael_tensor_release(three);
}

/* A change of the logits after the loss is found out. */
Test(CrossEntropy, ChangedLogitsAreNoticed) {
    const float row[] = {1, 2, 3};
    const int64_t target = 0;
    kael_tensor *logits = tensor_of(KAEL_F32, SHAPE(1, 3), row);
    kael_tensor *targets = tensor_of(KAEL_I64, SHAPE(1), &target);
    kael_tensor *loss;
    ASSERT_OK(kael_tensor_set_requires_grad(logits, true));
    ASSERT_OK(kael_cross_entropy(&loss, logits, targets, NULL));
    kael_set_grad_mode(false);
    ASSERT_OK(kael_add_in_place(logits, logits));
    kael_set_grad_mode(true);
    test_error(kael_backward(loss), KAEL_ERROR_STATE, "cross_entropy");
    kael_tensor_release(logits);
    kael_tensor_release(targets);
    kael_tensor_release(loss);
}
