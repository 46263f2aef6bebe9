#include "ops/indices.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

int kael_index_type(const kael_tensor *indices) {
    return indices->dtype == KAEL_I32 ? KAEL_INDEX_I32 : KAEL_INDEX_I64;
}

kael_status kael_indices_require(const kael_tensor *indices) {
    KAEL_TRY(kael_require_not_null(indices, "indices"));
    return indices->dtype == KAEL_I32 || indices->dtype == KAEL_I64
               ? KAEL_OK
               : kael_error(KAEL_ERROR_DTYPE, "indices must have dtype i32 or i64, got %s",
                            kael_dtype_name(indices->dtype));
}

kael_status kael_indices_require_within(const kael_tensor *indices, const kael_tensor *other,
                                        const char *other_name, int64_t dim) {
    bool fits = indices->ndim == other->ndim;
    for (int64_t i = 0; fits && i < other->ndim; ++i) {
        fits = i == dim || indices->sizes[i] <= other->sizes[i];
    }
    if (fits) {
        return KAEL_OK;
    }
    char own[KAEL_SHAPE_TEXT_SIZE];
    char others[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(
        KAEL_ERROR_SHAPE, "indices must not be larger than %s%s, got shapes %s and %s", other_name,
        dim < 0 ? "" : " outside of dim", kael_shape_text(own, indices->ndim, indices->sizes),
        kael_shape_text(others, other->ndim, other->sizes));
}

static int64_t index_at(const kael_tensor *contiguous, int64_t i) {
    return contiguous->dtype == KAEL_I32 ? ((const int32_t *)contiguous->data)[i]
                                         : ((const int64_t *)contiguous->data)[i];
}

/* Reports the first index outside of lowest .. size - 1; there is one. */
static kael_status out_of_range(const kael_tensor *contiguous, int64_t lowest, int64_t size,
                                const char *what) {
    int64_t i = 0;
    while (index_at(contiguous, i) >= lowest && index_at(contiguous, i) < size) {
        ++i;
    }
    int64_t position[KAEL_MAX_DIMS];
    int64_t left = i;
    for (int64_t dim = contiguous->ndim - 1; dim >= 0; --dim) {
        position[dim] = left % contiguous->sizes[dim];
        left /= contiguous->sizes[dim];
    }
    char text[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_INDEX,
                      "the index at %s is %" PRId64 ", not in %" PRId64 " .. %" PRId64 " (%s)",
                      kael_shape_text(text, contiguous->ndim, position), index_at(contiguous, i),
                      lowest, size - 1, what);
}

typedef struct check_job {
    kael_indices_out_of_range *out_of_range;
    const char *data;
    int64_t element_size;
    int64_t lowest;
    int64_t size;
    _Atomic bool found;
} check_job;

static kael_status check_range(int64_t first, int64_t last, void *context) {
    check_job *job = context;
    if (job->out_of_range(job->data + first * job->element_size, last - first, job->lowest,
                          job->size)) {
        job->found = true;
    }
    return KAEL_OK;
}

static kael_status check_contiguous(const kael_tensor *contiguous, int64_t lowest, int64_t size,
                                    const char *what) {
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    check_job job = {
        .out_of_range = kernels->indexing->out_of_range[kael_index_type(contiguous)],
        .data = contiguous->data,
        .element_size = kael_dtype_size(contiguous->dtype),
        .lowest = lowest,
        .size = size,
        .found = false,
    };
    KAEL_TRY(kael_parallel_for(0, contiguous->numel, KAEL_ELEMENT_GRAIN, check_range, &job));
    return job.found ? out_of_range(contiguous, lowest, size, what) : KAEL_OK;
}

kael_status kael_indices_check(const kael_tensor *indices, int64_t lowest, int64_t size,
                               const char *what) {
    kael_tensor *contiguous;
    KAEL_TRY(kael_tensor_contiguous(&contiguous, indices));
    const kael_status status = check_contiguous(contiguous, lowest, size, what);
    kael_tensor_release(contiguous);
    return status;
}
