#include "nn/loss_gradient.h"

#include <stddef.h>

#include "core/error.h"
#include "nn/cross_entropy.h"

/* What a node keeps of kael_loss_targets beside the tensors. */
typedef struct loss_parameters {
    kael_loss_targets loss; /* without its tensors */
    bool has_probabilities;
    bool has_weights;
    kael_dtype dtype; /* of the logits */
} loss_parameters;

/* As they are saved; the weights, if there are any, come last. */
enum { TARGETS, LOGITS, STATISTICS, MOST_SAVED = 4 };

static kael_status record(kael_tensor **out, const kael_gradient_rule *rule,
                          const kael_tensor *logits, const kael_tensor *statistics,
                          const kael_loss_targets *loss) {
    loss_parameters parameters = {
        .loss = *loss,
        .has_probabilities = loss->probabilities != NULL,
        .has_weights = loss->weights != NULL,
        .dtype = kael_tensor_dtype(logits),
    };
    parameters.loss.classes = parameters.loss.probabilities = parameters.loss.weights = NULL;
    const kael_tensor *saved[MOST_SAVED] = {parameters.has_probabilities ? loss->probabilities
                                                                         : loss->classes};
    int64_t count = 1;
    if (statistics != NULL) {
        saved[LOGITS] = logits;
        saved[STATISTICS] = statistics;
        count = 3;
    }
    if (parameters.has_weights) {
        saved[count++] = loss->weights;
    }
    return kael_graph_record_result(out, &(kael_recording){
                                             .rule = rule,
                                             .input_count = 1,
                                             .inputs = &logits,
                                             .saved_count = count,
                                             .saved = saved,
                                             .parameters = &parameters,
                                             .parameter_bytes = sizeof parameters,
                                         });
}

static const loss_parameters *parameters_of(const kael_graph_node *node) {
    return node->parameters;
}

/* The targets again; their tensors stay the node's. */
static kael_loss_targets targets_of(const kael_graph_node *node) {
    const loss_parameters *parameters = parameters_of(node);
    kael_loss_targets loss = parameters->loss;
    kael_tensor *targets = node->saved[TARGETS].tensor;
    loss.classes = parameters->has_probabilities ? NULL : targets;
    loss.probabilities = parameters->has_probabilities ? targets : NULL;
    loss.weights = parameters->has_weights ? node->saved[node->saved_count - 1].tensor : NULL;
    return loss;
}

/* Writes the gradient to the rows of a tensor of the logits' shape. */
typedef kael_status write_function(const kael_row_matrix *out, const kael_graph_node *node,
                                   const kael_loss_targets *loss,
                                   const kael_loss_gradients *gradients);

static kael_status write_rows(kael_tensor *out, const kael_graph_node *node,
                              const kael_tensor *gradient, write_function *write) {
    const kael_loss_targets loss = targets_of(node);
    kael_loss_gradients gradients;
    kael_row_matrix rows;
    KAEL_TRY(kael_loss_gradients_open(&gradients, gradient, loss.reduction, loss.divisor));
    kael_status status = kael_row_matrix_open_out(&rows, out, kael_class_dim(out), NULL);
    if (status == KAEL_OK) {
        status = write(&rows, node, &loss, &gradients);
        if (status == KAEL_OK) {
            status = kael_row_matrix_commit(&rows);
        }
        kael_row_matrix_close(&rows);
    }
    kael_loss_gradients_close(&gradients);
    return status;
}

static kael_status backward(const kael_graph_node *node, const kael_tensor *gradient,
                            kael_tensor **gradients, bool zeroed, write_function *write) {
    const kael_graph_input *input = &node->inputs[0];
    kael_tensor *made;
    KAEL_TRY(zeroed
                 ? kael_tensor_zeros(&made, parameters_of(node)->dtype, input->ndim, input->shape)
                 : kael_tensor_empty(&made, parameters_of(node)->dtype, input->ndim, input->shape));
    const kael_status status = write_rows(made, node, gradient, write);
    if (status != KAEL_OK) {
        kael_tensor_release(made);
        return status;
    }
    gradients[0] = made;
    return KAEL_OK;
}

static kael_status write_cross_entropy(const kael_row_matrix *out, const kael_graph_node *node,
                                       const kael_loss_targets *loss,
                                       const kael_loss_gradients *gradients) {
    const kael_tensor *logits = node->saved[LOGITS].tensor;
    kael_row_matrix rows;
    KAEL_TRY(kael_row_matrix_open(&rows, logits, kael_class_dim(logits)));
    const kael_status status = kael_cross_entropy_run_backward(
        out, &rows, node->saved[STATISTICS].tensor, loss, gradients);
    kael_row_matrix_close(&rows);
    return status;
}

/* The rows are zero, but those that are a copy of a tensor's rows in another layout. */
static kael_status write_nll_loss(const kael_row_matrix *out, const kael_graph_node *node,
                                  const kael_loss_targets *loss,
                                  const kael_loss_gradients *gradients) {
    (void)node;
    for (int64_t row = 0; row < out->rows; ++row) {
        void *elements = kael_row_at(out, row);
        if (out->copy != NULL) {
            for (int64_t i = 0; i < out->count; ++i) {
                kael_row_put(out->dtype, elements, i, 0);
            }
        }
        const int64_t class_index = kael_loss_class(loss, row);
        if (class_index >= 0) {
            kael_row_put(
                out->dtype, elements, class_index,
                -(kael_loss_gradient(gradients, row) * kael_loss_weight(loss, class_index)));
        }
    }
    return KAEL_OK;
}

static kael_status cross_entropy(const kael_graph_node *node, const kael_tensor *gradient,
                                 kael_tensor **gradients) {
    return backward(node, gradient, gradients, false, write_cross_entropy);
}

static kael_status nll_loss(const kael_graph_node *node, const kael_tensor *gradient,
                            kael_tensor **gradients) {
    return backward(node, gradient, gradients, true, write_nll_loss);
}

static const kael_gradient_rule cross_entropy_rule = {"cross_entropy", cross_entropy};
static const kael_gradient_rule nll_loss_rule = {"nll_loss", nll_loss};

kael_status kael_cross_entropy_record(kael_tensor **out, const kael_tensor *logits,
                                      const kael_tensor *statistics,
                                      const kael_loss_targets *loss) {
    return record(out, &cross_entropy_rule, logits, statistics, loss);
}

kael_status kael_nll_loss_record(kael_tensor **out, const kael_tensor *log_probabilities,
                                 const kael_loss_targets *loss) {
    return record(out, &nll_loss_rule, log_probabilities, NULL, loss);
}
