/* scatter_add: elements of one tensor added to those of another at indices along one dimension. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/indexing.h"
#include "kael/parallel.h"
#include "ops/compute.h"
#include "ops/indexing_gradient.h"
#include "ops/indices.h"
#include "tensor/copy.h"
#include "tensor/dtype.h"
#include "tensor/iterator.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

#define SCATTER_GRAIN (KAEL_ELEMENT_GRAIN / 4)

typedef struct scatter_job {
    const kael_tensor *tensor;
    const kael_tensor *indices;
    const kael_tensor *source;
    int64_t dim;
} scatter_job;

/* The three operands of the kernel: the first slice across dim of the sums, the indices and the
 * source, of the indices' shape. */
typedef struct slices {
    kael_tensor *views[3];
} slices;

static void release_slices(slices *s) {
    for (int i = 0; i < 3; ++i) {
        kael_tensor_release(s->views[i]);
    }
}

static kael_status view_slice(kael_tensor **view, const kael_tensor *tensor,
                              const scatter_job *job) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(view, tensor, &layout));
    for (int64_t i = 0; i < layout.ndim; ++i) {
        layout.shape[i] = job->indices->sizes[i];
    }
    kael_layout_remove(&layout, job->dim);
    return kael_view_finish(view, tensor, &layout, NULL);
}

static kael_status make_slices(slices *s, const kael_tensor *sums, const scatter_job *job) {
    const kael_tensor *const tensors[3] = {sums, job->indices, job->source};
    *s = (slices){{NULL, NULL, NULL}};
    for (int i = 0; i < 3; ++i) {
        const kael_status status = view_slice(&s->views[i], tensors[i], job);
        if (status != KAEL_OK) {
            release_slices(s);
            return status;
        }
    }
    return KAEL_OK;
}

/* A plan for adding to `sums`, which is f32 for f16 and bf16: all that can fail is done before. */
typedef struct scatter_plan {
    slices operands;
    kael_loop_kernel *kernel;
    kael_scatter_parameters parameters;
    int64_t grain;
} scatter_plan;

static int64_t byte_stride(const kael_tensor *tensor, int64_t dim) {
    return kael_tensor_strides(tensor)[dim] * kael_dtype_size(tensor->dtype);
}

static kael_status make_plan(scatter_plan *plan, const kael_tensor *sums, const scatter_job *job) {
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const int64_t count = job->indices->sizes[job->dim];
    plan->kernel =
        kernels->indexing->scatter_add[job->source->dtype][kael_index_type(job->indices)];
    plan->parameters = (kael_scatter_parameters){
        .size = sums->sizes[job->dim],
        .count = count,
        .strides = {byte_stride(sums, job->dim), byte_stride(job->indices, job->dim),
                    byte_stride(job->source, job->dim)},
    };
    plan->grain = kael_max_i64(1, SCATTER_GRAIN / count);
    return make_slices(&plan->operands, sums, job);
}

static kael_status add(scatter_plan *plan) {
    kael_iterator iterator;
    kael_iterator_init(&iterator, 3, (const kael_tensor *const *)plan->operands.views);
    const kael_status status =
        kael_iterator_run_strided(&iterator, plan->grain, plan->kernel, &plan->parameters);
    release_slices(&plan->operands);
    return status;
}

/* The sums start as the elements of the tensor, unless they are those already. */
static kael_status start_and_add(kael_tensor *sums, const scatter_job *job) {
    scatter_plan plan;
    KAEL_TRY(make_plan(&plan, sums, job));
    if (!kael_tensor_is_same(sums, job->tensor)) {
        const kael_status status = kael_copy_elements(sums, job->tensor);
        if (status != KAEL_OK) {
            release_slices(&plan.operands);
            return status;
        }
    }
    return add(&plan);
}

static kael_status compute_in_f32(kael_tensor *out, const scatter_job *job) {
    kael_tensor *sums;
    KAEL_TRY(kael_tensor_empty(&sums, KAEL_F32, out->ndim, out->sizes));
    kael_status status = start_and_add(sums, job);
    if (status == KAEL_OK) {
        status = kael_copy_elements(out, sums);
    }
    kael_tensor_release(sums);
    return status;
}

static kael_status compute(kael_tensor *out, const void *context) {
    const scatter_job *job = context;
    if (job->indices->numel == 0) {
        return kael_copy_elements(out, job->tensor);
    }
    return kael_kind_of_dtype(out->dtype) == KAEL_KIND_HALF ? compute_in_f32(out, job)
                                                            : start_and_add(out, job);
}

static kael_status make_job(scatter_job *job, const kael_tensor *tensor, int64_t dim,
                            const kael_tensor *indices, const kael_tensor *source) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    KAEL_TRY(kael_indices_require(indices));
    KAEL_TRY(kael_require_not_null(source, "source"));
    KAEL_TRY(kael_tensor_require_dtype(source, "source", tensor->dtype));
    *job = (scatter_job){tensor, indices, source, 0};
    KAEL_TRY(kael_tensor_require_dim(tensor, dim, &job->dim));
    KAEL_TRY(kael_indices_require_within(indices, tensor, "tensor", job->dim));
    KAEL_TRY(kael_indices_require_within(indices, source, "source", -1));
    const int64_t size = tensor->sizes[job->dim];
    char what[64];
    snprintf(what, sizeof what, "dimension %" PRId64 " of tensor", job->dim);
    return kael_indices_check(indices, -size, size, what);
}

kael_status kael_scatter_add(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                             const kael_tensor *indices, const kael_tensor *source) {
    KAEL_TRY(kael_require_out(out));
    scatter_job job;
    KAEL_TRY(make_job(&job, tensor, dim, indices, source));
    const kael_result result = kael_result_like(tensor);
    KAEL_TRY(kael_compute_new(out, &result, compute, &job));
    return kael_scatter_add_record(out, tensor, dim, indices, source);
}

/* Adding in place needs no copy of the tensor. */
kael_status kael_scatter_add_into(kael_tensor *out, const kael_tensor *tensor, int64_t dim,
                                  const kael_tensor *indices, const kael_tensor *source) {
    scatter_job job;
    KAEL_TRY(make_job(&job, tensor, dim, indices, source));
    const kael_result result = kael_result_like(tensor);
    const bool in_place = out != NULL && kael_tensor_is_same(out, tensor);
    return kael_compute_into(
        out, &result, compute, &job, 3,
        (const kael_tensor *const[]){in_place ? NULL : tensor, indices, source});
}
