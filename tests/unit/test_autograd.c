/* Gradients: every operation against differences, and the graph they flow through. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kael/kael.h"

#define MUST(call) cr_assert_eq(call, KAEL_OK, "%s", kael_last_error_message())

static kael_tensor *tensor_of(int64_t ndim, const int64_t *shape, const double *values) {
    kael_tensor *made;
    MUST(kael_tensor_from_data(&made, KAEL_F64, ndim, shape, values));
    return made;
}

static kael_tensor *leaf_of(int64_t ndim, const int64_t *shape, const double *values) {
    kael_tensor *made = tensor_of(ndim, shape, values);
    MUST(kael_tensor_set_requires_grad(made, true));
    return made;
}

static kael_tensor *vector_of(int64_t count, const double *values) {
    return leaf_of(1, &count, values);
}

static void expect_gradient(const kael_tensor *leaf, const double *expected) {
    kael_tensor *gradient;
    MUST(kael_tensor_grad(&gradient, leaf));
    cr_assert_not_null(gradient);
    const double *values = kael_tensor_data(gradient);
    for (int64_t i = 0; i < kael_tensor_numel(gradient); ++i) {
        cr_assert(values[i] == expected[i], "element %" PRId64 " is %g, not %g", i, values[i],
                  expected[i]);
    }
    kael_tensor_release(gradient);
}

static void expect_error(kael_status status, kael_status expected, const char *words) {
    cr_assert_eq(status, expected, "%s: %s", kael_status_string(status), kael_last_error_message());
    cr_assert_not_null(strstr(kael_last_error_message(), words), "%s", kael_last_error_message());
}

/* ---- Every operation against differences ---- */

typedef struct unary_case {
    const char *name;
    kael_status (*function)(kael_tensor **, const kael_tensor *);
} unary_case;

typedef struct binary_case {
    const char *name;
    kael_status (*function)(kael_tensor **, const kael_tensor *, const kael_tensor *);
} binary_case;

static kael_status call_unary(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    return ((const unary_case *)context)->function(out, inputs[0]);
}

static kael_status call_binary(kael_tensor **out, const kael_tensor *const *inputs, void *context) {
    return ((const binary_case *)context)->function(out, inputs[0], inputs[1]);
}

static void check_gradients(const char *name, kael_gradcheck_function *function, void *context,
                            int64_t count, const kael_tensor *const *inputs) {
    const kael_status status = kael_gradcheck(function, context, count, inputs, 1e-6, 1e-6, 1e-6);
    cr_expect_eq(status, KAEL_OK, "%s: %s", name, kael_last_error_message());
}

static const int64_t matrix[] = {2, 3};
static const double positive[] = {0.3, 0.7, 1.4, 2.2, 0.55, 1.1};
static const double mixed[] = {-1.3, 0.7, 2.4, -0.2, -2.6, 1.1};

#define CASE(name, rule, on_bool, on_floats, on_integers) {#name, kael_##name},
static unary_case unary_cases[] = {KAEL_UNARY_OPERATIONS(CASE)};
static binary_case binary_cases[] = {KAEL_BINARY_OPERATIONS(CASE)};

static bool gives_floats(kael_status status, kael_tensor *made) {
    const bool floats = status == KAEL_OK && kael_tensor_dtype(made) == KAEL_F64;
    kael_tensor_release(made);
    return floats;
}

Test(Autograd, UnaryOperations) {
    kael_tensor *x[] = {leaf_of(2, matrix, positive), leaf_of(2, matrix, mixed)};
    int checked = 0;
    for (size_t i = 0; i < sizeof unary_cases / sizeof unary_cases[0]; ++i) {
        kael_tensor *made = NULL;
        const kael_status status = unary_cases[i].function(&made, x[0]);
        if (!gives_floats(status, made)) {
            continue;
        }
        static const char *const positive_only[] = {"log", "sqrt", "rsqrt", "log1p"};
        bool takes_negative = true;
        for (size_t j = 0; j < sizeof positive_only / sizeof positive_only[0]; ++j) {
            takes_negative = takes_negative && strcmp(unary_cases[i].name, positive_only[j]) != 0;
        }
        for (int j = 0; j < (takes_negative ? 2 : 1); ++j) {
            check_gradients(unary_cases[i].name, call_unary, &unary_cases[i], 1,
                            (const kael_tensor *[]){x[j]});
        }
        ++checked;
    }
    cr_assert_geq(checked, 24);
    kael_tensor_release(x[0]);
    kael_tensor_release(x[1]);
}

