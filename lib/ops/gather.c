/* index_select and gather: the elements of a tensor at indices along one dimension. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/indexing.h"
#include "kael/parallel.h"
#include "ops/compute.h"
#include "ops/indexing_gradient.h"
#include "ops/indices.h"
#include "tensor/iterator.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

/* Reads from memory at random cost several times what reads in order do. */
#define GATHER_GRAIN (KAEL_ELEMENT_GRAIN / 4)

typedef struct gather_job {
    const kael_tensor *tensor;
    const kael_tensor *indices;
    int64_t dim;
} gather_job;

/* The first slice of the tensor across dim, repeated along dim under the shape of the result. */
static kael_status view_slice(kael_tensor **view, const gather_job *job, const kael_tensor *out) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(view, job->tensor, &layout));
    for (int64_t i = 0; i < layout.ndim; ++i) {
        layout.shape[i] = out->sizes[i];
    }
    layout.strides[job->dim] = 0;
    return kael_view_finish(view, job->tensor, &layout, NULL);
}

/* The indices under the shape of the result: those of index_select lie along dim. */
static kael_status view_indices(kael_tensor **view, const gather_job *job, const kael_tensor *out) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(view, job->indices, &layout));
    if (layout.ndim == out->ndim) {
        return kael_view_finish(view, job->indices, &layout, NULL);
    }
    const int64_t stride = layout.strides[0];
    layout.ndim = out->ndim;
    for (int64_t i = 0; i < layout.ndim; ++i) {
        layout.shape[i] = out->sizes[i];
        layout.strides[i] = i == job->dim ? stride : 0;
    }
    return kael_view_finish(view, job->indices, &layout, NULL);
}

static kael_status run(kael_tensor *out, const gather_job *job, const kael_tensor *slice,
                       const kael_tensor *indices) {
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const int64_t element_size = kael_dtype_size(out->dtype);
    const kael_gather_parameters parameters = {
        .size = job->tensor->sizes[job->dim],
        .stride = kael_tensor_strides(job->tensor)[job->dim] * element_size,
    };
    kael_iterator iterator;
    kael_iterator_init(&iterator, 3, (const kael_tensor *const[]){out, slice, indices});
    const int size_index = __builtin_ctzll((unsigned long long)element_size);
    return kael_iterator_run_strided(
        &iterator, GATHER_GRAIN, kernels->indexing->gather[size_index][kael_index_type(indices)],
        &parameters);
}

static kael_status compute(kael_tensor *out, const void *context) {
    const gather_job *job = context;
    kael_tensor *slice;
    kael_tensor *indices;
    KAEL_TRY(view_slice(&slice, job, out));
    kael_status status = view_indices(&indices, job, out);
    if (status == KAEL_OK) {
        status = run(out, job, slice, indices);
        kael_tensor_release(indices);
    }
    kael_tensor_release(slice);
    return status;
}

static kael_status check_indices(const gather_job *job) {
    const int64_t size = job->tensor->sizes[job->dim];
    char what[64];
    snprintf(what, sizeof what, "dimension %" PRId64 " of tensor", job->dim);
    return kael_indices_check(job->indices, -size, size, what);
}

static kael_status plan_index_select(gather_job *job, kael_result *result,
                                     const kael_tensor *tensor, int64_t dim,
                                     const kael_tensor *indices) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    KAEL_TRY(kael_indices_require(indices));
    *job = (gather_job){tensor, indices, 0};
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &job->dim));
    KAEL_TRY(kael_tensor_require_shape(indices, "indices", 1, (const int64_t[]){KAEL_ANY_SIZE}));
    KAEL_TRY(check_indices(job));
    *result = kael_result_like(tensor);
    result->shape[job->dim] = indices->sizes[0];
    return KAEL_OK;
}

static kael_status plan_gather(gather_job *job, kael_result *result, const kael_tensor *tensor,
                               int64_t dim, const kael_tensor *indices) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    KAEL_TRY(kael_indices_require(indices));
    *job = (gather_job){tensor, indices, 0};
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &job->dim));
    KAEL_TRY(kael_indices_require_within(indices, tensor, "tensor", job->dim));
    KAEL_TRY(check_indices(job));
    *result = kael_result_like(indices);
    result->dtype = tensor->dtype;
    return KAEL_OK;
}

kael_status kael_index_select(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                              const kael_tensor *indices) {
    KAEL_TRY(kael_require_out(out));
    gather_job job;
    kael_result result;
    KAEL_TRY(plan_index_select(&job, &result, tensor, dim, indices));
    KAEL_TRY(kael_compute_new(out, &result, compute, &job));
    return kael_index_select_record(out, tensor, dim, indices);
}

kael_status kael_index_select_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim,
                                   const kael_tensor *indices) {
    gather_job job;
    kael_result result;
    KAEL_TRY(plan_index_select(&job, &result, tensor, dim, indices));
    return kael_compute_into(out, &result, compute, &job, 2,
                             (const kael_tensor *const[]){tensor, indices});
}

kael_status kael_gather(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                        const kael_tensor *indices) {
    KAEL_TRY(kael_require_out(out));
    gather_job job;
    kael_result result;
    KAEL_TRY(plan_gather(&job, &result, tensor, dim, indices));
    KAEL_TRY(kael_compute_new(out, &result, compute, &job));
    return kael_gather_record(out, tensor, dim, indices);
}

kael_status kael_gather_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim,
                             const kael_tensor *indices) {
    gather_job job;
    kael_result result;
    KAEL_TRY(plan_gather(&job, &result, tensor, dim, indices));
    return kael_compute_into(out, &result, compute, &job, 2,
                             (const kael_tensor *const[]){tensor, indices});
}
