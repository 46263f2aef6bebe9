/* Graphs of gradients: their size, what they hold and for how long, and their use and misuse. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kael/kael.h"

#define MUST(call) cr_assert_eq(call, KAEL_OK, "%s", kael_last_error_message())

static kael_tensor *full(int64_t count, double value, bool is_leaf) {
    kael_tensor *made;
    MUST(kael_tensor_full(&made, KAEL_F64, 1, &count, value));
    MUST(kael_tensor_set_requires_grad(made, is_leaf));
    return made;
}

static kael_tensor *sum_of(const kael_tensor *tensor) {
    kael_tensor *sum;
    MUST(kael_sum(&sum, tensor, 0, NULL, false));
    return sum;
}

static void expect_gradient(const kael_tensor *leaf, double expected) {
    kael_tensor *gradient;
    MUST(kael_tensor_grad(&gradient, leaf));
    cr_assert_not_null(gradient);
    const double *values = kael_tensor_data(gradient);
    for (int64_t i = 0; i < kael_tensor_numel(gradient); ++i) {
        cr_assert(values[i] == expected, "element %" PRId64 " is %g, not %g", i, values[i],
                  expected);
    }
    kael_tensor_release(gradient);
}

static void expect_no_gradient(const kael_tensor *leaf) {
    kael_tensor *gradient;
    MUST(kael_tensor_grad(&gradient, leaf));
    cr_assert_null(gradient);
}

static void expect_error(kael_status status, kael_status expected, const char *words) {
    cr_assert_eq(status, expected, "%s: %s", kael_status_string(status), kael_last_error_message());
    cr_assert_not_null(strstr(kael_last_error_message(), words), "%s", kael_last_error_message());
}

static void release_all(kael_tensor *const *tensors, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        kael_tensor_release(tensors[i]);
    }
}
#define RELEASE(...)                                                                               \
    release_all((kael_tensor *const[]){__VA_ARGS__},                                               \
                sizeof((kael_tensor *const[]){__VA_ARGS__}) / sizeof(kael_tensor *))

static int64_t bytes_in_use(void) {
    kael_allocator_statistics statistics;
    MUST(kael_allocator_stats(&statistics));
    return statistics.in_use_bytes;
}

/* ---- Which operations are recorded ---- */

#define CASE(name, rule, on_bool, on_floats, on_integers) {#name, kael_##name},
static const struct {
    const char *name;
    kael_status (*function)(kael_tensor **, const kael_tensor *);
} unary_cases[] = {KAEL_UNARY_OPERATIONS(CASE)};
static const struct {
    const char *name;
    kael_status (*function)(kael_tensor **, const kael_tensor *, const kael_tensor *);
} binary_cases[] = {KAEL_BINARY_OPERATIONS(CASE)};

/* Recorded exactly if there are gradients of its result. */
static void expect_recorded_if_floating(const char *name, kael_status status, kael_tensor *made) {
    if (status != KAEL_OK) {
        cr_assert_eq(status, KAEL_ERROR_DTYPE, "%s: %s", name, kael_last_error_message());
        return;
    }
    cr_expect_eq(kael_tensor_requires_grad(made), kael_tensor_dtype(made) == KAEL_F64, "%s", name);
    kael_tensor_release(made);
}

Test(Graph, EveryElementwiseOperationIsRecordedIfItsResultIsFloating) {
    kael_tensor *x = full(3, 0.5, true);
    kael_tensor *y = full(3, 0.25, false);
    for (size_t i = 0; i < sizeof unary_cases / sizeof unary_cases[0]; ++i) {
        kael_tensor *made;
        const kael_status status = unary_cases[i].function(&made, x);
        expect_recorded_if_floating(unary_cases[i].name, status, made);
    }
    for (size_t i = 0; i < sizeof binary_cases / sizeof binary_cases[0]; ++i) {
        kael_tensor *made;
        kael_status status = binary_cases[i].function(&made, x, y);
        expect_recorded_if_floating(binary_cases[i].name, status, made);
        status = binary_cases[i].function(&made, y, x);
        expect_recorded_if_floating(binary_cases[i].name, status, made);
    }
    RELEASE(y, x);
}

static kael_status fill_masked(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    return kael_masked_fill(out, inputs[0], context, 7);
}

static kael_status clamp(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    (void)context;
    return kael_clamp(out, inputs[0], inputs[1], inputs[2]);
}

static kael_status copy_transposed(kael_tensor **out, const kael_tensor *const *inputs,
                                   void *context) {
    (void)context;
    kael_tensor *view;
    const kael_status status = kael_tensor_transpose(&view, inputs[0], 0, 1);
    if (status != KAEL_OK) {
        return status;
    }
    kael_tensor *dense = NULL;
    const kael_status copied = kael_tensor_contiguous(&dense, view);
    kael_tensor_release(view);
    if (copied != KAEL_OK) {
        return copied;
    }
    const kael_status squared = kael_sqr(out, dense);
    kael_tensor_release(dense);
    return squared;
}