Test(Autograd, BinaryOperationsWithBroadcasting) {
    static const int64_t row[] = {3};
    static const int64_t column[] = {2, 1};
    kael_tensor *a = leaf_of(2, matrix, positive);
    kael_tensor *others[] = {leaf_of(2, matrix, (const double[]){1.25, 0.4, 2.3, 0.9, 1.7, 0.25}),
                             leaf_of(1, row, (const double[]){1.25, 0.45, 2.3}),
                             leaf_of(2, column, (const double[]){0.95, 1.7})};
    int checked = 0;
    for (size_t i = 0; i < sizeof binary_cases / sizeof binary_cases[0]; ++i) {
        kael_tensor *made = NULL;
        const kael_status status = binary_cases[i].function(&made, a, others[0]);
        if (!gives_floats(status, made)) {
            continue;
        }
        for (int j = 0; j < 3; ++j) {
            check_gradients(binary_cases[i].name, call_binary, &binary_cases[i], 2,
                            (const kael_tensor *[]){a, others[j]});
            check_gradients(binary_cases[i].name, call_binary, &binary_cases[i], 2,
                            (const kael_tensor *[]){others[j], a});
        }
        ++checked;
    }
    cr_assert_geq(checked, 9);
    kael_tensor_release(a);
    for (int j = 0; j < 3; ++j) {
        kael_tensor_release(others[j]);
    }
}

/* x of shape (2, 3), y of shape (3,) */
#define GRAPH(name)                                                                                \
    static kael_status name(kael_tensor **out, const kael_tensor *const *inputs, void *context)

/* Runs a second operation on the result of the first, and lets go of that. */
#define THEN(first, second)                                                                        \
    do {                                                                                           \
        (void)context;                                                                             \
        kael_tensor *t;                                                                            \
        kael_status status = first;                                                                \
        if (status != KAEL_OK) {                                                                   \
            return status;                                                                         \
        }                                                                                          \
        status = second;                                                                           \
        kael_tensor_release(t);                                                                    \
        return status;                                                                             \
    } while (0)

static const int64_t last_dim[] = {-1};
static const int64_t first_dim[] = {0};

