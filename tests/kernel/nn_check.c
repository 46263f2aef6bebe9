/* The kernels of neural-network layers against the oracle, with operands that end at unreadable
 * pages and outputs compared together with their surroundings. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "kernel_check.h"
#include "kernels/kernels.h"
#include "oracle/matmul_compare.h"
#include "oracle/matmul_values.h"
#include "oracle/nn_oracle.h"
#include "oracle/normalize_oracle.h"

enum {
    ARENA_BYTES = 2 << 20,
    MARGIN = 80, /* elements around an output that must stay as they are */
    INPUTS = 2,
};

typedef struct nn_check {
    kernel_check *check;
    const kael_nn_kernels *kernels;
    const kael_softmax_kernels *softmax;
    const kael_normalize_kernels *normalize;
    const kael_elementary_maps *maps;
    const char *isa;
    matmul_type type;
    matmul_values values;
    arena inputs[INPUTS];
    arena out;
    arena second_out;
    arena third_out;
    void *expected;
    void *second_expected;
    void *third_expected;
    uint64_t turn; /* varies the parameters that are not enumerated */
} nn_check;

static uint64_t vary(nn_check *n, uint64_t choices) {
    return matmul_random(99, n->turn++) % choices;
}

static void begin_case(nn_check *n, const char *kernel, int64_t rows, int64_t columns) {
    check_case(n->check, "%s %s %s: %" PRId64 " x %" PRId64 ", values %d", n->isa, kernel,
               matmul_type_name(n->type), rows, columns, (int)n->values);
}

/* Places an input against a random edge; its elements are those that the arena was filled with. */
static const void *place_input(nn_check *n, int input, int64_t count) {
    const arena_edge edge = vary(n, 2) == 0 ? ARENA_BEGIN : ARENA_END;
    return arena_place(&n->inputs[input], edge, 0, count * (int64_t)matmul_size(n->type));
}

/* An output between elements that must not change, and its counterpart for the oracle. */
typedef struct output {
    char *first;
    int64_t count;
    void *copy;
    void *data;
    void *expected;
} output;

static output open_output(nn_check *n, const arena *memory, void *copy, int64_t count) {
    const int64_t size = (int64_t)matmul_size(n->type);
    const arena_edge edge = vary(n, 2) == 0 ? ARENA_BEGIN : ARENA_END;
    const int64_t before = edge == ARENA_BEGIN ? 0 : MARGIN;
    output result = {.count = count + MARGIN, .copy = copy};
    result.first = arena_place(memory, edge, 0, result.count * size);
    result.data = matmul_at(n->type, result.first, before);
    result.expected = matmul_at(n->type, copy, before);
    matmul_fill(n->type, result.first, result.count, n->values, n->turn++);
    memcpy(copy, result.first, (size_t)(result.count * size));
    return result;
}

static output open_first_output(nn_check *n, int64_t count) {
    return open_output(n, &n->out, n->expected, count);
}

static void compare_output(const nn_check *n, const output *out) {
    const int64_t index = matmul_first_difference(n->type, out->first, out->copy, out->count);
    if (index >= 0) {
        char text[MATMUL_TEXT_SIZE];
        check_failed(n->check, "%s (the output begins at element %" PRId64 ")",
                     matmul_describe_difference(text, n->type, out->first, out->copy, index),
                     ((char *)out->data - out->first) / (int64_t)matmul_size(n->type));
    }
}

/* ---- one element at a time ---- */

static void check_relu_backward(nn_check *n, int64_t count) {
    begin_case(n, "relu_backward", 1, count);
    const void *output_gradient = place_input(n, 0, count);
    const void *activation = place_input(n, 1, count);
    const output out = open_first_output(n, count);
    oracle_relu_backward(n->type, count, output_gradient, activation, out.expected);
    n->kernels->relu_backward(count, output_gradient, activation, out.data);
    compare_output(n, &out);

    begin_case(n, "relu_backward in place", 1, count);
    const output in_place = open_first_output(n, count);
    oracle_relu_backward(n->type, count, in_place.expected, activation, in_place.expected);
    n->kernels->relu_backward(count, in_place.data, activation, in_place.data);
    compare_output(n, &in_place);
}

