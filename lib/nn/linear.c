/* The linear layer and its gradients. */
#include <stddef.h>

#include "core/error.h"
#include "kael/linalg.h"
#include "kael/nn.h"
#include "kael/ops.h"
#include "kael/reduce.h"
#include "nn/gradients.h"
#include "nn/operands.h"
#include "nn/row_matrix.h"
#include "nn/rows.h"
#include "ops/compute.h"
#include "tensor/copy.h"
#include "tensor/tensor.h"

/* A matrix of elements through strides. */
typedef struct matrix {
    void *data;
    int64_t rows;
    int64_t columns;
    int64_t row_stride;
    int64_t column_stride;
} matrix;

static matrix matrix_of(const kael_tensor *tensor) {
    const int64_t *shape = kael_tensor_shape(tensor);
    return (matrix){kael_tensor_data(tensor), shape[0], shape[1], shape[1], 1};
}

static matrix transposed(matrix a) {
    return (matrix){a.data, a.columns, a.rows, a.column_stride, a.row_stride};
}

/* c = a * b */
static kael_status multiply(matrix c, matrix a, matrix b, kael_dtype dtype) {
#define MULTIPLY(gemm)                                                                             \
    gemm(c.rows, c.columns, a.columns, 1, a.data, a.row_stride, a.column_stride, b.data,           \
         b.row_stride, b.column_stride, 0, c.data, c.row_stride, c.column_stride)
    return dtype == KAEL_F32 ? MULTIPLY(kael_gemm_f32) : MULTIPLY(kael_gemm_f64);
#undef MULTIPLY
}

/* ---- Any layout, dtype and number of leading dimensions, by operations on tensors ---- */

static kael_status check_layer(const kael_tensor *input, const kael_tensor *weight,
                               const kael_tensor *bias) {
    KAEL_TRY(kael_require_floating(input, "input"));
    if (input->ndim < 1) {
        return kael_error(KAEL_ERROR_SHAPE, "input must have at least one dimension");
    }
    KAEL_TRY(kael_require_floating(weight, "weight"));
    KAEL_TRY(kael_tensor_require_dtype(weight, "weight", input->dtype));
    const int64_t weight_shape[] = {KAEL_ANY_SIZE, input->sizes[input->ndim - 1]};
    KAEL_TRY(kael_tensor_require_shape(weight, "weight", 2, weight_shape));
    if (bias == NULL) {
        return KAEL_OK;
    }
    KAEL_TRY(kael_tensor_require_dtype(bias, "bias", input->dtype));
    return kael_tensor_require_shape(bias, "bias", 1, weight->sizes);
}

static bool is_plain(const kael_tensor *tensor) {
    return tensor == NULL || ((tensor->dtype == KAEL_F32 || tensor->dtype == KAEL_F64) &&
                              kael_tensor_is_contiguous(tensor));
}

/* Whether the fused path serves. */
static bool is_plain_layer(const kael_tensor *input, const kael_tensor *weight,
                           const kael_tensor *bias) {
    return input->ndim == 2 && is_plain(input) && is_plain(weight) && is_plain(bias);
}

static kael_status compose(kael_tensor **out, const kael_tensor *input, const kael_tensor *weight,
                           const kael_tensor *bias) {
    kael_tensor *across;
    kael_tensor *product;
    KAEL_TRY(kael_tensor_transpose(&across, weight, 0, 1));
    kael_status status = kael_matmul(&product, input, across);
    kael_tensor_release(across);
    if (status != KAEL_OK || bias == NULL) {
        *out = status == KAEL_OK ? product : NULL;
        return status;
    }
    status = kael_add(out, product, bias);
    kael_tensor_release(product);
    return status;
}

/* ---- Contiguous matrices ---- */

typedef struct bias_job {
    const kael_nn_kernels *kernels;
    int64_t element_size;
    int64_t columns;
    const void *bias;
    void *out;
} bias_job;

static kael_status add_bias_rows(int64_t first, int64_t last, void *context) {
    const bias_job *job = context;
    job->kernels->add_bias(
        last - first, job->columns, job->bias,
        kael_mutable_element_at(job->out, first * job->columns, job->element_size), job->columns);
    return KAEL_OK;
}

static kael_status add_bias(kael_tensor *out, const kael_tensor *bias) {
    const kael_dtype dtype = kael_tensor_dtype(out);
    const int64_t *shape = kael_tensor_shape(out);
    bias_job job = {
        .element_size = kael_dtype_size(dtype),
        .columns = shape[1],
        .bias = kael_tensor_data(bias),
        .out = kael_tensor_data(out),
    };
    KAEL_TRY(kael_nn_kernels_for(&job.kernels, dtype));
    return kael_parallel_for(0, shape[0], kael_grain_of(shape[1], 1), add_bias_rows, &job);
}

static kael_status run_linear(kael_tensor *out, const kael_tensor *input, const kael_tensor *weight,
                              const kael_tensor *bias) {
    KAEL_TRY(multiply(matrix_of(out), matrix_of(input), transposed(matrix_of(weight)),
                      kael_tensor_dtype(input)));
    return bias == NULL || kael_tensor_numel(out) == 0 ? KAEL_OK : add_bias(out, bias);
}