GRAPH(sum_rows) {
    THEN(kael_sum(&t, inputs[0], 1, last_dim, false), kael_sqr(out, t));
}
GRAPH(mean_columns) {
    THEN(kael_mean(&t, inputs[0], 1, first_dim, true), kael_sqr(out, t));
}
GRAPH(product) {
    THEN(kael_prod(&t, inputs[0], 1, last_dim, false), kael_sqr(out, t));
}
GRAPH(variance) {
    THEN(kael_var(&t, inputs[0], 0, NULL, false, 1), kael_sqr(out, t));
}
GRAPH(deviation) {
    THEN(kael_std(&t, inputs[0], 1, last_dim, false, 0), kael_sqr(out, t));
}
GRAPH(length) {
    THEN(kael_norm(&t, inputs[0], 1, first_dim, false), kael_sqr(out, t));
}
GRAPH(log_of_sum) {
    THEN(kael_logsumexp(&t, inputs[0], 1, last_dim, true), kael_sqr(out, t));
}
GRAPH(largest) {
    THEN(kael_max(&t, inputs[0], 1, last_dim, false), kael_sqr(out, t));
}
GRAPH(smallest) {
    THEN(kael_min(&t, inputs[0], 0, NULL, false), kael_sqr(out, t));
}
GRAPH(transposed) {
    THEN(kael_tensor_transpose(&t, inputs[0], 0, 1), kael_sqr(out, t));
}
GRAPH(permuted) {
    THEN(kael_tensor_permute(&t, inputs[0], (const int64_t[]){1, 0}),
         kael_tensor_reshape(out, t, 1, (const int64_t[]){-1}));
}
GRAPH(narrowed) {
    THEN(kael_tensor_narrow(&t, inputs[0], 1, 1, 2), kael_sqr(out, t));
}
GRAPH(reversed) {
    THEN(kael_tensor_slice(&t, inputs[0], 1, 2, -1, -2), kael_sqr(out, t));
}
GRAPH(selected) {
    THEN(kael_tensor_select(&t, inputs[0], 0, 1), kael_sqr(out, t));
}
GRAPH(repeated) {
    THEN(kael_tensor_broadcast_to(&t, inputs[0], 3, (const int64_t[]){4, 2, 3}), kael_sqr(out, t));
}
GRAPH(squeezed) {
    THEN(kael_tensor_unsqueeze(&t, inputs[0], 1), kael_tensor_squeeze(out, t, 1));
}
GRAPH(cloned) {
    THEN(kael_tensor_clone(&t, inputs[0]), kael_tensor_flatten(out, t));
}
GRAPH(halved) {
    THEN(kael_tensor_to_dtype(&t, inputs[0], KAEL_F64),
         kael_mul_scalar(out, t, kael_scalar_float(0.5)));
}
GRAPH(scalar_divided) {
    THEN(kael_scalar_div(&t, kael_scalar_int(2), inputs[0]),
         kael_pow_scalar(out, t, kael_scalar_float(1.5)));
}
GRAPH(lower) {
    THEN(kael_tril(&t, inputs[0], 0), kael_sqr(out, t));
}
GRAPH(upper) {
    THEN(kael_triu(&t, inputs[0], 1), kael_sqr(out, t));
}
GRAPH(joined) {
    THEN(kael_cat(&t, 3, (const kael_tensor *[]){inputs[0], inputs[0], inputs[0]}, 1),
         kael_sqr(out, t));
}
GRAPH(stacked) {
    THEN(kael_stack(&t, 2, (const kael_tensor *[]){inputs[0], inputs[0]}, 1), kael_exp(out, t));
}
GRAPH(picked) {
    (void)context;
    return kael_index_select(out, inputs[0], 1, inputs[1]);
}
GRAPH(gathered) {
    (void)context;
    return kael_gather(out, inputs[0], 1, inputs[1]);
}
GRAPH(scattered) {
    (void)context;
    return kael_scatter_add(out, inputs[0], 1, inputs[1], inputs[2]);
}
GRAPH(clamped) {
    (void)context;
    return kael_clamp_scalar(out, inputs[0], kael_scalar_float(-1), kael_scalar_float(1));
}
GRAPH(multiplied) {
    (void)context;
    return kael_matmul(out, inputs[0], inputs[1]);
}
GRAPH(linear) {
    (void)context;
    return kael_linear(out, inputs[0], inputs[1], inputs[2]);
}
GRAPH(entropy) {
    (void)context;
    return kael_cross_entropy_losses(out, inputs[0], inputs[1]);
}
GRAPH(chosen) {
    (void)context;
    return kael_where(out, inputs[0], inputs[1], inputs[2]);
}
GRAPH(fused) {
    (void)context;
    return kael_fma(out, inputs[0], inputs[1], inputs[2]);
}

Test(Autograd, FunctionsOfOneTensor) {
    static const struct {
        const char *name;
        kael_gradcheck_function *function;
    } cases[] = {
        {"sum", sum_rows},
        {"mean", mean_columns},
        {"prod", product},
        {"var", variance},
        {"std", deviation},
        {"norm", length},
        {"logsumexp", log_of_sum},
        {"max", largest},
        {"min", smallest},
        {"transpose", transposed},
        {"permute", permuted},
        {"narrow", narrowed},
        {"slice", reversed},
        {"select", selected},
        {"broadcast_to", repeated},
        {"squeeze", squeezed},
        {"clone", cloned},
        {"to_dtype", halved},
        {"scalars", scalar_divided},
        {"tril", lower},
        {"triu", upper},
        {"cat", joined},
        {"stack", stacked},
        {"clamp", clamped},
    };
    kael_tensor *x = leaf_of(2, matrix, positive);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_gradients(cases[i].name, cases[i].function, NULL, 1, (const kael_tensor *[]){x});
    }
    kael_tensor_release(x);
}