static void check_sgd(nn_check *n, int64_t count) {
    static const kael_sgd_options choices[] = {{0.05, 0.9, 0, false},  {1, 0, 0, false},
                                               {0x1p-70, 1, 0, false}, {0, -0.5, 0, false},
                                               {3, 1.1, 0, false},     {0.05, 0.9, 0.01, false},
                                               {0.1, 0.9, 0, true},    {0.05, 0.8, 0x1p-3, true}};
    const kael_sgd_options *options = &choices[vary(n, sizeof choices / sizeof choices[0])];
    const kael_descent_step step = {
        .learning_rate = options->learning_rate,
        .momentum = options->momentum,
        .weight_decay = options->weight_decay,
        .is_nesterov = options->nesterov,
    };
    begin_case(n, "sgd", 1, count);
    const void *gradient = place_input(n, 0, count);
    const output parameter = open_first_output(n, count);
    const output velocity = open_output(n, &n->second_out, n->second_expected, count);
    oracle_sgd(n->type, count, options, gradient, velocity.expected, parameter.expected);
    n->kernels->sgd(count, &step, gradient, velocity.data, parameter.data);
    compare_output(n, &parameter);
    compare_output(n, &velocity);
}

/* The first step, whose powers are the numbers themselves. */
static void check_adam(nn_check *n, int64_t count) {
    static const kael_adam_options choices[] = {{0.001, 0.9, 0.999, 1e-8, 0, false},
                                                {0.01, 0.8, 0.99, 1e-6, 0.1, false},
                                                {0.01, 0.9, 0.999, 1e-8, 0.1, true},
                                                {1, 0, 0.5, 0x1p-40, 0, true}};
    const kael_adam_options *options = &choices[vary(n, sizeof choices / sizeof choices[0])];
    const kael_descent_step step = {
        .learning_rate = options->learning_rate,
        .weight_decay = options->weight_decay,
        .beta1 = options->beta1,
        .beta2 = options->beta2,
        .eps = options->eps,
        .is_decoupled = options->decoupled,
        .step_size = options->learning_rate / (1 - options->beta1),
        .second_factor = 1 / sqrt(1 - options->beta2),
    };
    begin_case(n, "adam", 1, count);
    const void *gradient = place_input(n, 0, count);
    const output parameter = open_first_output(n, count);
    const output first = open_output(n, &n->second_out, n->second_expected, count);
    const output second = open_output(n, &n->third_out, n->third_expected, count);
    oracle_adam(n->type, count, options, 1, gradient, first.expected, second.expected,
                parameter.expected);
    n->kernels->adam(count, &step, gradient, first.data, second.data, parameter.data);
    compare_output(n, &parameter);
    compare_output(n, &first);
    compare_output(n, &second);
}

/* ---- matrices ---- */

static void check_add_bias(nn_check *n, int64_t rows, int64_t columns) {
    begin_case(n, "add_bias", rows, columns);
    const int64_t row_stride = columns + (int64_t)vary(n, 2) * 3;
    const void *bias = place_input(n, 0, columns);
    const output out = open_first_output(n, rows * row_stride);
    for (int64_t i = 0; i < rows; ++i) {
        oracle_add_bias(n->type, 1, columns, bias,
                        matmul_at(n->type, out.expected, i * row_stride));
    }
    n->kernels->add_bias(rows, columns, bias, out.data, row_stride);
    compare_output(n, &out);
}

/* ---- rows of softmax ---- */

typedef void row_oracle(matmul_type type, int64_t count, const void *row, void *out);
typedef void gradient_oracle(matmul_type type, int64_t count, const void *result,
                             const void *gradient, void *out);

