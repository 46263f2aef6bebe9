#include "nn/softmax_gradient.h"

#include <stddef.h>

#include "core/error.h"
#include "nn/row_statistics.h"
#include "nn/rows.h"

typedef struct backward_job {
    kael_softmax_function *function;
    const kael_row_matrix *result;
    const kael_row_matrix *gradient;
    const kael_row_matrix *out;
} backward_job;

static kael_status run_rows(int64_t first, int64_t last, void *context) {
    const backward_job *job = context;
    const kael_softmax_rows rows = {
        .rows = last - first,
        .count = job->result->count,
        .in = kael_row_at(job->result, first),
        .in_stride = job->result->row_stride,
        .gradient = kael_row_at(job->gradient, first),
        .gradient_stride = job->gradient->row_stride,
        .out = kael_row_at(job->out, first),
        .out_stride = job->out->row_stride,
    };
    job->function(&rows);
    return KAEL_OK;
}

static kael_status run(kael_tensor *out, const kael_row_matrix *result,
                       const kael_row_matrix *gradient, int64_t dim, bool is_log) {
    kael_row_matrix rows;
    const kael_softmax_kernels *kernels;
    KAEL_TRY(kael_softmax_kernels_for(&kernels, result->dtype));
    KAEL_TRY(kael_row_matrix_open_out(&rows, out, dim, gradient));
    backward_job job = {
        .function = is_log ? kernels->log_softmax_backward : kernels->softmax_backward,
        .result = result,
        .gradient = gradient,
        .out = &rows,
    };
    kael_status status = kael_parallel_for(0, result->rows, kael_row_grain(result), run_rows, &job);
    if (status == KAEL_OK) {
        status = kael_row_matrix_commit(&rows);
    }
    kael_row_matrix_close(&rows);
    return status;
}

/* From the result and its gradient. */
static kael_status backward(const kael_graph_node *node, const kael_tensor *gradient,
                            kael_tensor **gradients, bool is_log) {
    const int64_t dim = *(const int64_t *)node->parameters;
    kael_row_matrix result;
    kael_row_matrix upstream;
    KAEL_TRY(kael_row_matrix_open(&result, node->saved[0].tensor, dim));
    kael_status status = kael_row_matrix_open(&upstream, gradient, dim);
    if (status == KAEL_OK) {
        kael_tensor *made;
        status = kael_tensor_empty(&made, gradient->dtype, gradient->ndim, gradient->sizes);
        if (status == KAEL_OK) {
            status = run(made, &result, &upstream, dim, is_log);
        }
        if (status == KAEL_OK) {
            gradients[0] = made;
        } else {
            kael_tensor_release(made);
        }
        kael_row_matrix_close(&upstream);
    }
    kael_row_matrix_close(&result);
    return status;
}

static kael_status softmax(const kael_graph_node *node, const kael_tensor *gradient,
                           kael_tensor **gradients) {
    return backward(node, gradient, gradients, false);
}

static kael_status log_softmax(const kael_graph_node *node, const kael_tensor *gradient,
                               kael_tensor **gradients) {
    return backward(node, gradient, gradients, true);
}

static const kael_gradient_rule softmax_rule = {"softmax", softmax};
static const kael_gradient_rule log_softmax_rule = {"log_softmax", log_softmax};

kael_status kael_softmax_record(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                                bool is_log) {
    return kael_graph_record_result(out, &(kael_recording){
                                             .rule = is_log ? &log_softmax_rule : &softmax_rule,
                                             .input_count = 1,
                                             .inputs = &tensor,
                                             .saved_count = 1,
                                             .saved = (const kael_tensor *[]){*out},
                                             .parameters = &dim,
                                             .parameter_bytes = sizeof dim,
                                         });
}