Test(Autograd, IndexingAndChoice) {
    kael_tensor *x = leaf_of(2, matrix, mixed);
    kael_tensor *y = leaf_of(2, matrix, positive);
    kael_tensor *z = leaf_of(1, (const int64_t[]){3}, (const double[]){2, 0.5, -1});
    kael_tensor *twice;
    kael_tensor *places;
    kael_tensor *mask;
    MUST(kael_tensor_from_data(&twice, KAEL_I64, 1, (const int64_t[]){4},
                               (const int64_t[]){2, 0, -1, 2}));
    MUST(kael_tensor_from_data(&places, KAEL_I64, 2, (const int64_t[]){2, 2},
                               (const int64_t[]){2, 2, 0, -2}));
    MUST(kael_tensor_from_data(&mask, KAEL_BOOL, 2, matrix,
                               (const unsigned char[]){1, 0, 0, 1, 1, 0}));
    check_gradients("index_select", picked, NULL, 2, (const kael_tensor *[]){x, twice});
    check_gradients("gather", gathered, NULL, 2, (const kael_tensor *[]){x, places});
    check_gradients("scatter_add", scattered, NULL, 3, (const kael_tensor *[]){x, places, y});
    check_gradients("where", chosen, NULL, 3, (const kael_tensor *[]){mask, x, z});
    check_gradients("fma", fused, NULL, 3, (const kael_tensor *[]){x, y, z});
    kael_tensor *const all[] = {x, y, z, twice, places, mask};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        kael_tensor_release(all[i]);
    }
}

