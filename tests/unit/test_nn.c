/* Layers of neural networks: their values, their bits and their errors. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kael/allocator.h"
#include "kael/nn.h"
#include "kael/ops.h"
#include "matmul_fixture.h"
#include "memory/system.h"
#include "oracle/nn_operations.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static kael_tensor *matrix_of(kael_dtype dtype, int64_t rows, int64_t columns, const void *data) {
    const int64_t shape[] = {rows, columns};
    kael_tensor *tensor = NULL;
    expect_ok(kael_tensor_from_data(&tensor, dtype, 2, shape, data), "kael_tensor_from_data");
    return tensor;
}

static kael_tensor *vector_of(kael_dtype dtype, int64_t size, const void *data) {
    kael_tensor *tensor = NULL;
    expect_ok(kael_tensor_from_data(&tensor, dtype, 1, &size, data), "kael_tensor_from_data");
    return tensor;
}

static kael_tensor *zeros(kael_dtype dtype, int64_t ndim, const int64_t *shape) {
    kael_tensor *tensor = NULL;
    expect_ok(kael_tensor_zeros(&tensor, dtype, ndim, shape), "kael_tensor_zeros");
    return tensor;
}

static void expect_floats(const kael_tensor *tensor, const float *expected, int64_t count,
                          const char *what) {
    cr_assert_not_null(tensor, "%s", what);
    cr_assert_eq(kael_tensor_numel(tensor), count, "%s", what);
    expect_same_bits(MATMUL_F32, kael_tensor_data(tensor), expected, count, "%s", what);
}

static void expect_close(const kael_tensor *tensor, const double *expected, int64_t count,
                         const char *what) {
    cr_assert_not_null(tensor, "%s", what);
    cr_assert_eq(kael_tensor_numel(tensor), count, "%s", what);
    const matmul_type type = kael_tensor_dtype(tensor) == KAEL_F32 ? MATMUL_F32 : MATMUL_F64;
    for (int64_t i = 0; i < count; ++i) {
        const double actual = matmul_get(type, kael_tensor_data(tensor), i);
        cr_expect(fabs(actual - expected[i]) < 1e-6, "%s: element %" PRId64 " is %.9g, not %.9g",
                  what, i, actual, expected[i]);
    }
}

/* ---- all operations against the oracle ---- */

typedef struct bits_case {
    nn_sizes sizes;
    matmul_values values;
} bits_case;

/* The large ones are cut into chunks by every operation's grain. */
static bits_case bits_cases[] = {
    {{1, 1, 1}, MATMUL_SPECIAL},      {{3, 2, 7}, MATMUL_SPECIAL},
    {{64, 33, 10}, MATMUL_ORDINARY},  {{5, 600, 17}, MATMUL_CANCELLING},
    {{700, 3, 800}, MATMUL_ORDINARY}, {{1, 1, 600001}, MATMUL_TINY},
    {{40000, 3, 4}, MATMUL_SPECIAL},  {{3, 2, 50257}, MATMUL_ORDINARY},
};

static void copy_outputs(nn_operands *to, const nn_operands *from) {
    for (int i = 0; i < NN_MOST_ARRAYS; ++i) {
        memcpy(to->out[i].data, from->out[i].data,
               (size_t)from->out[i].count * matmul_size(from->type));
    }
}

static void expect_same_outputs(const nn_operands *actual, const nn_operands *expected,
                                const nn_operation *operation, int64_t threads) {
    for (int i = 0; i < NN_MOST_ARRAYS; ++i) {
        expect_same_bits(
            actual->type, actual->out[i].data, expected->out[i].data, expected->out[i].count,
            "%s (%" PRId64 ", %" PRId64 ", %" PRId64 "), output %d, %" PRId64 " threads",
            operation->name, actual->sizes.rows, actual->sizes.inputs, actual->sizes.columns, i,
            threads);
    }
}

static void expect_oracle_bits(const nn_operation *operation, matmul_type type,
                               const bits_case *c) {
    nn_operands start = nn_operands_new(operation, type, c->sizes, c->values);
    nn_operands expected = nn_operands_new(operation, type, c->sizes, c->values);
    nn_operands actual = nn_operands_new(operation, type, c->sizes, c->values);
    operation->oracle(&expected);
    for (int64_t threads = 1; threads <= 16; ++threads) {
        use_threads(threads);
        copy_outputs(&actual, &start);
        expect_ok(operation->library(&actual), operation->name);
        expect_same_outputs(&actual, &expected, operation, threads);
    }
    nn_operands_free(&start);
    nn_operands_free(&expected);
    nn_operands_free(&actual);
}