Test(Graph, MasksBoundsAndCopies) {
    static const int64_t matrix[] = {2, 3};
    static const double values[] = {-1.3, 0.7, 2.4, -0.2, -2.6, 1.1};
    kael_tensor *x;
    kael_tensor *mask;
    MUST(kael_tensor_from_data(&x, KAEL_F64, 2, matrix, values));
    MUST(kael_tensor_set_requires_grad(x, true));
    MUST(kael_tensor_from_data(&mask, KAEL_BOOL, 1, matrix + 1, (const unsigned char[]){0, 1, 0}));
    kael_tensor *low = full(3, -0.9, true);
    kael_tensor *high = full(1, 0.9, true);
    const kael_tensor *const inputs[] = {x, low, high};
    MUST(kael_gradcheck(fill_masked, mask, 1, inputs, 1e-6, 1e-6, 1e-6));
    MUST(kael_gradcheck(clamp, NULL, 3, inputs, 1e-6, 1e-6, 1e-6));
    MUST(kael_gradcheck(copy_transposed, NULL, 1, inputs, 1e-6, 1e-6, 1e-6));
    RELEASE(high, low, mask, x);
}

Test(Graph, GradientsHaveTheDtypesOfTheirLeaves) {
    static const kael_dtype dtypes[] = {KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64};
    static const int64_t shape[] = {2, 2};
    kael_tensor *leaves[4];
    kael_tensor *total = full(1, 0, false);
    for (int i = 0; i < 4; ++i) {
        MUST(kael_tensor_full(&leaves[i], dtypes[i], 2, shape, 1.5));
        MUST(kael_tensor_set_requires_grad(leaves[i], true));
        kael_tensor *square;
        kael_tensor *next;
        MUST(kael_sqr(&square, leaves[i]));
        MUST(kael_add(&next, total, square));
        RELEASE(total, square);
        total = next;
    }
    kael_tensor *z = sum_of(total);
    MUST(kael_backward(z));
    for (int i = 0; i < 4; ++i) {
        kael_tensor *gradient;
        double value = 0;
        MUST(kael_tensor_grad(&gradient, leaves[i]));
        cr_assert_eq(kael_tensor_dtype(gradient), dtypes[i]);
        MUST(kael_tensor_get(&value, gradient, (const int64_t[]){1, 0}));
        cr_assert_eq(value, 3);
        RELEASE(gradient, leaves[i]);
    }
    RELEASE(z, total);
}

/* ---- Size ---- */

enum { NODES = 1000000 };

static void *walk_a_million_nodes(void *unused) {
    (void)unused;
    const int64_t before = bytes_in_use();
    kael_tensor *x = full(1, 2, true);
    kael_tensor *y = kael_tensor_retain(x);
    for (int i = 0; i < NODES / 2; ++i) { /* every node but the leaf has two uses */
        kael_tensor *half;
        kael_tensor *whole;
        MUST(kael_mul_scalar(&half, y, kael_scalar_float(0.5)));
        MUST(kael_add(&whole, half, half));
        RELEASE(half, y);
        y = whole;
    }
    cr_assert_eq(kael_graph_node_count(y), NODES + 1);
    MUST(kael_backward(y));
    expect_gradient(x, 1);
    RELEASE(y, x);
    cr_assert_eq(bytes_in_use(), before);
    return NULL;
}

Test(Graph, AMillionNodesOnASmallStack) {
    pthread_attr_t attributes;
    pthread_t thread;
    cr_assert_eq(pthread_attr_init(&attributes), 0);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, walk_a_million_nodes, NULL), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}

Test(Graph, OneLeafWithManyUses) {
    enum { USES = 2000 };
    kael_tensor *x = full(2, 1, true);
    const kael_tensor *inputs[USES];
    for (int i = 0; i < USES; ++i) {
        inputs[i] = x;
    }
    kael_tensor *joined;
    MUST(kael_cat(&joined, USES, inputs, 0));
    cr_assert_eq(kael_graph_node_count(joined), 2);
    kael_tensor *z = sum_of(joined);
    MUST(kael_backward(z));
    expect_gradient(x, USES);
    RELEASE(z, joined, x);
}

/* ---- What is held, and for how long ---- */

enum { LARGE = 1 << 16 };

typedef struct release_log {
    int count;
    int64_t in_use[2]; /* bytes, at each release */
} release_log;

static void log_release(void *data, void *context) {
    (void)data;
    release_log *log = context;
    log->in_use[log->count++] = bytes_in_use();
}

