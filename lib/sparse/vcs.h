/* The value-compressed matrix as the other files of this folder see it. */
#ifndef KAEL_SPARSE_VCS_H
#define KAEL_SPARSE_VCS_H

#include <stdint.h>

#include "kael/sparse.h"
#include "memory/block.h"

/* All arrays are contiguous and sound: every matrix was validated or built. */
struct kael_vcs {
    _Atomic int64_t references;
    kael_block block; /* of this struct */
    kael_vcs_orientation orientation;
    int64_t major;
    int64_t minor;
    kael_tensor *major_ptr;
    kael_tensor *values;
    kael_tensor *value_ptr;
    kael_tensor *indices;
};

/* The four arrays on their way into a matrix; all NULL at first. */
typedef struct kael_vcs_arrays {
    kael_tensor *major_ptr;
    kael_tensor *values;
    kael_tensor *value_ptr;
    kael_tensor *indices;
} kael_vcs_arrays;

void kael_vcs_arrays_release(kael_vcs_arrays *arrays);

/* Makes a matrix that takes over the arrays, also when it fails. Errors: MEMORY. */
KAEL_NODISCARD kael_status kael_vcs_create(kael_vcs **out, kael_vcs_orientation orientation,
                                           int64_t major, int64_t minor, kael_vcs_arrays *arrays);

/* VALUE for NULL or an unknown orientation; else sets *out to NULL. */
KAEL_NODISCARD kael_status kael_vcs_require_out(kael_vcs **out, kael_vcs_orientation orientation);

/* The dtype of indices of a dimension. */
kael_dtype kael_index_dtype(int64_t size);

/* A new one-dimensional tensor. Errors: MEMORY. */
KAEL_NODISCARD kael_status kael_array_create(kael_tensor **out, kael_dtype dtype, int64_t count);

#endif