/* Two rows some elements apart, into rows some elements apart. */
static void check_rows(nn_check *n, const char *name, kael_softmax_function *function,
                       row_oracle *oracle, int64_t count) {
    begin_case(n, name, 2, count);
    const int64_t in_stride = count + (int64_t)vary(n, 3);
    const int64_t out_stride = count + (int64_t)vary(n, 3);
    const void *in = place_input(n, 0, in_stride + count);
    const output out = open_first_output(n, out_stride + count);
    for (int64_t row = 0; row < 2; ++row) {
        oracle(n->type, count, (const char *)in + row * in_stride * (int64_t)matmul_size(n->type),
               matmul_at(n->type, out.expected, row * out_stride));
    }
    function(&(kael_softmax_rows){.rows = 2,
                                  .count = count,
                                  .in = in,
                                  .in_stride = in_stride,
                                  .out = out.data,
                                  .out_stride = out_stride});
    compare_output(n, &out);

    begin_case(n, name, 1, count);
    const output in_place = open_first_output(n, count);
    void *copy = malloc((size_t)count * matmul_size(n->type));
    memcpy(copy, in_place.data, (size_t)count * matmul_size(n->type));
    oracle(n->type, count, copy, in_place.expected);
    free(copy);
    function(
        &(kael_softmax_rows){.rows = 1, .count = count, .in = in_place.data, .out = in_place.data});
    compare_output(n, &in_place);
}

static void check_row_gradients(nn_check *n, const char *name, kael_softmax_function *function,
                                gradient_oracle *oracle, int64_t count) {
    begin_case(n, name, 1, count);
    const void *result = place_input(n, 0, count);
    const void *gradient = place_input(n, 1, count);
    const output out = open_first_output(n, count);
    oracle(n->type, count, result, gradient, out.expected);
    function(&(kael_softmax_rows){
        .rows = 1, .count = count, .in = result, .gradient = gradient, .out = out.data});
    compare_output(n, &out);
}

static void check_softmax(nn_check *n, int64_t count) {
    check_rows(n, "softmax", n->softmax->softmax, oracle_softmax, count);
    check_rows(n, "log_softmax", n->softmax->log_softmax, oracle_log_softmax, count);
    check_row_gradients(n, "softmax_backward", n->softmax->softmax_backward,
                        oracle_softmax_backward, count);
    check_row_gradients(n, "log_softmax_backward", n->softmax->log_softmax_backward,
                        oracle_log_softmax_backward, count);
}

/* Room for a number of either type. */
typedef union number {
    float f32;
    double f64;
} number;

static void check_cross_entropy(nn_check *n, int64_t classes) {
    const int64_t target = (int64_t)vary(n, (uint64_t)classes);
    begin_case(n, "cross_entropy", 1, classes);
    const kael_softmax_rows row = {.rows = 1, .count = classes, .in = place_input(n, 0, classes)};
    const output loss = open_first_output(n, 1);
    oracle_cross_entropy(n->type, classes, row.in, target, loss.expected);
    number largest;
    number total;
    n->softmax->statistics(&row, &largest, &total);
    n->maps->log(1, &total, loss.data);
    n->softmax->target_losses(&row, &target, &largest, loss.data, loss.data);
    compare_output(n, &loss);
}

static void subtract_at(nn_check *n, void *data, int64_t index, number scale) {
    if (n->type == MATMUL_F32) {
        ((float *)data)[index] -= scale.f32;
    } else {
        ((double *)data)[index] -= scale.f64;
    }
}

static void run_cross_entropy_backward(nn_check *n, int64_t classes, const void *in, int64_t target,
                                       double row_gradient, void *out) {
    const kael_softmax_rows row = {.rows = 1, .count = classes, .in = in, .out = out};
    number largest;
    number total;
    number scale;
    if (n->type == MATMUL_F32) {
        scale.f32 = (float)row_gradient;
    } else {
        scale.f64 = row_gradient;
    }
    n->softmax->statistics(&row, &largest, &total);
    n->softmax->scaled_softmax(&row, &largest, &total, &scale);
    subtract_at(n, out, target, scale);
}

