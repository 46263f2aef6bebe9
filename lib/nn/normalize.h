/* Layer and RMS normalisation, and the way back. */
#ifndef KAEL_NN_NORMALIZE_H
#define KAEL_NN_NORMALIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"

typedef struct kael_normalization {
    int64_t dims; /* the last ones, which make a row */
    double eps;
    bool is_centered; /* layer normalisation */
} kael_normalization;

/* Operands that have been checked; the latter three may be NULL. */
typedef struct kael_normalize_job {
    kael_normalization how;
    const kael_tensor *tensor;
    const kael_tensor *weight;
    const kael_tensor *bias;
    const kael_tensor *gradient; /* of the result: then that of the tensor is computed */
} kael_normalize_job;

/* Computes a job into a tensor that has elements, all distinct, and shares none with the operands.
 * Errors: MEMORY, and those of kael_parallel_for. */
KAEL_NODISCARD kael_status kael_normalize_run(kael_tensor *out, const kael_normalize_job *job);

/* Records the result of a job. Errors: MEMORY; *out is then released and NULL. */
KAEL_NODISCARD kael_status kael_normalize_record(kael_tensor **out, const kael_normalize_job *job);

#endif