Test(Autograd, Products) {
    double values[40];
    for (int i = 0; i < 40; ++i) {
        values[i] = 0.1 * (i * 7 % 24) - 1;
    }
    static const struct {
        int64_t a_ndim;
        int64_t a[3];
        int64_t b_ndim;
        int64_t b[3];
    } cases[] = {
        {1, {4}, 1, {4}},
        {1, {3}, 2, {3, 4}},
        {2, {2, 3}, 1, {3}},
        {2, {2, 3}, 2, {3, 4}},
        {3, {2, 3, 4}, 2, {4, 5}},
        {2, {2, 4}, 3, {2, 4, 3}},
        {3, {1, 2, 3}, 3, {4, 3, 2}},
        {1, {4}, 3, {2, 4, 3}},
        {3, {2, 3, 4}, 1, {4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        kael_tensor *a = leaf_of(cases[i].a_ndim, cases[i].a, values);
        kael_tensor *b = leaf_of(cases[i].b_ndim, cases[i].b, values + 1);
        check_gradients("matmul", multiplied, NULL, 2, (const kael_tensor *[]){a, b});
        kael_tensor_release(a);
        kael_tensor_release(b);
    }
    kael_tensor *input = leaf_of(2, (const int64_t[]){2, 3}, values);
    kael_tensor *weight = leaf_of(2, (const int64_t[]){4, 3}, values + 3);
    kael_tensor *bias = leaf_of(1, (const int64_t[]){4}, values + 7);
    kael_tensor *targets;
    MUST(kael_tensor_from_data(&targets, KAEL_I64, 1, (const int64_t[]){4},
                               (const int64_t[]){0, 2, 1, 1}));
    check_gradients("linear", linear, NULL, 3, (const kael_tensor *[]){input, weight, bias});
    check_gradients("cross_entropy", entropy, NULL, 2, (const kael_tensor *[]){weight, targets});
    kael_tensor_release(targets);
    kael_tensor_release(bias);
    kael_tensor_release(weight);
    kael_tensor_release(input);
}

Test(Autograd, GradcheckFindsWrongGradients) {
    kael_tensor *x = vector_of(2, (const double[]){0, 0.5}); /* relu has a kink at 0 */
    static unary_case relu = {"relu", kael_relu};
    expect_error(kael_gradcheck(call_unary, &relu, 1, (const kael_tensor *[]){x}, 1e-6, 1e-6, 1e-6),
                 KAEL_ERROR_ARITHMETIC, "input 0 at element 0");
    expect_error(kael_gradcheck(call_unary, &relu, 1, (const kael_tensor *[]){x}, 0, 1e-6, 1e-6),
                 KAEL_ERROR_VALUE, "must be positive");
    kael_tensor_release(x);
}

/* ---- Values ---- */

static void backward_of(kael_status (*reduce)(kael_tensor **, const kael_tensor *, int64_t,
                                              const int64_t *, bool),
                        kael_tensor *x) {
    kael_tensor *z;
    MUST(kael_tensor_zero_grad(x));
    MUST(reduce(&z, x, 0, NULL, false));
    MUST(kael_backward(z));
    kael_tensor_release(z);
}

Test(Autograd, K14_GradientOfProd) {
    static const double cases[][2][3] = {
        {{2, 0, 5}, {0, 10, 0}}, {{0, 0, 5}, {0, 0, 0}}, {{2, 3, 5}, {15, 10, 6}}};
    for (int i = 0; i < 3; ++i) {
        kael_tensor *x = vector_of(3, cases[i][0]);
        backward_of(kael_prod, x);
        expect_gradient(x, cases[i][1]);
        kael_tensor_release(x);
    }
}

static kael_status population_std(kael_tensor **out, const kael_tensor *x, int64_t ndims,
                                  const int64_t *dims, bool keepdim) {
    return kael_std(out, x, ndims, dims, keepdim, 0);
}

Test(Autograd, K15_GradientsOfNormAndDeviationAtZero) {
    kael_tensor *zeros = vector_of(3, (const double[]){0, 0, 0});
    backward_of(kael_norm, zeros);
    expect_gradient(zeros, (const double[]){0, 0, 0});
    kael_tensor *fours = vector_of(3, (const double[]){4, 4, 4});
    backward_of(population_std, fours);
    expect_gradient(fours, (const double[]){0, 0, 0});
    kael_tensor_release(fours);
    kael_tensor_release(zeros);
}

Test(Autograd, K39_TiesShare) {
    kael_tensor *x = vector_of(3, (const double[]){3, 3, 1});
    backward_of(kael_max, x);
    expect_gradient(x, (const double[]){0.5, 0.5, 0});
    kael_tensor *a = vector_of(1, (const double[]){2});
    kael_tensor *b = vector_of(1, (const double[]){2});
    kael_tensor *c;
    MUST(kael_maximum(&c, a, b));
    MUST(kael_backward(c));
    expect_gradient(a, (const double[]){0.5});
    expect_gradient(b, (const double[]){0.5});
    kael_tensor_release(c);
    kael_tensor_release(b);
    kael_tensor_release(a);
    kael_tensor_release(x);
}

Test(Autograd, K40_BroadcastGradients) {
    kael_tensor *a = leaf_of(2, (const int64_t[]){2, 1}, (const double[]){1, 2});
    kael_tensor *b = vector_of(3, (const double[]){10, 20, 30});
    kael_tensor *c = leaf_of(0, NULL, (const double[]){5});
    kael_tensor *product;
    kael_tensor *shifted;
    kael_tensor *z;
    MUST(kael_mul(&product, a, b));
    MUST(kael_add(&shifted, product, c));
    MUST(kael_sum(&z, shifted, 0, NULL, false));
    MUST(kael_backward(z));
    expect_gradient(a, (const double[]){60, 60});
    expect_gradient(b, (const double[]){3, 3, 3});
    expect_gradient(c, (const double[]){6});
    kael_tensor *const all[] = {z, shifted, product, c, b, a};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        kael_tensor_release(all[i]);
    }
}

/* ---- The graph ---- */

Test(Graph, LessonCounts) {
    static const double values[] = {1, 2, 3};
    kael_tensor *x = tensor_of(1, (const int64_t[]){3}, values);
    kael_tensor *plain;
    MUST(kael_sqr(&plain, x));
    cr_assert_eq(kael_graph_node_count(plain), 0);
    cr_assert_not(kael_tensor_requires_grad(plain));
    kael_tensor *w = vector_of(3, values);
    kael_tensor *h;
    kael_tensor *square;
    kael_tensor *z;
    kael_tensor *detached;
    kael_tensor *after;
    MUST(kael_mul(&h, w, x));
    MUST(kael_sqr(&square, h));
    MUST(kael_sum(&z, square, 1, last_dim, false));
    cr_assert_eq(kael_graph_node_count(z), 5);
    cr_assert(kael_tensor_is_leaf(w));
    cr_assert_not(kael_tensor_is_leaf(h));
    cr_assert(kael_tensor_requires_grad(z));
    MUST(kael_tensor_detach(&detached, z));
    cr_assert_eq(kael_graph_node_count(detached), 0);
    MUST(kael_sqr(&after, detached));
    cr_assert_eq(kael_graph_node_count(after), 0);
    kael_tensor *const all[] = {after, detached, z, square, h, w, plain, x};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        kael_tensor_release(all[i]);
    }
}