ParameterizedTestParameters(Nn, AnyThreadCountGivesTheOraclesBits) {
    return cr_make_param_array(bits_case, bits_cases, COUNT_OF(bits_cases));
}

ParameterizedTest(const bits_case *c, Nn, AnyThreadCountGivesTheOraclesBits) {
    for (int operation = 0; operation < NN_OPERATION_COUNT; ++operation) {
        for (int type = 0; type < MATMUL_TYPE_COUNT; ++type) {
            expect_oracle_bits(&nn_operations[operation], (matmul_type)type, c);
        }
    }
}

/* Runs the library with the allocations from number `first` on failing; false once there are not so
 * many. */
static bool survives_failed_allocations(const nn_operation *operation, int64_t first,
                                        int64_t *memory_errors) {
    const nn_sizes sizes = {9, 600, 5};
    nn_operands actual = nn_operands_new(operation, MATMUL_F32, sizes, MATMUL_ORDINARY);
    nn_operands expected = nn_operands_new(operation, MATMUL_F32, sizes, MATMUL_ORDINARY);
    operation->oracle(&expected);
    kael_system_inject_failures(first, 1000000);
    kael_status status = operation->library(&actual);
    const bool reached = kael_system_injected_failures() > 0;
    kael_system_inject_failures(0, 0);
    if (status == KAEL_ERROR_MEMORY && reached) {
        *memory_errors += 1;
        status = operation->library(&actual);
    }
    expect_ok(status, operation->name);
    expect_same_outputs(&actual, &expected, operation, 1);
    nn_operands_free(&actual);
    nn_operands_free(&expected);
    return reached;
}

/* It is a memory error, or does no harm, and the next call works. */
Test(Nn, AnyAllocationMayFail) {
    kael_set_caching_allocator_enabled(false);
    for (int i = 0; i < NN_OPERATION_COUNT; ++i) {
        int64_t memory_errors = 0;
        for (int64_t first = 1;
             survives_failed_allocations(&nn_operations[i], first, &memory_errors); ++first) {
        }
        cr_expect_gt(memory_errors, 0, "%s", nn_operations[i].name);
    }
}

/* ---- relu ---- */

static const float relu_inputs[] = {-1, -0.0F, 0, 2, NAN, INFINITY, -INFINITY, 0x1p-149F};
static const float relu_results[] = {0, 0, 0, 2, NAN, INFINITY, 0, 0x1p-149F};
enum { RELU_COUNT = COUNT_OF(relu_inputs) };

Test(Relu, NegativeNumbersAndBothZerosBecomeZeroAndNanStays) {
    kael_tensor *input = vector_of(KAEL_F32, RELU_COUNT, relu_inputs);
    kael_tensor *out = NULL;
    expect_ok(kael_relu(&out, input), "kael_relu");
    expect_floats(out, relu_results, RELU_COUNT, "relu");
    expect_floats(input, relu_inputs, RELU_COUNT, "the input");
    expect_ok(kael_relu_into(input, input), "kael_relu_into");
    expect_floats(input, relu_results, RELU_COUNT, "relu in place");
    kael_tensor_release(out);
    kael_tensor_release(input);
}

Test(Relu, TheGradientPassesWhereTheOutputIsPositive) {
    static const float outputs[] = {1, 0, -0.0F, NAN, INFINITY, 0x1p-149F};
    static const float gradients[] = {NAN, INFINITY, -1, 5, -3, -0.0F};
    static const float results[] = {NAN, 0, 0, 0, -3, -0.0F};
    enum { COUNT = COUNT_OF(outputs) };
    kael_tensor *output = vector_of(KAEL_F32, COUNT, outputs);
    kael_tensor *gradient = vector_of(KAEL_F32, COUNT, gradients);
    kael_tensor *out = vector_of(KAEL_F32, COUNT, gradients);
    expect_ok(kael_relu_backward_into(out, gradient, output), "kael_relu_backward_into");
    expect_floats(out, results, COUNT, "relu backward");
    expect_ok(kael_relu_backward_into(gradient, gradient, output), "in place");
    expect_floats(gradient, results, COUNT, "relu backward in place");
    kael_tensor_release(output);
    kael_tensor_release(gradient);
    kael_tensor_release(out);
}

Test(Relu, ShapesOfAnyKindAndEmptyOnes) {
    const int64_t shapes[][3] = {{2, 0, 3}, {2, 2, 2}, {1, 1, 5}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        for (int64_t ndim = 0; ndim <= 3; ++ndim) {
            kael_tensor *input = zeros(KAEL_F64, ndim, shapes[i]);
            kael_tensor *out = NULL;
            expect_ok(kael_relu(&out, input), "kael_relu");
            cr_expect_eq(kael_tensor_ndim(out), ndim);
            cr_expect_eq(kael_tensor_numel(out), kael_tensor_numel(input));
            kael_tensor_release(out);
            kael_tensor_release(input);
        }
    }
}

