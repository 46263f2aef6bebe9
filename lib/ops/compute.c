#include "ops/compute.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "tensor/copy.h"
#include "tensor/graph.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

kael_result kael_result_like(const kael_tensor *tensor) {
    kael_result result = {.dtype = tensor->dtype, .ndim = tensor->ndim};
    memcpy(result.shape, tensor->sizes, (size_t)tensor->ndim * sizeof *result.shape);
    return result;
}

kael_status kael_compute_new(kael_tensor **out, const kael_result *result, kael_compute *compute,
                             const void *job) {
    KAEL_TRY(kael_tensor_empty(out, result->dtype, result->ndim, result->shape));
    const kael_status status = (*out)->numel > 0 ? compute(*out, job) : KAEL_OK;
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

static bool may_share_any(const kael_tensor *out, int64_t count,
                          const kael_tensor *const *operands) {
    for (int64_t i = 0; i < count; ++i) {
        if (operands[i] != NULL && kael_tensor_may_share(out, operands[i])) {
            return true;
        }
    }
    return false;
}

kael_status kael_compute_into(kael_tensor *out, const kael_result *result, kael_compute *compute,
                              const void *job, int64_t count, const kael_tensor *const *operands) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    KAEL_TRY(kael_tensor_require_dtype(out, "out", result->dtype));
    KAEL_TRY(kael_tensor_require_shape(out, "out", result->ndim, result->shape));
    KAEL_TRY(kael_tensor_require_distinct_elements(out, "out"));
    KAEL_TRY(kael_graph_begin_write(out, "out", count, operands));
    if (out->numel == 0) {
        return KAEL_OK;
    }
    if (!may_share_any(out, count, operands)) {
        return compute(out, job);
    }
    kael_tensor *computed;
    KAEL_TRY(kael_compute_new(&computed, result, compute, job));
    const kael_status status = kael_copy_elements(out, computed);
    kael_tensor_release(computed);
    return status;
}