static void check_cross_entropy_backward(nn_check *n, int64_t classes) {
    static const double row_gradients[] = {1.0 / 64, 1, -0.3, 0};
    const double row_gradient = row_gradients[vary(n, 4)];
    const int64_t target = (int64_t)vary(n, (uint64_t)classes);
    begin_case(n, "cross_entropy_backward", 1, classes);
    const void *row = place_input(n, 0, classes);
    const output out = open_first_output(n, classes);
    oracle_cross_entropy_backward(n->type, classes, row, target, row_gradient, out.expected);
    run_cross_entropy_backward(n, classes, row, target, row_gradient, out.data);
    compare_output(n, &out);

    begin_case(n, "cross_entropy_backward in place", 1, classes);
    const output in_place = open_first_output(n, classes);
    oracle_cross_entropy_backward(n->type, classes, in_place.data, target, row_gradient,
                                  in_place.expected);
    run_cross_entropy_backward(n, classes, in_place.data, target, row_gradient, in_place.data);
    compare_output(n, &in_place);
}

/* ---- rows of normalisation ---- */

static double *doubles_of(const nn_check *n, const void *elements, int64_t count) {
    double *made = malloc((size_t)count * sizeof *made);
    for (int64_t i = 0; i < count; ++i) {
        made[i] = n->type == MATMUL_F32 ? (double)((const float *)elements)[i]
                                        : ((const double *)elements)[i];
    }
    return made;
}

static void store_doubles(const nn_check *n, const double *values, int64_t count, void *elements) {
    for (int64_t i = 0; i < count; ++i) {
        if (n->type == MATMUL_F32) {
            ((float *)elements)[i] = (float)values[i];
        } else {
            ((double *)elements)[i] = values[i];
        }
    }
}

/* Several rows, with a weight and a bias or without; the rows that a kernel takes together and one
 * more. */
static void check_normalize_kernel(nn_check *n, const char *name, kael_normalize_function *function,
                                   bool is_centered, bool is_backward, int64_t count) {
    const int64_t rows = count <= 4099 ? 5 : 1;
    const bool is_affine = vary(n, 2) == 0;
    begin_case(n, name, rows, count);
    const void *in = place_input(n, 0, rows * count);
    const void *gradient = place_input(n, 1, rows * count);
    const output out = open_first_output(n, rows * count);
    double *x = doubles_of(n, in, rows * count);
    double *dy = doubles_of(n, gradient, rows * count);
    double *results = malloc((size_t)(rows * count) * sizeof *results);
    for (int64_t r = 0; r < rows; ++r) {
        const normalize_row row = {
            .is_f32 = n->type == MATMUL_F32,
            .is_centered = is_centered,
            .eps = 1e-5,
            .count = count,
            .x = x + r * count,
            .weight = is_affine ? dy : NULL,
            .bias = is_affine && !is_backward ? x : NULL,
        };
        if (is_backward) {
            oracle_normalize_backward(&row, dy + r * count, results + r * count);
        } else {
            oracle_normalize(&row, results + r * count);
        }
    }
    store_doubles(n, results, rows * count, out.expected);
    function(&(kael_normalize_rows){
        .rows = rows,
        .count = count,
        .eps = 1e-5,
        .in = in,
        .in_stride = count,
        .gradient = is_backward ? gradient : NULL,
        .gradient_stride = count,
        .weight = is_affine ? gradient : NULL,
        .bias = is_affine && !is_backward ? in : NULL,
        .out = out.data,
        .out_stride = count,
    });
    compare_output(n, &out);
    free(results);
    free(dy);
    free(x);
}

static void check_normalize(nn_check *n, int64_t count) {
    const kael_normalize_kernels *kernels = n->normalize;
    check_normalize_kernel(n, "layer_norm", kernels->layer_norm, true, false, count);
    check_normalize_kernel(n, "rms_norm", kernels->rms_norm, false, false, count);
    check_normalize_kernel(n, "layer_norm_backward", kernels->layer_norm_backward, true, true,
                           count);
    check_normalize_kernel(n, "rms_norm_backward", kernels->rms_norm_backward, false, true, count);
}

/* ---- selection ---- */

static void check_count(nn_check *n, int64_t count) {
    check_relu_backward(n, count);
    check_sgd(n, count);
    check_adam(n, count);
    if (count > 0) {
        check_softmax(n, count);
        check_normalize(n, count);
        check_cross_entropy(n, count);
        check_cross_entropy_backward(n, count);
    }
}