/* ---- linear ---- */

static const float linear_input[] = {1, 2, 3, 4, 5, 6};
static const float linear_weight[] = {1, 0, -1, 2, 2, 2};
static const float linear_bias[] = {10, -0.5F};

typedef struct linear_tensors {
    kael_tensor *input;
    kael_tensor *weight;
    kael_tensor *bias;
} linear_tensors;

static linear_tensors new_linear(void) {
    return (linear_tensors){
        .input = matrix_of(KAEL_F32, 2, 3, linear_input),
        .weight = matrix_of(KAEL_F32, 2, 3, linear_weight),
        .bias = vector_of(KAEL_F32, 2, linear_bias),
    };
}

static void free_linear(linear_tensors *t) {
    kael_tensor_release(t->input);
    kael_tensor_release(t->weight);
    kael_tensor_release(t->bias);
}

Test(Linear, MultipliesByTheTransposedWeightAndAddsTheBias) {
    linear_tensors t = new_linear();
    kael_tensor *out = NULL;
    expect_ok(kael_linear(&out, t.input, t.weight, t.bias), "with bias");
    expect_floats(out, (const float[]){8, 11.5F, 8, 29.5F}, 4, "with bias");
    expect_ok(kael_linear_into(out, t.input, t.weight, NULL), "without bias");
    expect_floats(out, (const float[]){-2, 12, -2, 30}, 4, "without bias");
    kael_tensor_release(out);
    free_linear(&t);
}

Test(Linear, GradientsOfInputWeightAndBias) {
    static const float gradients[] = {1, 10, 100, 1000};
    linear_tensors t = new_linear();
    kael_tensor *gradient = matrix_of(KAEL_F32, 2, 2, gradients);
    kael_tensor *input_gradient = matrix_of(KAEL_F32, 2, 3, linear_input);
    kael_tensor *weight_gradient = matrix_of(KAEL_F32, 2, 3, linear_input);
    kael_tensor *bias_gradient = vector_of(KAEL_F32, 2, linear_bias);
    expect_ok(kael_linear_backward_into(input_gradient, weight_gradient, bias_gradient, gradient,
                                        t.input, t.weight),
              "kael_linear_backward_into");
    expect_floats(input_gradient, (const float[]){21, 20, 19, 2100, 2000, 1900}, 6, "input");
    expect_floats(weight_gradient, (const float[]){401, 502, 603, 4010, 5020, 6030}, 6, "weight");
    expect_floats(bias_gradient, (const float[]){101, 1010}, 2, "bias");
    kael_tensor_release(gradient);
    kael_tensor_release(input_gradient);
    kael_tensor_release(weight_gradient);
    kael_tensor_release(bias_gradient);
    free_linear(&t);
}

Test(Linear, GradientsThatAreNotAskedForAreNotComputed) {
    static const float gradients[] = {1, 10, 100, 1000};
    linear_tensors t = new_linear();
    kael_tensor *gradient = matrix_of(KAEL_F32, 2, 2, gradients);
    kael_tensor *bias_gradient = vector_of(KAEL_F32, 2, linear_bias);
    expect_ok(kael_linear_backward_into(NULL, NULL, NULL, gradient, t.input, t.weight), "none");
    expect_ok(kael_linear_backward_into(NULL, NULL, bias_gradient, gradient, t.input, t.weight),
              "bias");
    expect_floats(bias_gradient, (const float[]){101, 1010}, 2, "bias");
    kael_tensor_release(gradient);
    kael_tensor_release(bias_gradient);
    free_linear(&t);
}

/* Row by row and in a batch: the same bits. */
Test(Linear, ARowDoesNotDependOnTheOthers) {
    enum { ROWS = 33, INPUTS = 530, OUTPUTS = 21 };
    float *input = new_filled(MATMUL_F32, ROWS * INPUTS, MATMUL_CANCELLING, 1);
    float *weight = new_filled(MATMUL_F32, OUTPUTS * INPUTS, MATMUL_CANCELLING, 2);
    float *bias = new_filled(MATMUL_F32, OUTPUTS, MATMUL_CANCELLING, 3);
    kael_tensor *weight_tensor = matrix_of(KAEL_F32, OUTPUTS, INPUTS, weight);
    kael_tensor *bias_tensor = vector_of(KAEL_F32, OUTPUTS, bias);
    kael_tensor *batch = matrix_of(KAEL_F32, ROWS, INPUTS, input);
    kael_tensor *out = NULL;
    expect_ok(kael_linear(&out, batch, weight_tensor, bias_tensor), "the batch");
    for (int64_t row = 0; row < ROWS; ++row) {
        kael_tensor *alone = matrix_of(KAEL_F32, 1, INPUTS, input + row * INPUTS);
        kael_tensor *alone_out = NULL;
        expect_ok(kael_linear(&alone_out, alone, weight_tensor, bias_tensor), "one row");
        expect_floats(alone_out, (const float *)kael_tensor_data(out) + row * OUTPUTS, OUTPUTS,
                      "one row");
        kael_tensor_release(alone);
        kael_tensor_release(alone_out);
    }
    kael_tensor_release(weight_tensor);
    kael_tensor_release(bias_tensor);
    kael_tensor_release(batch);
    kael_tensor_release(out);
    free(input);
    free(weight);
    free(bias);
}

