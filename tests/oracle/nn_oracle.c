#include "oracle/nn_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/elementary.h"

static double *new_terms(int64_t count) {
    double *terms = calloc((size_t)count + 1, sizeof *terms);
    if (terms == NULL) {
        fprintf(stderr, "the oracle has no memory\n");
        exit(1);
    }
    return terms;
}

static double block_sum(const double *terms, int64_t count) {
    double lanes[8] = {0};
    const int64_t whole = count / 8 * 8;
    for (int64_t i = 0; i < whole; ++i) {
        lanes[i % 8] = lanes[i % 8] + terms[i];
    }
    double total = 0;
    for (int lane = 0; lane < 8; ++lane) {
        total = total + lanes[lane];
    }
    for (int64_t i = whole; i < count; ++i) {
        total = total + terms[i];
    }
    return total;
}

double oracle_sum(const double *terms, int64_t count) {
    const int64_t blocks = count == 0 ? 1 : (count + 16383) / 16384;
    double *sums = new_terms(blocks);
    for (int64_t b = 0; b < blocks; ++b) {
        const int64_t rest = count - b * 16384;
        sums[b] = block_sum(terms + b * 16384, rest < 16384 ? rest : 16384);
    }
    for (int64_t width = blocks; width > 1; width = (width + 1) / 2) {
        for (int64_t i = 0; i < width / 2; ++i) {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        if (width % 2 == 1) {
            sums[width / 2] = sums[width - 1];
        }
    }
    const double total = sums[0];
    free(sums);
    return total;
}

#define REAL float
#define NAME(base) base##_f32
#include "nn_oracle_template.h"

#define REAL double
#define NAME(base) base##_f64
#include "nn_oracle_template.h"

#define CALL(base, ...)                                                                            \
    do {                                                                                           \
        if (type == MATMUL_F32) {                                                                  \
            base##_f32(__VA_ARGS__);                                                               \
        } else {                                                                                   \
            base##_f64(__VA_ARGS__);                                                               \
        }                                                                                          \
    } while (0)

void oracle_relu(matmul_type type, int64_t count, const void *in, void *out) {
    CALL(relu, count, in, out);
}

void oracle_relu_backward(matmul_type type, int64_t count, const void *output_gradient,
                          const void *output, void *gradient) {
    CALL(relu_backward, count, output_gradient, output, gradient);
}

void oracle_add_bias(matmul_type type, int64_t rows, int64_t columns, const void *bias, void *out) {
    CALL(add_bias, rows, columns, bias, out);
}

void oracle_column_sums(matmul_type type, int64_t rows, int64_t columns, const void *in,
                        void *out) {
    CALL(column_sums, rows, columns, in, out);
}

void oracle_softmax(matmul_type type, int64_t count, const void *row, void *out) {
    CALL(softmax, count, row, out);
}

void oracle_log_softmax(matmul_type type, int64_t count, const void *row, void *out) {
    CALL(log_softmax, count, row, out);
}

void oracle_softmax_backward(matmul_type type, int64_t count, const void *result,
                             const void *gradient, void *out) {
    CALL(softmax_backward, count, result, gradient, out);
}

void oracle_log_softmax_backward(matmul_type type, int64_t count, const void *result,
                                 const void *gradient, void *out) {
    CALL(log_softmax_backward, count, result, gradient, out);
}

void oracle_cross_entropy(matmul_type type, int64_t classes, const void *row, int64_t target,
                          void *loss) {
    CALL(cross_entropy, classes, row, target, loss);
}

void oracle_cross_entropy_backward(matmul_type type, int64_t classes, const void *row,
                                   int64_t target, double row_gradient, void *gradient) {
    if (type == MATMUL_F32) {
        cross_entropy_backward_f32(classes, row, target, (float)row_gradient, gradient);
    } else {
        cross_entropy_backward_f64(classes, row, target, row_gradient, gradient);
    }
}

void oracle_sgd(matmul_type type, int64_t count, const kael_sgd_options *options,
                const void *gradient, void *velocity, void *parameter) {
    if (type == MATMUL_F32) {
        sgd_f32(count, options, gradient, velocity, parameter);
    } else {
        sgd_f64(count, options, gradient, velocity, parameter);
    }
}

void oracle_adam(matmul_type type, int64_t count, const kael_adam_options *options, int64_t step,
                 const void *gradient, void *first, void *second, void *parameter) {
    if (type == MATMUL_F32) {
        adam_f32(count, options, step, gradient, first, second, parameter);
    } else {
        adam_f64(count, options, step, gradient, first, second, parameter);
    }
}
