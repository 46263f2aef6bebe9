/* eye and one_hot: zeros with ones at some places. */
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/indexing.h"
#include "kael/parallel.h"
#include "ops/indices.h"
#include "tensor/element.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

kael_status kael_eye(kael_tensor **out, kael_dtype dtype, int64_t rows, int64_t columns,
                     int64_t k) {
    KAEL_TRY(kael_tensor_zeros(out, dtype, 2, (const int64_t[]){rows, columns}));
    unsigned char one[KAEL_MAX_ELEMENT_SIZE];
    KAEL_TRY(kael_element_from_double(one, dtype, 1));
    const size_t size = (size_t)kael_dtype_size(dtype);
    /* Clamped, so that row + k does not overflow. */
    k = kael_max_i64(-rows, kael_min_i64(k, columns));
    char *data = (*out)->data;
    for (int64_t row = kael_max_i64(0, -k); row < rows && row + k < columns; ++row) {
        memcpy(data + (size_t)(row * columns + row + k) * size, one, size);
    }
    return KAEL_OK;
}

typedef struct one_hot_job {
    const kael_tensor *indices; /* contiguous */
    kael_tensor *out;
    int64_t classes;
    size_t element_size;
    unsigned char one[KAEL_MAX_ELEMENT_SIZE];
} one_hot_job;

static kael_status set_ones(int64_t first, int64_t last, void *context) {
    const one_hot_job *job = context;
    char *data = job->out->data;
    for (int64_t i = first; i < last; ++i) {
        const int64_t index = job->indices->dtype == KAEL_I32
                                  ? ((const int32_t *)job->indices->data)[i]
                                  : ((const int64_t *)job->indices->data)[i];
        memcpy(data + (size_t)(i * job->classes + index) * job->element_size, job->one,
               job->element_size);
    }
    return KAEL_OK;
}

static kael_status fill_one_hot(kael_tensor *out, const kael_tensor *contiguous) {
    const int64_t classes = out->sizes[out->ndim - 1];
    one_hot_job job = {contiguous, out, classes, (size_t)kael_dtype_size(out->dtype), {0}};
    KAEL_TRY(kael_element_from_double(job.one, out->dtype, 1));
    return kael_parallel_for(0, contiguous->numel, KAEL_ELEMENT_GRAIN / 4, set_ones, &job);
}

static kael_status make_one_hot(kael_tensor **out, const kael_tensor *contiguous, int64_t classes,
                                kael_dtype dtype) {
    int64_t shape[KAEL_MAX_DIMS];
    memcpy(shape, contiguous->sizes, (size_t)contiguous->ndim * sizeof *shape);
    shape[contiguous->ndim] = classes;
    KAEL_TRY(kael_tensor_zeros(out, dtype, contiguous->ndim + 1, shape));
    if (contiguous->numel == 0) {
        return KAEL_OK;
    }
    const kael_status status = fill_one_hot(*out, contiguous);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

kael_status kael_one_hot(kael_tensor **out, const kael_tensor *indices, int64_t classes,
                         kael_dtype dtype) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(kael_indices_require(indices));
    if (indices->ndim == KAEL_MAX_DIMS) {
        return kael_error(KAEL_ERROR_SHAPE, "indices must have less than %d dimensions, got %d",
                          KAEL_MAX_DIMS, indices->ndim);
    }
    if (classes < 0) {
        return kael_error(KAEL_ERROR_VALUE, "classes must not be negative, got %" PRId64, classes);
    }
    KAEL_TRY(kael_indices_check(indices, 0, classes, "classes"));
    kael_tensor *contiguous;
    KAEL_TRY(kael_tensor_contiguous(&contiguous, indices));
    const kael_status status = make_one_hot(out, contiguous, classes, dtype);
    kael_tensor_release(contiguous);
    return status;
}