kael_status kael_linear(kael_tensor **out, const kael_tensor *input, const kael_tensor *weight,
                        const kael_tensor *bias) {
    KAEL_TRY(kael_nn_require_out(out));
    KAEL_TRY(check_layer(input, weight, bias));
    if (!is_plain_layer(input, weight, bias)) {
        return compose(out, input, weight, bias);
    }
    const int64_t shape[] = {input->sizes[0], weight->sizes[0]};
    kael_tensor *result = NULL;
    KAEL_TRY(kael_tensor_empty(&result, kael_tensor_dtype(input), 2, shape));
    KAEL_TRY(kael_nn_finish(out, result, run_linear(result, input, weight, bias)));
    return kael_linear_record(out, input, weight, bias);
}

typedef struct layer {
    const kael_tensor *input;
    const kael_tensor *weight;
    const kael_tensor *bias;
} layer;

static kael_status compute_layer(kael_tensor *out, const void *job) {
    const layer *of = job;
    if (is_plain_layer(of->input, of->weight, of->bias) && kael_tensor_is_contiguous(out)) {
        return run_linear(out, of->input, of->weight, of->bias);
    }
    kael_tensor *result;
    KAEL_TRY(compose(&result, of->input, of->weight, of->bias));
    const kael_status status = kael_copy_elements(out, result);
    kael_tensor_release(result);
    return status;
}

kael_status kael_linear_into(kael_tensor *out, const kael_tensor *input, const kael_tensor *weight,
                             const kael_tensor *bias) {
    KAEL_TRY(check_layer(input, weight, bias));
    const layer job = {input, weight, bias};
    kael_result result = kael_result_like(input);
    result.shape[result.ndim - 1] = weight->sizes[0];
    return kael_compute_into(out, &result, compute_layer, &job, 3,
                             (const kael_tensor *[]){input, weight, bias});
}

enum { RESULTS = 3, OPERANDS = 3 };

typedef struct named_tensor {
    const char *name;
    const kael_tensor *tensor;
} named_tensor;

/* No result overlaps an operand or another result. */
static kael_status require_disjoint_results(const named_tensor *results,
                                            const named_tensor *operands) {
    for (int i = 0; i < RESULTS; ++i) {
        const named_tensor *result = &results[i];
        if (result->tensor == NULL) {
            continue;
        }
        for (int j = 0; j < OPERANDS; ++j) {
            KAEL_TRY(kael_tensor_require_disjoint(result->tensor, result->name, operands[j].tensor,
                                                  operands[j].name));
        }
        for (int j = 0; j < i; ++j) {
            if (results[j].tensor != NULL) {
                KAEL_TRY(kael_tensor_require_disjoint(result->tensor, result->name,
                                                      results[j].tensor, results[j].name));
            }
        }
    }
    return KAEL_OK;
}

static kael_status require_result(const named_tensor *result, kael_dtype dtype, int64_t ndim,
                                  const int64_t *shape) {
    return result->tensor == NULL
               ? KAEL_OK
               : kael_tensor_require(result->tensor, result->name, dtype, ndim, shape);
}

kael_status kael_linear_backward_into(kael_tensor *input_gradient, kael_tensor *weight_gradient,
                                      kael_tensor *bias_gradient,
                                      const kael_tensor *output_gradient, const kael_tensor *input,
                                      const kael_tensor *weight) {
    KAEL_TRY(kael_nn_require_operand(input, "input"));
    KAEL_TRY(kael_nn_require_operand(weight, "weight"));
    const int64_t matrix_shape[] = {KAEL_ANY_SIZE, KAEL_ANY_SIZE};
    KAEL_TRY(kael_tensor_require_shape(input, "input", 2, matrix_shape));
    KAEL_TRY(check_layer(input, weight, NULL));
    const kael_dtype dtype = kael_tensor_dtype(input);
    const int64_t out_shape[] = {input->sizes[0], weight->sizes[0]};
    KAEL_TRY(kael_tensor_require(output_gradient, "output_gradient", dtype, 2, out_shape));
    const named_tensor operands[OPERANDS] = {
        {"output_gradient", output_gradient}, {"input", input}, {"weight", weight}};
    const named_tensor results[RESULTS] = {{"input_gradient", input_gradient},
                                           {"weight_gradient", weight_gradient},
                                           {"bias_gradient", bias_gradient}};
    KAEL_TRY(require_result(&results[0], dtype, 2, kael_tensor_shape(input)));
    KAEL_TRY(require_result(&results[1], dtype, 2, kael_tensor_shape(weight)));
    KAEL_TRY(require_result(&results[2], dtype, 1, &out_shape[1]));
    KAEL_TRY(require_disjoint_results(results, operands));

    const kael_tensor *const inputs[OPERANDS] = {output_gradient, input, weight};
    for (int i = 0; i < RESULTS; ++i) {
        if (results[i].tensor != NULL) {
            KAEL_TRY(
                kael_graph_require_writable(results[i].tensor, results[i].name, OPERANDS, inputs));
        }
    }
    for (int i = 0; i < RESULTS; ++i) {
        if (results[i].tensor != NULL) {
            kael_storage_mark_written(results[i].tensor->storage);
        }
    }
    const matrix gradient = matrix_of(output_gradient);
    if (input_gradient != NULL) {
        KAEL_TRY(multiply(matrix_of(input_gradient), gradient, matrix_of(weight), dtype));
    }
    if (weight_gradient != NULL) {
        KAEL_TRY(
            multiply(matrix_of(weight_gradient), transposed(gradient), matrix_of(input), dtype));
    }
    const int64_t batch_dim = 0;
    return bias_gradient == NULL
               ? KAEL_OK
               : kael_sum_into(bias_gradient, output_gradient, 1, &batch_dim, false);
}
