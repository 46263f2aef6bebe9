/* Targets and options of losses, checked and brought into the form that the computations read. */
#ifndef KAEL_NN_LOSS_TARGETS_H
#define KAEL_NN_LOSS_TARGETS_H

#include <stdbool.h>

#include "kael/loss.h"
#include "kernels/softmax.h"
#include "nn/row_matrix.h"

typedef struct kael_loss_targets {
    kael_tensor *classes; /* i64, contiguous, a class or -1 for each row; NULL with probabilities */
    kael_tensor *probabilities; /* the caller's; NULL with classes */
    kael_tensor *weights;       /* contiguous, f32 or f64; NULL: all 1 */
    kael_loss_reduction reduction;
    bool smooths;
    double keep;  /* 1 - e */
    double share; /* e / classes */
    double divisor;
} kael_loss_targets;

/* The dimension of classes. */
static inline int64_t kael_class_dim(const kael_tensor *logits) {
    return kael_tensor_ndim(logits) == 1 ? 0 : 1;
}

/* What targets may be. */
typedef enum kael_target_rule {
    KAEL_TARGETS_ALL_CLASSES, /* none is ignored */
    KAEL_TARGETS_CLASSES,
    KAEL_TARGETS_CLASSES_OR_PROBABILITIES
} kael_target_rule;

/* Checks everything; `name` is that of the logits, and options may be NULL. Errors: those of
 * loss.h. */
KAEL_NODISCARD kael_status kael_loss_targets_open(kael_loss_targets *loss,
                                                  const kael_tensor *logits, const char *name,
                                                  const kael_tensor *targets,
                                                  const kael_loss_options *options,
                                                  kael_target_rule rule);
void kael_loss_targets_close(kael_loss_targets *loss);

/* The class of a row, negative for none; its weight. */
int64_t kael_loss_class(const kael_loss_targets *loss, int64_t row);
double kael_loss_weight(const kael_loss_targets *loss, int64_t class_index);

/* Makes the tensor that losses are computed into: f32 or f64, of the shape of logits without the
 * class dimension. */
KAEL_NODISCARD kael_status kael_losses_create(kael_tensor **losses, const kael_tensor *logits);

/* Reduces the losses to the result, in the dtype of the logits. */
KAEL_NODISCARD kael_status kael_losses_reduce(kael_tensor **out, const kael_tensor *losses,
                                              const kael_loss_targets *loss, kael_dtype dtype);

/* The gradients of the losses, from the gradient of the result: all the same unless the losses are
 * the result. */
typedef struct kael_loss_gradients {
    kael_tensor *each; /* contiguous, f32 or f64; NULL: `same` for all */
    double same;
} kael_loss_gradients;

KAEL_NODISCARD kael_status kael_loss_gradients_open(kael_loss_gradients *gradients,
                                                    const kael_tensor *gradient,
                                                    kael_loss_reduction reduction, double divisor);
void kael_loss_gradients_close(kael_loss_gradients *gradients);
double kael_loss_gradient(const kael_loss_gradients *gradients, int64_t row);

#endif
