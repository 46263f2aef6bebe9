#include "nn/loss_targets.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "kael/autograd.h"
#include "nn/row_statistics.h"
#include "tensor/copy.h"
#include "tensor/dtype.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

enum { DEFAULT_IGNORE_INDEX = -100 };

static const kael_loss_options default_options = {.reduction = KAEL_LOSS_MEAN};

static kael_status require_options(const kael_loss_options *options) {
    if (options->reduction != KAEL_LOSS_MEAN && options->reduction != KAEL_LOSS_SUM &&
        options->reduction != KAEL_LOSS_NONE) {
        return kael_error(KAEL_ERROR_VALUE, "reduction must be mean, sum or none, got %d",
                          (int)options->reduction);
    }
    if (!(options->label_smoothing >= 0 && options->label_smoothing <= 1)) {
        return kael_error(KAEL_ERROR_VALUE, "label_smoothing must be from 0 to 1, got %g",
                          options->label_smoothing);
    }
    return KAEL_OK;
}

/* The shape of logits without the class dimension. */
static int64_t shape_of_losses(int64_t shape[KAEL_MAX_DIMS], const kael_tensor *logits) {
    const int64_t class_dim = kael_class_dim(logits);
    int64_t ndim = 0;
    for (int64_t i = 0; i < logits->ndim; ++i) {
        if (i != class_dim) {
            shape[ndim++] = logits->sizes[i];
        }
    }
    return ndim;
}

static kael_status require_no_gradient(const kael_tensor *tensor, const char *name) {
    return tensor != NULL && tensor->node != NULL && kael_grad_mode_enabled()
               ? kael_error(KAEL_ERROR_UNSUPPORTED,
                            "%s must not require a gradient, which this loss cannot record", name)
               : KAEL_OK;
}

static kael_status require_class_targets(const kael_tensor *logits, const kael_tensor *targets) {
    if (targets->dtype != KAEL_I32 && targets->dtype != KAEL_I64) {
        return kael_error(KAEL_ERROR_DTYPE, "targets must have dtype i32 or i64, got %s",
                          kael_dtype_name(targets->dtype));
    }
    int64_t shape[KAEL_MAX_DIMS];
    const int64_t ndim = shape_of_losses(shape, logits);
    return kael_tensor_require_shape(targets, "targets", ndim, shape);
}

static kael_status require_like_logits(const kael_tensor *tensor, const char *name,
                                       const kael_tensor *logits, int64_t ndim,
                                       const int64_t *shape) {
    KAEL_TRY(kael_tensor_require_dtype(tensor, name, logits->dtype));
    return kael_tensor_require_shape(tensor, name, ndim, shape);
}

static kael_status target_error(const kael_tensor *targets, int64_t row, int64_t class_index,
                                int64_t classes) {
    char text[KAEL_MAX_DIMS * 22] = "";
    int64_t position[KAEL_MAX_DIMS];
    for (int64_t i = targets->ndim - 1; i >= 0; --i) {
        position[i] = row % targets->sizes[i];
        row /= targets->sizes[i];
    }
    size_t length = 0;
    for (int64_t i = 0; i < targets->ndim; ++i) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRId64,
                                   i == 0 ? "" : ", ", position[i]);
    }
    return kael_error(KAEL_ERROR_INDEX,
                      "targets[%s] must be a class from 0 to %" PRId64 ", got %" PRId64, text,
                      classes - 1, class_index);
}

/* Copies the classes, -1 for those to be ignored. */
static kael_status read_classes(kael_loss_targets *loss, const kael_tensor *targets,
                                int64_t classes, const int64_t *ignored) {
    KAEL_TRY(kael_copy_as(&loss->classes, targets, KAEL_I64));
    int64_t *elements = loss->classes->data;
    for (int64_t row = 0; row < targets->numel; ++row) {
        if (ignored != NULL && elements[row] == *ignored) {
            elements[row] = -1;
        } else if (elements[row] < 0 || elements[row] >= classes) {
            return target_error(targets, row, elements[row], classes);
        }
    }
    return KAEL_OK;
}

int64_t kael_loss_class(const kael_loss_targets *loss, int64_t row) {
    return ((const int64_t *)loss->classes->data)[row];
}

double kael_loss_weight(const kael_loss_targets *loss, int64_t class_index) {
    return loss->weights == NULL
               ? 1
               : kael_row_get(loss->weights->dtype, loss->weights->data, class_index);
}

/* The sum of the weights of the rows that take part. */
static kael_status sum_weights(kael_loss_targets *loss) {
    const int64_t rows = loss->classes->numel;
    if (loss->weights == NULL) {
        int64_t count = 0;
        for (int64_t row = 0; row < rows; ++row) {
            count += kael_loss_class(loss, row) >= 0;
        }
        loss->divisor = (double)count;
        return KAEL_OK;
    }
    kael_tensor *weights;
    KAEL_TRY(kael_tensor_empty(&weights, KAEL_F64, 1, &rows));
    double *elements = weights->data;
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t class_index = kael_loss_class(loss, row);
        elements[row] = class_index < 0 ? 0 : kael_loss_weight(loss, class_index);
    }
    const kael_softmax_kernels *kernels;
    const kael_status status = kael_softmax_kernels_for(&kernels, KAEL_F64);
    if (status == KAEL_OK) {
        loss->divisor = kernels->sum(rows, elements);
    }
    kael_tensor_release(weights);
    return status;
}

