/* The gradients of losses. Each function records that *out is the loss of its name, if that is to
 * be recorded. Errors: MEMORY; *out is then released and NULL. */
#ifndef KAEL_NN_LOSS_GRADIENT_H
#define KAEL_NN_LOSS_GRADIENT_H

#include "nn/loss_targets.h"
#include "tensor/graph.h"

KAEL_NODISCARD kael_status kael_cross_entropy_record(kael_tensor **out, const kael_tensor *logits,
                                                     const kael_tensor *statistics,
                                                     const kael_loss_targets *loss);
KAEL_NODISCARD kael_status kael_nll_loss_record(kael_tensor **out,
                                                const kael_tensor *log_probabilities,
                                                const kael_loss_targets *loss);

#endif