/* No rows, no inputs or no outputs: sums of nothing are zero. */
Test(Linear, EmptySizes) {
    const nn_sizes cases[] = {{0, 3, 2}, {2, 0, 3}, {2, 3, 0}, {0, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const nn_sizes *s = &cases[i];
        static const float values[] = {5, 6, 7, 8, 9, 10};
        kael_tensor *input = matrix_of(KAEL_F32, s->rows, s->inputs, values);
        kael_tensor *weight = matrix_of(KAEL_F32, s->columns, s->inputs, values);
        kael_tensor *bias = vector_of(KAEL_F32, s->columns, values);
        kael_tensor *bias_gradient = vector_of(KAEL_F32, s->columns, values);
        kael_tensor *weight_gradient = matrix_of(KAEL_F32, s->columns, s->inputs, values);
        kael_tensor *out = NULL;
        expect_ok(kael_linear(&out, input, weight, bias), "kael_linear");
        expect_floats(out, (const float[]){5, 6, 7, 5, 6, 7}, s->rows * s->columns, "out");
        expect_ok(
            kael_linear_backward_into(NULL, weight_gradient, bias_gradient, out, input, weight),
            "kael_linear_backward_into");
        static const float nothing[6] = {0};
        static const float sums[] = {10, 12, 14};
        expect_floats(weight_gradient, nothing, s->columns * s->inputs, "weight gradient");
        expect_floats(bias_gradient, s->rows == 0 ? nothing : sums, s->columns, "bias gradient");
        kael_tensor_release(input);
        kael_tensor_release(weight);
        kael_tensor_release(bias);
        kael_tensor_release(bias_gradient);
        kael_tensor_release(weight_gradient);
        kael_tensor_release(out);
    }
}

/* ---- cross entropy ---- */

typedef struct entropy_tensors {
    kael_tensor *logits;
    kael_tensor *targets;
    kael_tensor *losses;
    kael_tensor *gradient;
} entropy_tensors;

/* Losses, and the gradient of their sum. */
static entropy_tensors run_cross_entropy(kael_dtype dtype, int64_t rows, int64_t classes,
                                         const void *logits, const int64_t *targets) {
    entropy_tensors t = {
        .logits = matrix_of(dtype, rows, classes, logits),
        .targets = vector_of(KAEL_I64, rows, targets),
        .gradient = matrix_of(dtype, rows, classes, logits),
    };
    expect_ok(kael_cross_entropy_losses(&t.losses, t.logits, t.targets), "losses");
    expect_ok(kael_cross_entropy_backward_into(t.gradient, 1, t.logits, t.targets), "gradient");
    return t;
}

static void free_entropy(entropy_tensors *t) {
    kael_tensor_release(t->logits);
    kael_tensor_release(t->targets);
    kael_tensor_release(t->losses);
    kael_tensor_release(t->gradient);
}

Test(CrossEntropy, TheWorkedTrace) {
    static const float row[] = {1, 2, 3};
    static const double row_f64[] = {1, 2, 3};
    static const int64_t targets[] = {0};
    static const double loss[] = {2.407606};
    static const double gradient[] = {-0.909969, 0.244728, 0.665241};
    entropy_tensors t = run_cross_entropy(KAEL_F32, 1, 3, row, targets);
    expect_close(t.losses, loss, 1, "loss f32");
    expect_close(t.gradient, gradient, 3, "gradient f32");
    free_entropy(&t);
    t = run_cross_entropy(KAEL_F64, 1, 3, row_f64, targets);
    expect_close(t.losses, loss, 1, "loss f64");
    expect_close(t.gradient, gradient, 3, "gradient f64");
    free_entropy(&t);
}

Test(CrossEntropy, TheGradientIsScaledAndMayReplaceTheLogits) {
    static const double rows[] = {1, 2, 3, 1, 2, 3};
    static const int64_t targets[] = {0, 2};
    kael_tensor *logits = matrix_of(KAEL_F64, 2, 3, rows);
    kael_tensor *target_tensor = vector_of(KAEL_I64, 2, targets);
    expect_ok(kael_cross_entropy_backward_into(logits, -0.5, logits, target_tensor), "in place");
    expect_close(
        logits,
        (const double[]){0.4549845, -0.122364, -0.3326205, -0.0450155, -0.122364, 0.1673795}, 6,
        "gradient");
    kael_tensor_release(logits);
    kael_tensor_release(target_tensor);
}

/* Beyond the range of exp, and equal however far all logits are shifted. */
Test(CrossEntropy, LargeLogitsDoNotOverflow) {
    static const float rows[] = {1000, 1001, -1e30F, -1e30F, 3e38F, -3e38F};
    static const int64_t targets[] = {0, 1, 1};
    entropy_tensors t = run_cross_entropy(KAEL_F32, 3, 2, rows, targets);
    const float *losses = kael_tensor_data(t.losses);
    cr_expect(fabsf(losses[0] - 1.3132617F) < 1e-6F, "%g", (double)losses[0]);
    cr_expect(fabsf(losses[1] - 0.6931472F) < 1e-6F, "%g", (double)losses[1]);
    cr_expect(isinf(losses[2]) && losses[2] > 0, "%g", (double)losses[2]);
    free_entropy(&t);
}

Test(CrossEntropy, K26_InfiniteLogits) {
    static const float rows[] = {
        -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, -INFINITY, 1000, 0,
        -INFINITY, INFINITY,  0,         0,         1, 2,         3,
    };
    static const int64_t targets[] = {0, 1, 1, 0, 0};
    entropy_tensors t = run_cross_entropy(KAEL_F32, 5, 3, rows, targets);
    const float *losses = kael_tensor_data(t.losses);
    const float *gradient = kael_tensor_data(t.gradient);
    cr_expect(isnan(losses[0]));
    cr_expect(isnan(gradient[0]) && isnan(gradient[1]) && isnan(gradient[2]));
    cr_expect_eq(losses[1], 0);
    expect_same_bits(MATMUL_F32, gradient + 3, (const float[]){0, 0, 0}, 3, "[-inf, 0, -inf]");
    cr_expect_eq(losses[2], 1000);
    expect_same_bits(MATMUL_F32, gradient + 6, (const float[]){1, -1, 0}, 3, "[1000, 0, -inf]");
    cr_expect(isnan(losses[3]));
    cr_expect(isnan(gradient[9]) && isnan(gradient[10]) && isnan(gradient[11]));
    cr_expect(fabsf(losses[4] - 2.407606F) < 1e-6F, "rows must not touch each other");
    free_entropy(&t);
}

/* A NaN anywhere, whatever its place in the vectors, makes its row NaN and no other. */
Test(CrossEntropy, K07_NanAnywhereMakesTheRowNan) {
    enum { CLASSES = 1000 };
    static const int64_t places[] = {0, 1, 7, 8, 15, 16, 499, 500, 999};
    static const int64_t targets[] = {3, 3};
    for (size_t i = 0; i < COUNT_OF(places); ++i) {
        static float rows[2 * CLASSES];
        memset(rows, 0, sizeof rows);
        rows[places[i]] = NAN;
        entropy_tensors t = run_cross_entropy(KAEL_F32, 2, CLASSES, rows, targets);
        const float *losses = kael_tensor_data(t.losses);
        const float *gradient = kael_tensor_data(t.gradient);
        cr_expect(isnan(losses[0]), "NaN at %" PRId64, places[i]);
        cr_expect(fabsf(losses[1] - 6.9077554F) < 1e-6F);
        for (int64_t j = 0; j < CLASSES; ++j) {
            cr_expect(isnan(gradient[j]) && !isnan(gradient[CLASSES + j]));
        }
        free_entropy(&t);
    }
}

Test(CrossEntropy, K27_TargetsMustBeClasses) {
    static const float rows[] = {1, 2, 3, 1, 2, 3};
    static const struct {
        int64_t targets[2];
        const char *words;
    } cases[] = {
        {{3, 0}, "targets[0] 0 2 3"},
        {{-1, 0}, "targets[0] 0 2 -1"},
        {{0, -100}, "targets[1] -100"},
        {{2, INT64_MIN}, "targets[1] -9223372036854775808"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        kael_tensor *logits = matrix_of(KAEL_F32, 2, 3, rows);
        kael_tensor *targets = vector_of(KAEL_I64, 2, cases[i].targets);
        kael_tensor *out = logits;
        expect_error(kael_cross_entropy_losses(&out, logits, targets), KAEL_ERROR_INDEX,
                     cases[i].words, "losses");
        cr_expect_null(out);
        expect_error(kael_cross_entropy_backward_into(logits, 1, logits, targets), KAEL_ERROR_INDEX,
                     cases[i].words, "gradient");
        expect_floats(logits, rows, 6, "the logits");
        kael_tensor_release(logits);
        kael_tensor_release(targets);
    }
    entropy_tensors t = run_cross_entropy(KAEL_F32, 2, 3, rows, (const int64_t[]){2, 2});
    expect_close(t.losses, (const double[]){0.407606, 0.407606}, 2, "target 2");
    free_entropy(&t);
}

Test(CrossEntropy, OneClassAndNoRows) {
    static const float row[] = {-7};
    static const int64_t targets[] = {0};
    entropy_tensors t = run_cross_entropy(KAEL_F32, 1, 1, row, targets);
    expect_floats(t.losses, (const float[]){0}, 1, "one class");
    expect_floats(t.gradient, (const float[]){0}, 1, "one class");
    free_entropy(&t);
    t = run_cross_entropy(KAEL_F32, 0, 5, NULL, NULL);
    cr_expect_eq(kael_tensor_numel(t.losses), 0);
    free_entropy(&t);
}

/* ---- sgd ---- */

Test(Sgd, VelocityGathersAndMovesTheParameter) {
    static const float ones[] = {1, -2};
    static const float nothing[] = {0, 0};
    kael_tensor *parameter = vector_of(KAEL_F32, 2, ones);
    kael_tensor *velocity = vector_of(KAEL_F32, 2, nothing);
    kael_tensor *gradient = vector_of(KAEL_F32, 2, ones);
    expect_ok(kael_sgd_step(parameter, velocity, gradient, 0.5, 0.25), "first");
    expect_floats(velocity, (const float[]){1, -2}, 2, "velocity");
    expect_floats(parameter, (const float[]){0.5F, -1}, 2, "parameter");
    expect_ok(kael_sgd_step(parameter, velocity, gradient, 0.5, 0.25), "second");
    expect_floats(velocity, (const float[]){1.25F, -2.5F}, 2, "velocity");
    expect_floats(parameter, (const float[]){-0.125F, 0.25F}, 2, "parameter");
    expect_floats(gradient, ones, 2, "gradient");
    kael_tensor_release(parameter);
    kael_tensor_release(velocity);
    kael_tensor_release(gradient);
}

/* ---- errors ---- */

/* Operands that are right but for what a test replaces. */
typedef struct tensors {
    kael_tensor *a;       /* f32 (2, 3) */
    kael_tensor *b;       /* f32 (2, 3) */
    kael_tensor *c;       /* f32 (2, 3) */
    kael_tensor *wide;    /* f32 (3, 2) */
    kael_tensor *pair;    /* f32 (2) */
    kael_tensor *f64;     /* f64 (2, 3) */
    kael_tensor *i64;     /* i64 (2, 3) */
    kael_tensor *classes; /* i64 (2) */
} tensors;

static tensors new_tensors(void) {
    static const float values[] = {1, 2, 3, 4, 5, 6};
    static const double doubles[] = {1, 2, 3, 4, 5, 6};
    static const int64_t integers[] = {0, 1, 0, 1, 0, 1};
    return (tensors){
        .a = matrix_of(KAEL_F32, 2, 3, values),
        .b = matrix_of(KAEL_F32, 2, 3, values),
        .c = matrix_of(KAEL_F32, 2, 3, values),
        .wide = matrix_of(KAEL_F32, 3, 2, values),
        .pair = vector_of(KAEL_F32, 2, values),
        .f64 = matrix_of(KAEL_F64, 2, 3, doubles),
        .i64 = matrix_of(KAEL_I64, 2, 3, integers),
        .classes = vector_of(KAEL_I64, 2, integers),
    };
}

/* Nothing may have changed. */
static void free_tensors(tensors *t) {
    static const float values[] = {1, 2, 3, 4, 5, 6};
    expect_floats(t->a, values, 6, "a");
    expect_floats(t->b, values, 6, "b");
    expect_floats(t->c, values, 6, "c");
    expect_floats(t->wide, values, 6, "wide");
    expect_floats(t->pair, values, 2, "pair");
    kael_tensor_release(t->a);
    kael_tensor_release(t->b);
    kael_tensor_release(t->c);
    kael_tensor_release(t->wide);
    kael_tensor_release(t->pair);
    kael_tensor_release(t->f64);
    kael_tensor_release(t->i64);
    kael_tensor_release(t->classes);
}

/* The call fails in this way; `out` is NULL afterwards. */
#define EXPECT_NO_RESULT(call, status, words)                                                      \
    do {                                                                                           \
        kael_tensor *out = t.a;                                                                    \
        expect_error(call, status, words, #call);                                                  \
        cr_expect_null(out, "%s", #call);                                                          \
    } while (0)
#define EXPECT_REJECTED(call, status, words) expect_error(call, status, words, #call)

Test(Relu, BadArgumentsAreNamed) {
    tensors t = new_tensors();
    EXPECT_REJECTED(kael_relu_backward_into(t.a, t.b, NULL), KAEL_ERROR_VALUE, "output NULL");
    EXPECT_REJECTED(kael_relu_backward_into(t.a, NULL, t.b), KAEL_ERROR_VALUE,
                    "output_gradient NULL");
    EXPECT_REJECTED(kael_relu_backward_into(NULL, t.a, t.b), KAEL_ERROR_VALUE,
                    "input_gradient NULL");
    EXPECT_REJECTED(kael_relu_backward_into(t.a, t.b, t.f64), KAEL_ERROR_DTYPE, "output f64");
    EXPECT_REJECTED(kael_relu_backward_into(t.a, t.b, t.pair), KAEL_ERROR_SHAPE, "output (2)");
    EXPECT_REJECTED(kael_relu_backward_into(t.wide, t.a, t.b), KAEL_ERROR_SHAPE,
                    "input_gradient (3, 2)");
    free_tensors(&t);
}

Test(Linear, BadArgumentsAreNamed) {
    tensors t = new_tensors();
    EXPECT_NO_RESULT(kael_linear(&out, NULL, t.b, NULL), KAEL_ERROR_VALUE, "input NULL");
    EXPECT_NO_RESULT(kael_linear(&out, t.a, NULL, NULL), KAEL_ERROR_VALUE, "weight NULL");
    EXPECT_NO_RESULT(kael_linear(&out, t.pair, t.b, NULL), KAEL_ERROR_SHAPE, "weight (2, 3)");
    EXPECT_NO_RESULT(kael_linear(&out, t.a, t.wide, NULL), KAEL_ERROR_SHAPE, "weight 3 (3, 2)");
    EXPECT_NO_RESULT(kael_linear(&out, t.a, t.b, t.a), KAEL_ERROR_SHAPE, "bias (2) (2, 3)");
    EXPECT_NO_RESULT(kael_linear(&out, t.i64, t.i64, NULL), KAEL_ERROR_DTYPE, "input i64");
    EXPECT_NO_RESULT(kael_linear(&out, t.a, t.f64, NULL), KAEL_ERROR_DTYPE, "weight f32 f64");
    EXPECT_REJECTED(kael_linear(NULL, t.a, t.b, NULL), KAEL_ERROR_VALUE, "out NULL");
    EXPECT_REJECTED(kael_linear_into(t.c, t.a, t.b, NULL), KAEL_ERROR_SHAPE, "out (2, 2)");
    EXPECT_REJECTED(kael_linear_into(NULL, t.a, t.b, NULL), KAEL_ERROR_VALUE, "out NULL");
    free_tensors(&t);
}

Test(Linear, BadArgumentsOfTheGradientAreNamed) {
    tensors t = new_tensors();
    static const int64_t square[] = {2, 2};
    kael_tensor *gradient = zeros(KAEL_F32, 2, square);
    EXPECT_REJECTED(kael_linear_backward_into(NULL, NULL, NULL, NULL, t.a, t.b), KAEL_ERROR_VALUE,
                    "output_gradient NULL");
    EXPECT_REJECTED(kael_linear_backward_into(NULL, NULL, NULL, t.c, t.a, t.b), KAEL_ERROR_SHAPE,
                    "output_gradient (2, 2) (2, 3)");
    EXPECT_REJECTED(kael_linear_backward_into(t.wide, NULL, NULL, gradient, t.a, t.b),
                    KAEL_ERROR_SHAPE, "input_gradient (3, 2)");
    EXPECT_REJECTED(kael_linear_backward_into(NULL, t.f64, NULL, gradient, t.a, t.b),
                    KAEL_ERROR_DTYPE, "weight_gradient f64");
    EXPECT_REJECTED(kael_linear_backward_into(NULL, NULL, t.c, gradient, t.a, t.b),
                    KAEL_ERROR_SHAPE, "bias_gradient (2, 3)");
    free_tensors(&t);
    kael_tensor_release(gradient);
}

Test(Linear, GradientsMustNotOverlapOperandsOrEachOther) {
    tensors t = new_tensors();
    static const float values[] = {1, 2, 3, 4};
    kael_tensor *square = matrix_of(KAEL_F32, 2, 2, values);
    kael_tensor *other = matrix_of(KAEL_F32, 2, 2, values);
    EXPECT_REJECTED(kael_linear_backward_into(t.a, NULL, NULL, square, t.a, t.b), KAEL_ERROR_VALUE,
                    "input_gradient input");
    EXPECT_REJECTED(kael_linear_backward_into(NULL, t.b, NULL, square, t.a, t.b), KAEL_ERROR_VALUE,
                    "weight_gradient weight");
    EXPECT_REJECTED(kael_linear_backward_into(t.c, t.c, NULL, square, t.a, t.b), KAEL_ERROR_VALUE,
                    "weight_gradient input_gradient");
    expect_floats(square, values, 4, "square");
    expect_floats(other, values, 4, "other");
    kael_tensor_release(square);
    kael_tensor_release(other);
    free_tensors(&t);
}

Test(CrossEntropy, BadArgumentsAreNamed) {
    tensors t = new_tensors();
    EXPECT_NO_RESULT(kael_cross_entropy_losses(&out, NULL, t.classes), KAEL_ERROR_VALUE,
                     "logits NULL");
    EXPECT_NO_RESULT(kael_cross_entropy_losses(&out, t.a, NULL), KAEL_ERROR_VALUE, "targets NULL");
    EXPECT_NO_RESULT(kael_cross_entropy_losses(&out, t.pair, t.classes), KAEL_ERROR_SHAPE,
                     "targets () (2)");
    EXPECT_NO_RESULT(kael_cross_entropy_losses(&out, t.i64, t.classes), KAEL_ERROR_DTYPE,
                     "logits i64");
    EXPECT_NO_RESULT(kael_cross_entropy_losses(&out, t.a, t.pair), KAEL_ERROR_DTYPE,
                     "targets i64 f32");
    EXPECT_NO_RESULT(kael_cross_entropy_losses(&out, t.wide, t.classes), KAEL_ERROR_SHAPE,
                     "targets (3) (2)");
    EXPECT_REJECTED(kael_cross_entropy_losses(NULL, t.a, t.classes), KAEL_ERROR_VALUE, "out NULL");
    EXPECT_REJECTED(kael_cross_entropy_backward_into(NULL, 1, t.a, t.classes), KAEL_ERROR_VALUE,
                    "gradient NULL");
    EXPECT_REJECTED(kael_cross_entropy_backward_into(t.wide, 1, t.a, t.classes), KAEL_ERROR_SHAPE,
                    "gradient (2, 3) (3, 2)");
    EXPECT_REJECTED(kael_cross_entropy_backward_into(t.f64, 1, t.a, t.classes), KAEL_ERROR_DTYPE,
                    "gradient f64");
    free_tensors(&t);
}

Test(CrossEntropy, WithoutClassesNoTargetIsRight) {
    static const int64_t shape[] = {2, 0};
    static const int64_t targets[] = {0, 0};
    kael_tensor *logits = zeros(KAEL_F32, 2, shape);
    kael_tensor *target_tensor = vector_of(KAEL_I64, 2, targets);
    kael_tensor *out = logits;
    expect_error(kael_cross_entropy_losses(&out, logits, target_tensor), KAEL_ERROR_INDEX,
                 "targets[0]", "no classes");
    cr_expect_null(out);
    kael_tensor_release(logits);
    kael_tensor_release(target_tensor);
}

Test(Sgd, BadArgumentsAreNamed) {
    tensors t = new_tensors();
    EXPECT_REJECTED(kael_sgd_step(NULL, t.b, t.c, 1, 0), KAEL_ERROR_VALUE, "parameter NULL");
    EXPECT_REJECTED(kael_sgd_step(t.a, NULL, t.c, 1, 0), KAEL_ERROR_VALUE, "velocity NULL");
    EXPECT_REJECTED(kael_sgd_step(t.a, t.b, NULL, 1, 0), KAEL_ERROR_VALUE, "gradient NULL");
    EXPECT_REJECTED(kael_sgd_step(t.i64, t.b, t.c, 1, 0), KAEL_ERROR_DTYPE, "parameter i64");
    EXPECT_REJECTED(kael_sgd_step(t.a, t.f64, t.c, 1, 0), KAEL_ERROR_DTYPE, "velocity f64");
    EXPECT_REJECTED(kael_sgd_step(t.a, t.b, t.wide, 1, 0), KAEL_ERROR_SHAPE, "gradient (3, 2)");
    EXPECT_REJECTED(kael_sgd_step(t.a, t.a, t.c, 1, 0), KAEL_ERROR_VALUE, "parameter velocity");
    EXPECT_REJECTED(kael_sgd_step(t.a, t.b, t.a, 1, 0), KAEL_ERROR_VALUE, "parameter gradient");
    EXPECT_REJECTED(kael_sgd_step(t.a, t.b, t.b, 1, 0), KAEL_ERROR_VALUE, "velocity gradient");
    free_tensors(&t);
}
