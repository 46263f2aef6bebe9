/* The negative logarithms of the target classes' probabilities. */
#include <stddef.h>

#include "core/error.h"
#include "nn/loss_gradient.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

static void write_losses(kael_tensor *losses, const kael_row_matrix *matrix,
                         const kael_loss_targets *loss) {
    for (int64_t row = 0; row < losses->numel; ++row) {
        const int64_t class_index = kael_loss_class(loss, row);
        double value = 0;
        if (class_index >= 0) {
            value = -(kael_loss_weight(loss, class_index) *
                      kael_row_get(matrix->dtype, kael_row_at(matrix, row), class_index));
        }
        kael_row_put(losses->dtype, losses->data, row, value);
    }
}

static kael_status nll_loss(kael_tensor **out, const kael_tensor *log_probabilities,
                            const kael_loss_targets *loss) {
    kael_row_matrix matrix;
    kael_tensor *losses;
    KAEL_TRY(kael_losses_create(&losses, log_probabilities));
    kael_status status =
        kael_row_matrix_open(&matrix, log_probabilities, kael_class_dim(log_probabilities));
    if (status == KAEL_OK) {
        write_losses(losses, &matrix, loss);
        kael_row_matrix_close(&matrix);
        status = kael_losses_reduce(out, losses, loss, log_probabilities->dtype);
    }
    kael_tensor_release(losses);
    KAEL_TRY(status);
    return kael_nll_loss_record(out, log_probabilities, loss);
}

kael_status kael_nll_loss(kael_tensor **out, const kael_tensor *log_probabilities,
                          const kael_tensor *targets, const kael_loss_options *options) {
    KAEL_TRY(kael_require_out(out));
    if (options != NULL && options->label_smoothing != 0) {
        return kael_error(KAEL_ERROR_VALUE, "label_smoothing must be 0, got %g",
                          options->label_smoothing);
    }
    kael_loss_targets loss;
    KAEL_TRY(kael_loss_targets_open(&loss, log_probabilities, "log_probabilities", targets, options,
                                    KAEL_TARGETS_CLASSES));
    const kael_status status = nll_loss(out, log_probabilities, &loss);
    kael_loss_targets_close(&loss);
    return status;
}