static void check_counts(nn_check *n) {
    static const int64_t large[] = {255, 256, 257, 511, 1000, 4099};
    const int64_t dense = n->check->quick ? 36 : 140;
    for (int64_t count = 0; count <= dense; ++count) {
        check_count(n, count);
    }
    for (size_t i = 0; i < sizeof large / sizeof large[0]; ++i) {
        check_count(n, large[i]);
    }
}

/* Rows of several blocks: one, the ends of the first, and counts that need every shape of tree. */
static void check_long_rows(nn_check *n) {
    static const int64_t counts[] = {16383,     16384,         16385,        32768 + 5,
                                     3 * 16384, 5 * 16384 + 7, 7 * 16384 + 9};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        check_softmax(n, counts[i]);
        check_normalize(n, counts[i]);
        check_cross_entropy(n, counts[i]);
        check_cross_entropy_backward(n, counts[i]);
    }
}

static void check_matrices(nn_check *n) {
    static const int64_t row_counts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 40, 64, 65};
    for (size_t i = 0; i < sizeof row_counts / sizeof row_counts[0]; ++i) {
        const int64_t step = n->check->quick ? 7 : 1;
        for (int64_t columns = 1; columns <= 70; columns += step) {
            check_add_bias(n, row_counts[i], columns);
        }
    }
}

static bool is_complete(const kael_nn_kernels *kernels) {
    return kernels != NULL && kernels->relu_backward != NULL && kernels->add_bias != NULL &&
           kernels->sgd != NULL && kernels->adam != NULL;
}

static void check_record(kernel_check *check, const kael_kernels *table, matmul_type type) {
    const char *isa = table->name;
    const kael_nn_kernels *kernels = type == MATMUL_F32 ? table->nn_f32 : table->nn_f64;
    const kael_softmax_kernels *softmax =
        type == MATMUL_F32 ? table->softmax_f32 : table->softmax_f64;
    const kael_normalize_kernels *normalize =
        type == MATMUL_F32 ? table->normalize_f32 : table->normalize_f64;
    static const matmul_values kinds[] = {MATMUL_SPECIAL, MATMUL_ORDINARY, MATMUL_CANCELLING,
                                          MATMUL_TINY, MATMUL_INTEGERS};
    check_case(check, "%s nn %s", isa, matmul_type_name(type));
    if (!is_complete(kernels) || softmax == NULL || normalize == NULL) {
        check_failed(check, "the table lacks the record or one of its functions");
        return;
    }
    nn_check n = {
        .check = check,
        .kernels = kernels,
        .softmax = softmax,
        .normalize = normalize,
        .maps = type == MATMUL_F32 ? table->elementary_f32 : table->elementary_f64,
        .isa = isa,
        .type = type,
        .inputs = {arena_open(ARENA_BYTES), arena_open(ARENA_BYTES)},
        .out = arena_open(ARENA_BYTES),
        .second_out = arena_open(ARENA_BYTES),
        .third_out = arena_open(ARENA_BYTES),
        .expected = malloc(ARENA_BYTES),
        .second_expected = malloc(ARENA_BYTES),
        .third_expected = malloc(ARENA_BYTES),
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        n.values = kinds[i];
        for (int input = 0; input < INPUTS; ++input) {
            matmul_fill(type, n.inputs[input].begin, ARENA_BYTES / (int64_t)matmul_size(type),
                        n.values, (uint64_t)input + 1);
        }
        check_counts(&n);
        check_matrices(&n);
    }
    n.values = MATMUL_ORDINARY;
    if (!check->quick) {
        check_long_rows(&n);
    }
    check->kernels += 16;
    free(n.expected);
    free(n.second_expected);
    free(n.third_expected);
    arena_close(&n.inputs[0]);
    arena_close(&n.inputs[1]);
    arena_close(&n.out);
    arena_close(&n.second_out);
    arena_close(&n.third_out);
}

void check_nn_kernels(kernel_check *check, const kael_kernels *kernels) {
    check_record(check, kernels, MATMUL_F32);
    check_record(check, kernels, MATMUL_F64);
}
