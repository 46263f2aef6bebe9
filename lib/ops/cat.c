/* cat and stack: tensors side by side along a dimension. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/indexing.h"
#include "memory/block.h"
#include "ops/compute.h"
#include "ops/indexing_gradient.h"
#include "tensor/copy.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

typedef struct cat_job {
    const kael_tensor *const *tensors;
    int64_t count;
    int64_t dim;
    bool is_new_dim; /* of size 1 in every tensor: stack */
} cat_job;

static int64_t extent(const cat_job *job, int64_t i) {
    return job->is_new_dim ? 1 : job->tensors[i]->sizes[job->dim];
}

/* The part of the result that a tensor goes to, under the tensor's own shape. */
static kael_status view_part(kael_tensor **view, const kael_tensor *out, const cat_job *job,
                             int64_t i, int64_t start) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(view, out, &layout));
    const int64_t size = extent(job, i);
    layout.offset += size == 0 ? 0 : start * layout.strides[job->dim];
    layout.shape[job->dim] = size;
    if (job->is_new_dim) {
        kael_layout_remove(&layout, job->dim);
    }
    return kael_view_finish(view, out, &layout, NULL);
}

static void release_parts(kael_tensor *const *parts, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        kael_tensor_release(parts[i]);
    }
}

static kael_status make_parts(kael_tensor **parts, const kael_tensor *out, const cat_job *job) {
    int64_t start = 0;
    for (int64_t i = 0; i < job->count; ++i) {
        const kael_status status = view_part(&parts[i], out, job, i, start);
        if (status != KAEL_OK) {
            release_parts(parts, i);
            return status;
        }
        start += extent(job, i);
    }
    return KAEL_OK;
}

static kael_status copy_parts(kael_tensor *const *parts, const cat_job *job) {
    for (int64_t i = 0; i < job->count; ++i) {
        KAEL_TRY(kael_copy_elements(parts[i], job->tensors[i]));
    }
    return KAEL_OK;
}

/* All views are there before the first element is written. */
static kael_status compute(kael_tensor *out, const void *context) {
    const cat_job *job = context;
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, job->count * (int64_t)sizeof(kael_tensor *)));
    kael_tensor **parts = block.data;
    kael_status status = make_parts(parts, out, job);
    if (status == KAEL_OK) {
        status = copy_parts(parts, job);
        release_parts(parts, job->count);
    }
    kael_block_release(&block);
    return status;
}

static kael_status require_tensors(int64_t count, const kael_tensor *const *tensors) {
    if (count < 1) {
        return kael_error(KAEL_ERROR_VALUE, "count must be at least 1, got %" PRId64, count);
    }
    KAEL_TRY(kael_require_not_null(tensors, "tensors"));
    for (int64_t i = 0; i < count; ++i) {
        if (tensors[i] == NULL) {
            return kael_error(KAEL_ERROR_VALUE, "tensors[%" PRId64 "] must not be NULL", i);
        }
    }
    return KAEL_OK;
}

/* Shapes must be equal but in the dimension `except`; -1 is none. */
static kael_status require_fitting(const cat_job *job, int64_t i, int64_t except) {
    const kael_tensor *first = job->tensors[0];
    const kael_tensor *tensor = job->tensors[i];
    bool fits = tensor->ndim == first->ndim;
    for (int64_t dim = 0; fits && dim < first->ndim; ++dim) {
        fits = dim == except || tensor->sizes[dim] == first->sizes[dim];
    }
    if (fits) {
        return KAEL_OK;
    }
    char expected[KAEL_SHAPE_TEXT_SIZE];
    char actual[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_SHAPE,
                      "tensors[%" PRId64 "] must have the shape of tensors[0]%s, got %s and %s", i,
                      except < 0 ? "" : " outside of dim",
                      kael_shape_text(actual, tensor->ndim, tensor->sizes),
                      kael_shape_text(expected, first->ndim, first->sizes));
}

/* Collects dtype and size along dim of all tensors. */
static kael_status plan_common(const cat_job *job, kael_result *result, int64_t except) {
    int64_t total = 0;
    for (int64_t i = 0; i < job->count; ++i) {
        KAEL_TRY(require_fitting(job, i, except));
        KAEL_TRY(kael_promote_dtypes(&result->dtype, result->dtype, job->tensors[i]->dtype));
        if (!kael_checked_add(total, extent(job, i), &total)) {
            return kael_error(KAEL_ERROR_SHAPE,
                              "the sizes along dim %" PRId64 " add up to more "
                              "than 63 bits",
                              job->dim);
        }
    }
    result->shape[job->dim] = total;
    return KAEL_OK;
}

static kael_status plan_cat(cat_job *job, kael_result *result, int64_t count,
                            const kael_tensor *const *tensors, int64_t dim) {
    KAEL_TRY(require_tensors(count, tensors));
    *job = (cat_job){tensors, count, 0, false};
    KAEL_TRY(kael_tensor_require_dim(tensors[0], dim, &job->dim));
    *result = kael_result_like(tensors[0]);
    return plan_common(job, result, job->dim);
}

static kael_status plan_stack(cat_job *job, kael_result *result, int64_t count,
                              const kael_tensor *const *tensors, int64_t dim) {
    KAEL_TRY(require_tensors(count, tensors));
    const int64_t ndim = tensors[0]->ndim + 1;
    *job = (cat_job){tensors, count, dim < 0 ? dim + ndim : dim, true};
    if (job->dim < 0 || job->dim >= ndim) {
        return kael_error(KAEL_ERROR_INDEX,
                          "dim %" PRId64 " is out of range for a result of %" PRId64 " dimensions",
                          dim, ndim);
    }
    if (ndim > KAEL_MAX_DIMS) {
        return kael_error(KAEL_ERROR_SHAPE, "tensors must have less than %d dimensions, got %d",
                          KAEL_MAX_DIMS, tensors[0]->ndim);
    }
    *result = kael_result_like(tensors[0]);
    result->ndim = ndim;
    for (int64_t i = ndim - 1; i > job->dim; --i) {
        result->shape[i] = result->shape[i - 1];
    }
    return plan_common(job, result, -1);
}

#define DEFINE_FORMS(name)                                                                         \
    kael_status kael_##name(kael_tensor **out, int64_t count, const kael_tensor *const *tensors,   \
                            int64_t dim) {                                                         \
        KAEL_TRY(kael_require_out(out));                                                           \
        cat_job job;                                                                               \
        kael_result result;                                                                        \
        KAEL_TRY(plan_##name(&job, &result, count, tensors, dim));                                 \
        KAEL_TRY(kael_compute_new(out, &result, compute, &job));                                   \
        return kael_##name##_record(out, count, tensors, job.dim);                                 \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, int64_t count,                                \
                                   const kael_tensor *const *tensors, int64_t dim) {               \
        cat_job job;                                                                               \
        kael_result result;                                                                        \
        KAEL_TRY(plan_##name(&job, &result, count, tensors, dim));                                 \
        return kael_compute_into(out, &result, compute, &job, count, tensors);                     \
    }
DEFINE_FORMS(cat)
DEFINE_FORMS(stack)