static int64_t bytes_in_use(void) {
    kael_allocator_statistics statistics;
    MUST(kael_allocator_stats(&statistics));
    return statistics.in_use_bytes;
}

Test(Graph, DroppingTheResultAfterDetachFreesTheIntermediates) {
    static const int64_t shape[] = {1 << 16};
    const int64_t before = bytes_in_use();
    kael_tensor *w;
    MUST(kael_tensor_ones(&w, KAEL_F64, 1, shape));
    MUST(kael_tensor_set_requires_grad(w, true));
    const int64_t leaf_bytes = bytes_in_use() - before;
    kael_tensor *y = kael_tensor_retain(w);
    for (int i = 0; i < 10; ++i) {
        kael_tensor *next;
        MUST(kael_exp(&next, y));
        kael_tensor_release(y);
        y = next;
    }
    cr_assert_geq(bytes_in_use() - before, 10 * leaf_bytes);
    kael_tensor *detached;
    MUST(kael_tensor_detach(&detached, y));
    kael_tensor_release(y);
    cr_assert_lt(bytes_in_use() - before, 3 * leaf_bytes);
    kael_tensor_release(detached);
    kael_tensor_release(w);
    cr_assert_eq(bytes_in_use(), before);
}

Test(Graph, GradientsAddUpUntilTheyAreDropped) {
    kael_tensor *x = vector_of(2, (const double[]){3, 4});
    for (int i = 1; i <= 3; ++i) {
        kael_tensor *square;
        kael_tensor *z;
        MUST(kael_mul(&square, x, x));
        MUST(kael_sum(&z, square, 0, NULL, false));
        MUST(kael_backward_from(z, NULL, false));
        expect_gradient(x, (const double[]){6.0 * i, 8.0 * i});
        kael_tensor_release(z);
        kael_tensor_release(square);
    }
    MUST(kael_tensor_zero_grad(x));
    kael_tensor *gradient;
    MUST(kael_tensor_grad(&gradient, x));
    cr_assert_null(gradient);
    kael_tensor_release(x);
}

Test(Graph, KeptGraphsServeAgain) {
    kael_tensor *x = vector_of(1, (const double[]){3});
    kael_tensor *y;
    MUST(kael_mul(&y, x, x));
    MUST(kael_backward_from(y, NULL, true));
    MUST(kael_backward_from(y, NULL, false));
    expect_gradient(x, (const double[]){12});
    expect_error(kael_backward(y), KAEL_ERROR_STATE, "freed by an earlier backward through mul");
    expect_gradient(x, (const double[]){12});
    kael_tensor_release(y);
    kael_tensor_release(x);
}

