#include "oracle/nn_operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/nn.h"
#include "kael/ops.h"
#include "oracle/nn_oracle.h"

/* Numbers that round differently in f32 and f64. */
static const double row_gradient = 1.0 / 60;
static const double learning_rate = 0.05;
static const double momentum = 0.9;

/* ---- the library, with its tensors, on arrays ---- */

enum { MOST_TENSORS = 2 * NN_MOST_ARRAYS + 1 };

/* Tensors made of arrays; the first failure is kept, and later calls do nothing. */
typedef struct tensor_set {
    const nn_operands *operands;
    kael_status status;
    kael_tensor *tensors[MOST_TENSORS];
    int count;
} tensor_set;

static kael_tensor *place(tensor_set *set, kael_dtype dtype, int64_t ndim, int64_t first,
                          int64_t second, const void *data) {
    const int64_t shape[] = {first, second};
    kael_tensor *tensor = NULL;
    if (set->status == KAEL_OK) {
        set->status = kael_tensor_from_data(&tensor, dtype, ndim, shape, data);
        set->tensors[set->count++] = tensor;
    }
    return tensor;
}

static kael_dtype dtype_of(const tensor_set *set) {
    return set->operands->type == MATMUL_F32 ? KAEL_F32 : KAEL_F64;
}

static kael_tensor *place_matrix(tensor_set *set, int64_t rows, int64_t columns, nn_array array) {
    return place(set, dtype_of(set), 2, rows, columns, array.data);
}

static kael_tensor *place_vector(tensor_set *set, int64_t size, nn_array array) {
    return place(set, dtype_of(set), 1, size, 0, array.data);
}

static kael_tensor *place_targets(tensor_set *set) {
    return place(set, KAEL_I64, 1, set->operands->sizes.rows, 0, set->operands->targets);
}

/* A result that the library made itself. */
static void adopt(tensor_set *set, kael_tensor *tensor) {
    set->tensors[set->count++] = tensor;
}

static void take(const tensor_set *set, nn_array array, const kael_tensor *tensor) {
    if (set->status == KAEL_OK && array.count > 0) {
        memcpy(array.data, kael_tensor_data(tensor),
               (size_t)array.count * matmul_size(set->operands->type));
    }
}

static kael_status clear(tensor_set *set) {
    for (int i = 0; i < set->count; ++i) {
        kael_tensor_release(set->tensors[i]);
    }
    return set->status;
}

/* Makes the call if all went well so far. */
#define ATTEMPT(set, call) ((set).status = (set).status == KAEL_OK ? (call) : (set).status)

/* ---- relu ---- */

static int64_t matrix_count(const nn_operands *o) {
    return o->sizes.rows * o->sizes.columns;
}

static void measure_map(nn_operands *o) {
    o->in[0].count = o->out[0].count = matrix_count(o);
}

static void relu_by_oracle(const nn_operands *o) {
    oracle_relu(o->type, o->in[0].count, o->in[0].data, o->out[0].data);
}

static kael_status relu_by_library(const nn_operands *o) {
    tensor_set set = {.operands = o};
    kael_tensor *result = NULL;
    const kael_tensor *input = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->in[0]);
    ATTEMPT(set, kael_relu(&result, input));
    adopt(&set, result);
    take(&set, o->out[0], result);
    return clear(&set);
}

static void measure_relu_backward(nn_operands *o) {
    o->in[0].count = o->in[1].count = o->out[0].count = matrix_count(o);
}

static void relu_backward_by_oracle(const nn_operands *o) {
    oracle_relu_backward(o->type, o->in[0].count, o->in[0].data, o->in[1].data, o->out[0].data);
}

static kael_status relu_backward_by_library(const nn_operands *o) {
    tensor_set set = {.operands = o};
    const kael_tensor *output_gradient =
        place_matrix(&set, o->sizes.rows, o->sizes.columns, o->in[0]);
    const kael_tensor *output = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->in[1]);
    kael_tensor *result = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->out[0]);
    ATTEMPT(set, kael_relu_backward_into(result, output_gradient, output));
    take(&set, o->out[0], result);
    return clear(&set);
}

/* ---- linear ---- */

static void measure_linear(nn_operands *o) {
    o->in[0].count = o->sizes.rows * o->sizes.inputs;
    o->in[1].count = o->sizes.columns * o->sizes.inputs;
    o->in[2].count = o->sizes.columns;
    o->out[0].count = matrix_count(o);
}