/* Multiplies by a number in memory whose release is logged; only the graph holds it. */
static kael_tensor *times_logged(kael_tensor *tensor, double *number, release_log *log) {
    kael_tensor *factor;
    kael_tensor *product;
    MUST(kael_tensor_wrap(&factor, KAEL_F64, 0, NULL, NULL, number, log_release, log));
    MUST(kael_mul(&product, tensor, factor));
    RELEASE(factor, tensor);
    return product;
}

Test(Graph, WhatBackwardNeedsIsFreedAsItGoes) {
    double numbers[] = {2, 3};
    release_log log = {0};
    const int64_t before = bytes_in_use();
    kael_tensor *w = full(LARGE, 1, true);
    const int64_t leaf_bytes = bytes_in_use() - before;
    kael_tensor *square;
    MUST(kael_sqr(&square, w));
    kael_tensor *z = sum_of(square);
    kael_tensor_release(square);
    z = times_logged(times_logged(z, &numbers[0], &log), &numbers[1], &log);
    cr_assert_eq(log.count, 0);
    MUST(kael_backward(z));
    cr_assert_eq(log.count, 2);
    /* while only w and small tensors lived: the gradient of w did not exist yet */
    cr_assert_lt(log.in_use[0] - before, leaf_bytes * 3 / 2);
    cr_assert_lt(log.in_use[1] - before, leaf_bytes * 3 / 2);
    cr_assert_geq(bytes_in_use() - before, 2 * leaf_bytes);
    expect_gradient(w, 12);
    RELEASE(z, w);
}

Test(Graph, BackwardLeavesNothingButGradientsBehind) {
    const int64_t before = bytes_in_use();
    kael_tensor *w = full(LARGE, 1, true);
    const int64_t leaf_bytes = bytes_in_use() - before;
    kael_tensor *y = kael_tensor_retain(w);
    for (int i = 0; i < 10; ++i) {
        kael_tensor *next;
        MUST(kael_mul(&next, y, w));
        kael_tensor_release(y);
        y = next;
    }
    kael_tensor *z = sum_of(y);
    kael_tensor_release(y);
    cr_assert_geq(bytes_in_use() - before, 10 * leaf_bytes);
    MUST(kael_backward(z));
    cr_assert_lt(bytes_in_use() - before, 3 * leaf_bytes);
    expect_gradient(w, 11);
    RELEASE(z, w);
    cr_assert_eq(bytes_in_use(), before);
}

Test(Graph, NothingIsHeldWithoutRecording) {
    kael_tensor *w = full(LARGE, 1, true);
    kael_set_grad_mode(false);
    kael_tensor *y;
    MUST(kael_exp(&y, w));
    kael_set_grad_mode(true);
    cr_assert_not(kael_tensor_requires_grad(y));
    cr_assert_eq(kael_graph_node_count(y), 0);
    expect_error(kael_backward(y), KAEL_ERROR_STATE, "no operation was recorded");
    RELEASE(y, w);
}

Test(Graph, LeavesBecomePlainAgain) {
    kael_tensor *x = full(2, 3, true);
    kael_tensor *z = sum_of(x);
    MUST(kael_backward(z));
    expect_gradient(x, 1);
    MUST(kael_tensor_set_requires_grad(x, false));
    cr_assert_not(kael_tensor_requires_grad(x));
    kael_tensor *gradient;
    expect_error(kael_tensor_grad(&gradient, x), KAEL_ERROR_STATE, "not asked");
    MUST(kael_tensor_set_requires_grad(x, true));
    expect_no_gradient(x);
    RELEASE(z, x);
}

/* ---- Gradients of gradients, and what came too late ---- */

Test(Graph, GradientsAreConstants) {
    kael_tensor *x = full(2, 3, true);
    kael_tensor *square;
    MUST(kael_sqr(&square, x));
    kael_tensor *z = sum_of(square);
    MUST(kael_backward(z));
    kael_tensor *gradient;
    MUST(kael_tensor_grad(&gradient, x));
    cr_assert_not(kael_tensor_requires_grad(gradient));
    expect_error(kael_backward(gradient), KAEL_ERROR_STATE, "no operation was recorded");
    MUST(kael_tensor_zero_grad(x));
    kael_tensor *product;
    MUST(kael_mul(&product, gradient, x)); /* 2x, held constant, times x */
    kael_tensor *again = sum_of(product);
    MUST(kael_backward(again));
    expect_gradient(x, 6);
    RELEASE(again, product, gradient, z, square, x);
}

Test(Graph, CollectedGradientsAreNotWrittenAfterTheyWereGiven) {
    kael_tensor *x = full(2, 3, true);
    kael_tensor *z = sum_of(x);
    MUST(kael_backward_from(z, NULL, true));
    kael_tensor *first;
    MUST(kael_tensor_grad(&first, x));
    MUST(kael_backward(z));
    expect_gradient(x, 2);
    cr_assert_eq(*(const double *)kael_tensor_data(first), 1);
    RELEASE(first, z, x);
}

