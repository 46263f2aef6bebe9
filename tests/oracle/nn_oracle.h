/* The definitions of the neural-network operations as slow scalar programs. Arrays are contiguous
 * and row-major, of one element type; numbers are rounded to it before use. */
#ifndef KAEL_TESTS_NN_ORACLE_H
#define KAEL_TESTS_NN_ORACLE_H

#include <stdint.h>

#include "kael/optim.h"
#include "oracle/matmul_oracle.h"

/* The sum of `count` terms: blocks of 16384, eight lanes folded left to right, then the rest of the
 * block; block sums meet in a tree of neighbouring pairs. */
double oracle_sum(const double *terms, int64_t count);

void oracle_relu(matmul_type type, int64_t count, const void *in, void *out);
void oracle_relu_backward(matmul_type type, int64_t count, const void *output_gradient,
                          const void *output, void *gradient);

/* out [rows, columns] += bias [columns] */
void oracle_add_bias(matmul_type type, int64_t rows, int64_t columns, const void *bias, void *out);

/* out [columns] */
void oracle_column_sums(matmul_type type, int64_t rows, int64_t columns, const void *in, void *out);

/* One row; the gradients come from the result. */
void oracle_softmax(matmul_type type, int64_t count, const void *row, void *out);
void oracle_log_softmax(matmul_type type, int64_t count, const void *row, void *out);
void oracle_softmax_backward(matmul_type type, int64_t count, const void *result,
                             const void *gradient, void *out);
void oracle_log_softmax_backward(matmul_type type, int64_t count, const void *result,
                                 const void *gradient, void *out);

/* One row of logits. */
void oracle_cross_entropy(matmul_type type, int64_t classes, const void *row, int64_t target,
                          void *loss);
void oracle_cross_entropy_backward(matmul_type type, int64_t classes, const void *row,
                                   int64_t target, double row_gradient, void *gradient);

void oracle_sgd(matmul_type type, int64_t count, const kael_sgd_options *options,
                const void *gradient, void *velocity, void *parameter);

/* The step of this number, from 1 on. */
void oracle_adam(matmul_type type, int64_t count, const kael_adam_options *options, int64_t step,
                 const void *gradient, void *first, void *second, void *parameter);

#endif