static void linear_by_oracle(const nn_operands *o) {
    const nn_sizes *s = &o->sizes;
    const matmul_problem product = {
        .m = s->rows,
        .n = s->columns,
        .k = s->inputs,
        .alpha = 1,
        .a = {o->in[0].data, s->inputs, 1},
        .b = {o->in[1].data, 1, s->inputs},
        .beta = 0,
        .c = {o->out[0].data, s->columns, 1},
    };
    oracle_gemm(o->type, &product);
    oracle_add_bias(o->type, s->rows, s->columns, o->in[2].data, o->out[0].data);
}

static kael_status linear_by_library(const nn_operands *o) {
    tensor_set set = {.operands = o};
    kael_tensor *result = NULL;
    const kael_tensor *input = place_matrix(&set, o->sizes.rows, o->sizes.inputs, o->in[0]);
    const kael_tensor *weight = place_matrix(&set, o->sizes.columns, o->sizes.inputs, o->in[1]);
    const kael_tensor *bias = place_vector(&set, o->sizes.columns, o->in[2]);
    ATTEMPT(set, kael_linear(&result, input, weight, bias));
    adopt(&set, result);
    take(&set, o->out[0], result);
    return clear(&set);
}

static void measure_linear_backward(nn_operands *o) {
    o->in[0].count = matrix_count(o);
    o->in[1].count = o->out[0].count = o->sizes.rows * o->sizes.inputs;
    o->in[2].count = o->out[1].count = o->sizes.columns * o->sizes.inputs;
    o->out[2].count = o->sizes.columns;
}

static void linear_backward_by_oracle(const nn_operands *o) {
    const nn_sizes *s = &o->sizes;
    const matmul_problem input_gradient = {
        .m = s->rows,
        .n = s->inputs,
        .k = s->columns,
        .alpha = 1,
        .a = {o->in[0].data, s->columns, 1},
        .b = {o->in[2].data, s->inputs, 1},
        .beta = 0,
        .c = {o->out[0].data, s->inputs, 1},
    };
    const matmul_problem weight_gradient = {
        .m = s->columns,
        .n = s->inputs,
        .k = s->rows,
        .alpha = 1,
        .a = {o->in[0].data, 1, s->columns},
        .b = {o->in[1].data, s->inputs, 1},
        .beta = 0,
        .c = {o->out[1].data, s->inputs, 1},
    };
    oracle_gemm(o->type, &input_gradient);
    oracle_gemm(o->type, &weight_gradient);
    oracle_column_sums(o->type, s->rows, s->columns, o->in[0].data, o->out[2].data);
}

static kael_status linear_backward_by_library(const nn_operands *o) {
    const nn_sizes *s = &o->sizes;
    tensor_set set = {.operands = o};
    const kael_tensor *output_gradient = place_matrix(&set, s->rows, s->columns, o->in[0]);
    const kael_tensor *input = place_matrix(&set, s->rows, s->inputs, o->in[1]);
    const kael_tensor *weight = place_matrix(&set, s->columns, s->inputs, o->in[2]);
    kael_tensor *input_gradient = place_matrix(&set, s->rows, s->inputs, o->out[0]);
    kael_tensor *weight_gradient = place_matrix(&set, s->columns, s->inputs, o->out[1]);
    kael_tensor *bias_gradient = place_vector(&set, s->columns, o->out[2]);
    ATTEMPT(set, kael_linear_backward_into(input_gradient, weight_gradient, bias_gradient,
                                           output_gradient, input, weight));
    take(&set, o->out[0], input_gradient);
    take(&set, o->out[1], weight_gradient);
    take(&set, o->out[2], bias_gradient);
    return clear(&set);
}

/* ---- cross entropy ---- */

static void measure_cross_entropy(nn_operands *o) {
    o->in[0].count = matrix_count(o);
    o->out[0].count = o->sizes.rows;
}

static void cross_entropy_by_oracle(const nn_operands *o) {
    for (int64_t row = 0; row < o->sizes.rows; ++row) {
        oracle_cross_entropy(o->type, o->sizes.columns,
                             matmul_at(o->type, o->in[0].data, row * o->sizes.columns),
                             o->targets[row], matmul_at(o->type, o->out[0].data, row));
    }
}

