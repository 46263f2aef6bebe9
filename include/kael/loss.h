/* Softmax, and losses of classifications.
 *
 * Tensors have a floating point dtype and any layout. f16 and bf16 are converted to f32, computed
 * like f32 and rounded once. Rows that hold NaN or infinities give what the expressions below give;
 * a row of -inf alone gives NaN.
 *
 * Errors: VALUE for NULL where a tensor must be, for options out of range and for a malformed
 * KAEL_ISA or KAEL_NUM_THREADS; DTYPE; SHAPE when sizes do not fit together; INDEX for a dim that
 * does not exist and for a target that is no class; UNSUPPORTED where a gradient with respect to
 * targets or class weights would have to be recorded; MEMORY. On an error a result pointer is NULL
 * and no tensor has changed, but that after a MEMORY error the elements of a result written by an
 * `_into` form are unspecified. */
#ifndef KAEL_LOSS_H
#define KAEL_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* Softmax along dim: exp(x - m) / total, with m the largest element of the row along dim and total
 * the sum of exp(x - m), in double. The result has the shape and dtype of the tensor. `_into` forms
 * write an existing tensor, which may overlap the operand. */
KAEL_API KAEL_NODISCARD kael_status kael_softmax(kael_tensor **out, const kael_tensor *tensor,
                                                 int64_t dim);
KAEL_API KAEL_NODISCARD kael_status kael_softmax_into(kael_tensor *out, const kael_tensor *tensor,
                                                      int64_t dim);

/* (x - m) - log(total): finite also where softmax underflows to 0. */
KAEL_API KAEL_NODISCARD kael_status kael_log_softmax(kael_tensor **out, const kael_tensor *tensor,
                                                     int64_t dim);
KAEL_API KAEL_NODISCARD kael_status kael_log_softmax_into(kael_tensor *out,
                                                          const kael_tensor *tensor, int64_t dim);

/* The cross entropy of softmax with target classes, one loss for each row along the class
 * dimension: log(total) - (x[target] - m). Nothing but the losses is written.
 *
 * logits: [classes], [rows, classes] or [rows, classes, d1, d2, ...]
 * targets: i32 or i64, the shape of logits without the class dimension; from 0 to classes - 1
 * out: the shape of targets, the dtype of logits */
KAEL_API KAEL_NODISCARD kael_status kael_cross_entropy_losses(kael_tensor **out,
                                                              const kael_tensor *logits,
                                                              const kael_tensor *targets);
KAEL_API KAEL_NODISCARD kael_status kael_cross_entropy_losses_into(kael_tensor *out,
                                                                   const kael_tensor *logits,
                                                                   const kael_tensor *targets);

typedef enum kael_loss_reduction {
    KAEL_LOSS_MEAN = 0,
    KAEL_LOSS_SUM,
    KAEL_LOSS_NONE /* the losses themselves */
} kael_loss_reduction;

/* All zero is the default. */
typedef struct kael_loss_options {
    kael_loss_reduction reduction;
    /* Rows with this target take no part: loss and gradient 0. It need not be a class. -100 unless
     * has_ignore_index. Of no use with probabilities. */
    bool has_ignore_index;
    int64_t ignore_index;
    /* e from 0 to 1: the target's probability becomes (1 - e) p + e / classes. */
    double label_smoothing;
    /* NULL, or [classes] of the dtype of logits: every class's part of a loss is multiplied by its
     * weight, and the mean over target classes divides by the sum of the targets' weights. */
    const kael_tensor *class_weights;
} kael_loss_options;

/* The cross entropy of softmax with targets that are classes, as above, or probabilities: of the
 * shape and dtype of logits. With l[c] = log(total) - (x[c] - m) and class weights w, a row's loss
 * is
 *   classes:        (1 - e) w[t] l[t] + e / classes * sum of w[c] l[c]
 *   probabilities:  sum of w[c] ((1 - e) p[c] + e / classes) l[c]
 * The mean divides by the sum of w[t] over the rows that are not ignored, or by the number of rows
 * with probabilities: NaN where there are none. `options` may be NULL. The result is the losses, or
 * a tensor without dimensions, in the dtype of logits. */
KAEL_API KAEL_NODISCARD kael_status kael_cross_entropy(kael_tensor **out, const kael_tensor *logits,
                                                       const kael_tensor *targets,
                                                       const kael_loss_options *options);

/* The same for logarithms of probabilities, as kael_log_softmax gives them: a row's loss is
 * -w[t] x[t]. Targets are classes; label_smoothing must be 0. */
KAEL_API KAEL_NODISCARD kael_status kael_nll_loss(kael_tensor **out,
                                                  const kael_tensor *log_probabilities,
                                                  const kael_tensor *targets,
                                                  const kael_loss_options *options);

/* The gradient of sum(row_gradient * losses) with respect to the logits, where every row's
 * gradient is the same number: row_gradient * (softmax(row) - one_hot(target)).
 * For the mean loss pass row_gradient = 1 / rows. gradient may overlap the operands. */
KAEL_API KAEL_NODISCARD kael_status kael_cross_entropy_backward_into(kael_tensor *gradient,
                                                                     double row_gradient,
                                                                     const kael_tensor *logits,
                                                                     const kael_tensor *targets);

KAEL_END_DECLS

#endif