Test(Graph, AStepBeforeBackwardIsNoticed) {
    static const int64_t shape[] = {2, 2};
    kael_tensor *x;
    kael_tensor *w;
    kael_tensor *velocity;
    kael_tensor *values;
    MUST(kael_tensor_full(&x, KAEL_F64, 2, shape, 1));
    MUST(kael_tensor_full(&w, KAEL_F64, 2, shape, 1));
    MUST(kael_tensor_zeros(&velocity, KAEL_F64, 2, shape));
    MUST(kael_tensor_set_requires_grad(w, true));
    MUST(kael_linear(&values, x, w, NULL));
    kael_tensor *z = sum_of(values);
    MUST(kael_sgd_step(w, velocity, x, 0.1, 0.9));
    expect_error(kael_backward(z), KAEL_ERROR_STATE, "the gradient of linear needs was written");
    expect_no_gradient(w);
    RELEASE(z, values, velocity, w, x);
}

static kael_tensor *full_matrix(bool is_leaf) {
    kael_tensor *made;
    MUST(kael_tensor_full(&made, KAEL_F64, 2, (const int64_t[]){2, 2}, 2));
    MUST(kael_tensor_set_requires_grad(made, is_leaf));
    return made;
}

Test(Graph, AStepRefusesResults) {
    kael_tensor *leaf = full_matrix(true);
    kael_tensor *plain = full_matrix(false);
    kael_tensor *velocity = full_matrix(false);
    kael_tensor *result;
    MUST(kael_exp(&result, leaf));
    expect_error(kael_sgd_step(result, velocity, plain, 0.1, 0.9), KAEL_ERROR_STATE, "parameter");
    expect_error(kael_sgd_step(leaf, result, plain, 0.1, 0.9), KAEL_ERROR_STATE, "velocity");
    RELEASE(result, velocity, plain, leaf);
}

/* What is refused for its second result counts as no write to the first. */
Test(Graph, ARefusedGradientWritesNothing) {
    kael_tensor *leaf = full_matrix(true);
    kael_tensor *weight_leaf = full_matrix(true);
    kael_tensor *factor = full_matrix(false);
    kael_tensor *plain = full_matrix(false);
    kael_tensor *product;
    MUST(kael_mul(&product, leaf, factor));
    expect_error(kael_linear_backward_into(factor, weight_leaf, NULL, plain, plain, plain),
                 KAEL_ERROR_STATE, "weight_gradient");
    kael_tensor *sum = sum_of(product);
    MUST(kael_backward(sum));
    RELEASE(sum, product, plain, factor, weight_leaf, leaf);
}

Test(Graph, AFailedBackwardChangesNoGradient) {
    kael_tensor *x = full(2, 3, true);
    kael_tensor *w = full(2, 2, true);
    kael_tensor *spent;
    kael_tensor *product;
    kael_tensor *both;
    MUST(kael_exp(&spent, x));
    kael_tensor *first = sum_of(spent);
    MUST(kael_backward(first));
    MUST(kael_tensor_zero_grad(x));
    MUST(kael_mul(&product, w, x));
    MUST(kael_add(&both, product, spent));
    kael_tensor *z = sum_of(both);
    expect_error(kael_backward(z), KAEL_ERROR_STATE, "freed by an earlier backward through exp");
    expect_no_gradient(w);
    expect_no_gradient(x);
    RELEASE(z, both, product, first, spent, w, x);
}

Test(Graph, IntegersCutTheGraph) {
    kael_tensor *x = full(2, 3, true);
    kael_tensor *integers;
    kael_tensor *back;
    MUST(kael_tensor_to_dtype(&integers, x, KAEL_I32));
    MUST(kael_tensor_to_dtype(&back, integers, KAEL_F64));
    cr_assert_not(kael_tensor_requires_grad(integers));
    cr_assert_not(kael_tensor_requires_grad(back));
    RELEASE(back, integers, x);
}

/* ---- Threads ---- */

static void *train_alone(void *shared) {
    kael_tensor *w = full(64, 2, true);
    for (int i = 0; i < 200; ++i) {
        kael_tensor *product;
        MUST(kael_mul(&product, w, shared));
        kael_tensor *z = sum_of(product);
        MUST(kael_backward(z));
        RELEASE(z, product);
    }
    expect_gradient(w, 200 * 1.5);
    kael_tensor_release(w);
    return NULL;
}

Test(Graph, ThreadsHaveTheirOwnGraphs) {
    kael_tensor *shared = full(64, 1.5, false);
    pthread_t threads[4];
    for (int i = 0; i < 4; ++i) {
        cr_assert_eq(pthread_create(&threads[i], NULL, train_alone, shared), 0);
    }
    for (int i = 0; i < 4; ++i) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    }
    kael_tensor_release(shared);
}