static kael_status cross_entropy_by_library(const nn_operands *o) {
    tensor_set set = {.operands = o};
    kael_tensor *losses = NULL;
    const kael_tensor *logits = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->in[0]);
    const kael_tensor *targets = place_targets(&set);
    ATTEMPT(set, kael_cross_entropy_losses(&losses, logits, targets));
    adopt(&set, losses);
    take(&set, o->out[0], losses);
    return clear(&set);
}

static void cross_entropy_backward_by_oracle(const nn_operands *o) {
    for (int64_t row = 0; row < o->sizes.rows; ++row) {
        const int64_t first = row * o->sizes.columns;
        oracle_cross_entropy_backward(o->type, o->sizes.columns,
                                      matmul_at(o->type, o->in[0].data, first), o->targets[row],
                                      row_gradient, matmul_at(o->type, o->out[0].data, first));
    }
}

static kael_status cross_entropy_backward_by_library(const nn_operands *o) {
    tensor_set set = {.operands = o};
    const kael_tensor *logits = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->in[0]);
    const kael_tensor *targets = place_targets(&set);
    kael_tensor *gradient = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->out[0]);
    ATTEMPT(set, kael_cross_entropy_backward_into(gradient, row_gradient, logits, targets));
    take(&set, o->out[0], gradient);
    return clear(&set);
}

/* ---- sgd ---- */

static void measure_sgd_step(nn_operands *o) {
    o->in[0].count = o->out[0].count = o->out[1].count = matrix_count(o);
}

static void sgd_step_by_oracle(const nn_operands *o) {
    const kael_sgd_options options = {.learning_rate = learning_rate, .momentum = momentum};
    oracle_sgd(o->type, o->in[0].count, &options, o->in[0].data, o->out[1].data, o->out[0].data);
}

static kael_status sgd_step_by_library(const nn_operands *o) {
    tensor_set set = {.operands = o};
    const kael_tensor *gradient = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->in[0]);
    kael_tensor *parameter = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->out[0]);
    kael_tensor *velocity = place_matrix(&set, o->sizes.rows, o->sizes.columns, o->out[1]);
    ATTEMPT(set, kael_sgd_step(parameter, velocity, gradient, learning_rate, momentum));
    take(&set, o->out[0], parameter);
    take(&set, o->out[1], velocity);
    return clear(&set);
}

/* ---- the table ---- */

const nn_operation nn_operations[NN_OPERATION_COUNT] = {
    {"relu", measure_map, relu_by_oracle, relu_by_library},
    {"relu_backward", measure_relu_backward, relu_backward_by_oracle, relu_backward_by_library},
    {"linear", measure_linear, linear_by_oracle, linear_by_library},
    {"linear_backward", measure_linear_backward, linear_backward_by_oracle,
     linear_backward_by_library},
    {"cross_entropy", measure_cross_entropy, cross_entropy_by_oracle, cross_entropy_by_library},
    {"cross_entropy_backward", measure_map, cross_entropy_backward_by_oracle,
     cross_entropy_backward_by_library},
    {"sgd_step", measure_sgd_step, sgd_step_by_oracle, sgd_step_by_library},
};

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    if (memory == NULL && bytes > 0) {
        fprintf(stderr, "no memory for operands\n");
        exit(1);
    }
    return memory;
}

static void fill(const nn_operands *o, nn_array *array, matmul_values values, uint64_t seed) {
    array->data = allocate((size_t)array->count * matmul_size(o->type));
    matmul_fill(o->type, array->data, array->count, values, seed);
}

nn_operands nn_operands_new(const nn_operation *operation, matmul_type type, nn_sizes sizes,
                            matmul_values values) {
    nn_operands o = {.type = type, .sizes = sizes};
    operation->measure(&o);
    for (int i = 0; i < NN_MOST_ARRAYS; ++i) {
        fill(&o, &o.in[i], values, 50 + (uint64_t)i);
        fill(&o, &o.out[i], values, 60 + (uint64_t)i);
    }
    o.targets = allocate((size_t)sizes.rows * sizeof *o.targets);
    for (int64_t row = 0; row < sizes.rows; ++row) {
        o.targets[row] = (int64_t)(matmul_random(70, (uint64_t)row) % (uint64_t)sizes.columns);
    }
    return o;
}

void nn_operands_free(nn_operands *operands) {
    for (int i = 0; i < NN_MOST_ARRAYS; ++i) {
        free(operands->in[i].data);
        free(operands->out[i].data);
    }
    free(operands->targets);
}