static kael_status require_operands(const kael_tensor *logits, const char *name,
                                    const kael_tensor *targets, const kael_loss_options *options,
                                    kael_target_rule rule) {
    KAEL_TRY(kael_require_floating(logits, name));
    KAEL_TRY(kael_require_not_null(targets, "targets"));
    KAEL_TRY(require_options(options));
    if (logits->ndim == 0) {
        return kael_error(KAEL_ERROR_SHAPE, "%s must have a dimension of classes, got shape ()",
                          name);
    }
    if (rule == KAEL_TARGETS_CLASSES_OR_PROBABILITIES && kael_dtype_is_floating(targets->dtype)) {
        KAEL_TRY(require_like_logits(targets, "targets", logits, logits->ndim, logits->sizes));
    } else {
        KAEL_TRY(require_class_targets(logits, targets));
    }
    if (options->class_weights != NULL) {
        KAEL_TRY(require_like_logits(options->class_weights, "class_weights", logits, 1,
                                     &logits->sizes[kael_class_dim(logits)]));
    }
    KAEL_TRY(require_no_gradient(targets, "targets"));
    return require_no_gradient(options->class_weights, "class_weights");
}

/* Also where there are no classes. */
static double count_rows(const kael_tensor *logits) {
    const int64_t class_dim = kael_class_dim(logits);
    double rows = 1;
    for (int64_t d = 0; d < logits->ndim; ++d) {
        rows *= d == class_dim ? 1 : (double)logits->sizes[d];
    }
    return rows;
}

static kael_status prepare(kael_loss_targets *loss, const kael_tensor *logits,
                           const kael_tensor *targets, const kael_loss_options *options,
                           kael_target_rule rule) {
    const int64_t classes = logits->sizes[kael_class_dim(logits)];
    if (options->class_weights != NULL) {
        KAEL_TRY(
            kael_copy_as(&loss->weights, options->class_weights, kael_row_dtype(logits->dtype)));
    }
    loss->reduction = options->reduction;
    loss->smooths = options->label_smoothing > 0;
    loss->keep = 1 - options->label_smoothing;
    loss->share = loss->smooths ? options->label_smoothing / (double)classes : 0;
    if (kael_dtype_is_floating(targets->dtype)) {
        loss->probabilities = kael_tensor_retain((kael_tensor *)(uintptr_t)targets);
        loss->divisor = count_rows(logits);
        return KAEL_OK;
    }
    const int64_t ignored =
        options->has_ignore_index ? options->ignore_index : DEFAULT_IGNORE_INDEX;
    KAEL_TRY(
        read_classes(loss, targets, classes, rule == KAEL_TARGETS_ALL_CLASSES ? NULL : &ignored));
    return sum_weights(loss);
}

kael_status kael_loss_targets_open(kael_loss_targets *loss, const kael_tensor *logits,
                                   const char *name, const kael_tensor *targets,
                                   const kael_loss_options *options, kael_target_rule rule) {
    *loss = (kael_loss_targets){0};
    options = options == NULL ? &default_options : options;
    KAEL_TRY(require_operands(logits, name, targets, options, rule));
    const kael_status status = prepare(loss, logits, targets, options, rule);
    if (status != KAEL_OK) {
        kael_loss_targets_close(loss);
    }
    return status;
}

void kael_loss_targets_close(kael_loss_targets *loss) {
    kael_tensor_release(loss->classes);
    kael_tensor_release(loss->probabilities);
    kael_tensor_release(loss->weights);
    *loss = (kael_loss_targets){0};
}

kael_status kael_losses_create(kael_tensor **losses, const kael_tensor *logits) {
    int64_t shape[KAEL_MAX_DIMS];
    const int64_t ndim = shape_of_losses(shape, logits);
    return kael_tensor_empty(losses, kael_row_dtype(logits->dtype), ndim, shape);
}

kael_status kael_losses_reduce(kael_tensor **out, const kael_tensor *losses,
                               const kael_loss_targets *loss, kael_dtype dtype) {
    if (loss->reduction == KAEL_LOSS_NONE) {
        if (losses->dtype == dtype) {
            *out = kael_tensor_retain((kael_tensor *)(uintptr_t)losses);
            return KAEL_OK;
        }
        return kael_copy_as(out, losses, dtype);
    }
    const kael_softmax_kernels *kernels;
    KAEL_TRY(kael_softmax_kernels_for(&kernels, losses->dtype));
    const double sum = kernels->sum(losses->numel, losses->data);
    const double result = loss->reduction == KAEL_LOSS_MEAN ? sum / loss->divisor : sum;
    return kael_tensor_full(out, dtype, 0, NULL, result);
}

kael_status kael_loss_gradients_open(kael_loss_gradients *gradients, const kael_tensor *gradient,
                                     kael_loss_reduction reduction, double divisor) {
    *gradients = (kael_loss_gradients){0};
    kael_tensor *each;
    KAEL_TRY(kael_copy_as(&each, gradient, kael_row_dtype(gradient->dtype)));
    if (reduction == KAEL_LOSS_NONE) {
        gradients->each = each;
        return KAEL_OK;
    }
    gradients->same = kael_row_get(each->dtype, each->data, 0);
    kael_tensor_release(each);
    if (reduction == KAEL_LOSS_MEAN) {
        gradients->same /= divisor;
    }
    return KAEL_OK;
}

void kael_loss_gradients_close(kael_loss_gradients *gradients) {
    kael_tensor_release(gradients->each);
}

double kael_loss_gradient(const kael_loss_gradients *gradients, int64_t row) {
    return gradients->each == NULL
               ? gradients->same
               : kael_row_get(gradients->each->dtype, gradients->each->data, row);
}
