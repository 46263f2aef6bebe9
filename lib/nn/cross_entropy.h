/* Cross entropy, from parts that the recorded operation and its gradient share. */
#ifndef KAEL_NN_CROSS_ENTROPY_H
#define KAEL_NN_CROSS_ENTROPY_H

#include "nn/loss_targets.h"
#include "nn/row_matrix.h"

/* Makes room for the largest elements and the totals of the rows of logits: f32 or f64 [2, rows].
 */
KAEL_NODISCARD kael_status kael_cross_entropy_statistics_create(kael_tensor **statistics,
                                                                const kael_tensor *logits);

/* Writes the statistics, and the losses unless `losses` is NULL. */
KAEL_NODISCARD kael_status kael_cross_entropy_run(kael_tensor *losses, kael_tensor *statistics,
                                                  const kael_row_matrix *logits,
                                                  const kael_loss_targets *loss);

/* Writes the gradient with respect to the logits, which may be `out` itself. */
KAEL_NODISCARD kael_status kael_cross_entropy_run_backward(const kael_row_matrix *out,
                                                           const kael_row_matrix *logits,
                                                           const kael_tensor *statistics,
                                                           const kael_loss_targets *loss,
                                                           const kael_loss_gradients *gradients);

#endif