static void add_ten_to_a_view(kael_tensor *tensor) {
    kael_tensor *view;
    MUST(kael_tensor_detach(&view, tensor));
    kael_set_grad_mode(false);
    MUST(kael_add_scalar_in_place(view, kael_scalar_int(10)));
    kael_set_grad_mode(true);
    kael_tensor_release(view);
}

Test(Graph, K08_ChangedSavedValues) {
    kael_tensor *x = vector_of(1, (const double[]){3});
    kael_tensor *square;
    MUST(kael_mul(&square, x, x));
    add_ten_to_a_view(x);
    expect_error(kael_backward(square), KAEL_ERROR_STATE, "the gradient of mul needs was written");
    kael_tensor *power;
    MUST(kael_exp(&power, x));
    add_ten_to_a_view(power);
    expect_error(kael_backward(power), KAEL_ERROR_STATE, "the gradient of exp needs was written");
    kael_tensor *gradient;
    MUST(kael_tensor_grad(&gradient, x));
    cr_assert_null(gradient);
    kael_tensor_release(power);
    kael_tensor_release(square);
    kael_tensor_release(x);
}

Test(Graph, BadInput) {
    kael_tensor *x = vector_of(3, (const double[]){1, 2, 3});
    kael_tensor *plain = tensor_of(1, (const int64_t[]){3}, (const double[]){1, 2, 3});
    kael_tensor *y;
    kael_tensor *integers;
    kael_tensor *gradient = x;
    MUST(kael_exp(&y, x));
    MUST(kael_tensor_to_dtype(&integers, plain, KAEL_I64));
    expect_error(kael_backward(NULL), KAEL_ERROR_VALUE, "tensor must not be NULL");
    expect_error(kael_backward(plain), KAEL_ERROR_STATE, "no operation was recorded");
    expect_error(kael_backward(y), KAEL_ERROR_SHAPE, "has shape (3)");
    expect_error(kael_backward_from(y, integers, false), KAEL_ERROR_DTYPE, "gradient");
    expect_error(kael_tensor_set_requires_grad(integers, true), KAEL_ERROR_DTYPE, "i64");
    expect_error(kael_tensor_set_requires_grad(y, true), KAEL_ERROR_STATE, "result of exp");
    expect_error(kael_tensor_grad(&gradient, plain), KAEL_ERROR_STATE, "not asked");
    cr_assert_null(gradient);
    expect_error(kael_add_in_place(x, plain), KAEL_ERROR_STATE, "takes part in a graph");
    expect_error(kael_add_into(plain, x, plain), KAEL_ERROR_STATE, "takes part in a graph");
    expect_error(kael_tensor_set(x, (const int64_t[]){0}, 5), KAEL_ERROR_STATE, "graph");
    kael_tensor *const all[] = {integers, y, plain, x};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        kael_tensor_release(all[i]);
    }
}

/* ---- K01 ---- */

enum { DEPTH = 200000 };

static kael_tensor *make_chain(kael_tensor *x) {
    kael_tensor *y = kael_tensor_retain(x);
    for (int i = 0; i < DEPTH; ++i) {
        kael_tensor *next;
        MUST(kael_add_scalar(&next, y, kael_scalar_int(1)));
        kael_tensor_release(y);
        y = next;
    }
    return y;
}

static void *walk_deep_graphs(void *unused) {
    (void)unused;
    const int64_t before = bytes_in_use();
    kael_tensor *x = leaf_of(0, NULL, (const double[]){1});
    kael_tensor *y = make_chain(x);
    double value = 0;
    MUST(kael_tensor_item(&value, y));
    cr_assert_eq(value, 200001);
    MUST(kael_backward(y));
    expect_gradient(x, (const double[]){1});
    kael_tensor_release(y);
    kael_tensor_release(make_chain(x));
    kael_tensor_release(x);
    cr_assert_eq(bytes_in_use(), before);
    return NULL;
}

Test(Graph, K01_DeepGraphsOnASmallStack) {
    pthread_attr_t attributes;
    pthread_t thread;
    cr_assert_eq(pthread_attr_init(&attributes), 0);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, walk_deep_graphs, NULL), 0);
    cr_assert_eq(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}
