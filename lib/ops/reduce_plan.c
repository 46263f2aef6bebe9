#include "ops/reduce_plan.h"

#include <inttypes.h>
#include <stddef.h>

#include "core/error.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

static kael_status mark_reduced(bool *is_reduced, const kael_tensor *tensor, int64_t ndims,
                                const int64_t *dims) {
    if (ndims < 0) {
        return kael_error(KAEL_ERROR_VALUE, "ndims must not be negative, got %" PRId64, ndims);
    }
    if (dims == NULL && ndims > 0) {
        return kael_error(KAEL_ERROR_VALUE, "dims must not be NULL when ndims is %" PRId64, ndims);
    }
    for (int64_t d = 0; d < tensor->ndim; ++d) {
        is_reduced[d] = dims == NULL;
    }
    for (int64_t i = 0; i < ndims; ++i) {
        int64_t dim;
        KAEL_TRY(kael_tensor_require_dim(tensor, dims[i], &dim));
        if (is_reduced[dim]) {
            return kael_error(KAEL_ERROR_VALUE,
                              "dims must name each dimension once, got %" PRId64
                              " for dimension %" PRId64 " again",
                              dims[i], dim);
        }
        is_reduced[dim] = true;
    }
    return KAEL_OK;
}

kael_status kael_reduced_dims_init(kael_reduced_dims *reduced, const kael_tensor *tensor,
                                   int64_t ndims, const int64_t *dims, bool keepdim) {
    KAEL_TRY(mark_reduced(reduced->is_reduced, tensor, ndims, dims));
    reduced->keepdim = keepdim;
    reduced->ndim = 0;
    for (int64_t d = 0; d < tensor->ndim; ++d) {
        if (!reduced->is_reduced[d]) {
            reduced->shape[reduced->ndim++] = tensor->sizes[d];
        } else if (keepdim) {
            reduced->shape[reduced->ndim++] = 1;
        }
    }
    return KAEL_OK;
}

static bool continues(const kael_reduce_dim *outer, const kael_reduce_dim *inner) {
    return outer->in_stride == inner->size * inner->in_stride &&
           outer->out_stride == inner->size * inner->out_stride;
}

static void append(kael_reduce_dim *dims, int *ndim, kael_reduce_dim dim) {
    if (*ndim > 0 && continues(&dims[*ndim - 1], &dim)) {
        dim.size *= dims[*ndim - 1].size;
        dims[*ndim - 1] = dim;
    } else {
        dims[(*ndim)++] = dim;
    }
}

/* Repeated elements cost nothing to walk, so they go first. */
static int64_t distance(const kael_reduce_dim *dim) {
    return dim->in_stride == 0 ? INT64_MAX : dim->in_stride;
}

static void insert_by_distance(kael_reduce_dim *dims, int *ndim, kael_reduce_dim dim) {
    int at = (*ndim)++;
    for (; at > 0 && distance(&dims[at - 1]) < distance(&dim); --at) {
        dims[at] = dims[at - 1];
    }
    dims[at] = dim;
}

/* The order of outputs is free, so that input strides can be made positive. */
static kael_reduce_dim forwards(kael_reduce_plan *plan, kael_reduce_dim dim) {
    if (dim.in_stride < 0) {
        plan->in_offset += (dim.size - 1) * dim.in_stride;
        plan->out_offset += (dim.size - 1) * dim.out_stride;
        dim.in_stride = -dim.in_stride;
        dim.out_stride = -dim.out_stride;
    }
    return dim;
}

static void collect_dims(kael_reduce_plan *plan, const kael_tensor *out, const kael_tensor *tensor,
                         const kael_reduced_dims *reduced) {
    kael_reduce_dim kept[KAEL_MAX_DIMS];
    int kept_ndim = 0;
    int64_t out_dim = 0;
    for (int64_t d = 0; d < tensor->ndim; ++d) {
        kael_reduce_dim dim = {.size = tensor->sizes[d],
                               .in_stride = kael_tensor_strides(tensor)[d]};
        if (reduced->is_reduced[d]) {
            plan->count *= dim.size;
            if (dim.size != 1) {
                append(plan->reduced, &plan->reduced_ndim, dim);
            }
            out_dim += reduced->keepdim;
        } else {
            plan->outputs *= dim.size;
            dim.out_stride = kael_tensor_strides(out)[out_dim++];
            if (dim.size != 1) {
                insert_by_distance(kept, &kept_ndim, forwards(plan, dim));
            }
        }
    }
    for (int i = 0; i < kept_ndim; ++i) {
        append(plan->kept, &plan->kept_ndim, kept[i]);
    }
}

/* Columns where outputs lie closer together than the elements of one. */
static kael_panel_layout choose_layout(const kael_reduce_plan *plan) {
    const int64_t between_outputs = plan->kept[plan->kept_ndim - 1].in_stride;
    if (plan->outputs == 1 || between_outputs == 0) {
        return KAEL_PANEL_ROWS;
    }
    if (plan->reduced_ndim == 0) {
        return KAEL_PANEL_COLUMNS;
    }
    const int64_t stride = plan->reduced[plan->reduced_ndim - 1].in_stride;
    const int64_t between_elements = stride < 0 ? -stride : stride;
    return between_elements == 0 || between_outputs < between_elements ? KAEL_PANEL_COLUMNS
                                                                       : KAEL_PANEL_ROWS;
}

/* Makes the longest dimension the last. */
static void move_longest_last(kael_reduce_dim *dims, int ndim) {
    int longest = 0;
    for (int i = 1; i < ndim; ++i) {
        longest = dims[i].size >= dims[longest].size ? i : longest;
    }
    const kael_reduce_dim dim = dims[longest];
    for (int i = longest; i + 1 < ndim; ++i) {
        dims[i] = dims[i + 1];
    }
    dims[ndim - 1] = dim;
}

void kael_reduce_plan_init(kael_reduce_plan *plan, const kael_tensor *out,
                           const kael_tensor *tensor, const kael_reduced_dims *reduced) {
    plan->outputs = 1;
    plan->count = 1;
    plan->kept_ndim = 0;
    plan->reduced_ndim = 0;
    plan->in_offset = 0;
    plan->out_offset = 0;
    collect_dims(plan, out, tensor, reduced);
    if (plan->kept_ndim == 0) {
        plan->kept[plan->kept_ndim++] = (kael_reduce_dim){.size = 1};
    }
    plan->layout = choose_layout(plan);
    if (plan->layout == KAEL_PANEL_ROWS) {
        move_longest_last(plan->kept, plan->kept_ndim);
    }
}
