#include "autograd/gradient_sum.h"

#include <stdatomic.h>
#include <stddef.h>

#include "core/error.h"
#include "kael/ops.h"
#include "kael/reduce.h"
#include "tensor/shape.h"

/* Puts `made` in the place of the gradient if it was made. */
static kael_status replace(kael_tensor **gradient, kael_status status, kael_tensor *made) {
    if (status == KAEL_OK) {
        kael_tensor_release(*gradient);
        *gradient = made;
    }
    return status;
}

/* The dimensions of `gradient` along which an input of this shape was broadcast. */
static int64_t broadcast_dims(int64_t *dims, const kael_tensor *gradient,
                              const kael_graph_input *input) {
    const int64_t added = gradient->ndim - input->ndim;
    int64_t count = 0;
    for (int64_t i = 0; i < gradient->ndim; ++i) {
        if (i < added || (input->shape[i - added] == 1 && gradient->sizes[i] != 1)) {
            dims[count++] = i;
        }
    }
    return count;
}

static kael_status sum_to_shape(kael_tensor **gradient, const kael_graph_input *input) {
    int64_t dims[KAEL_MAX_DIMS];
    const int64_t count = broadcast_dims(dims, *gradient, input);
    kael_tensor *made;
    if (count > 0) {
        const kael_status status = kael_sum(&made, *gradient, count, dims, true);
        KAEL_TRY(replace(gradient, status, made));
    }
    if ((*gradient)->ndim != input->ndim) {
        const kael_status status = kael_tensor_reshape(&made, *gradient, input->ndim, input->shape);
        KAEL_TRY(replace(gradient, status, made));
    }
    return KAEL_OK;
}

kael_status kael_gradient_fit(kael_tensor **gradient, const kael_graph_input *input) {
    KAEL_TRY(sum_to_shape(gradient, input));
    if ((*gradient)->dtype != input->dtype) {
        kael_tensor *made;
        const kael_status status = kael_tensor_to_dtype(&made, *gradient, input->dtype);
        KAEL_TRY(replace(gradient, status, made));
    }
    return KAEL_OK;
}

/* A dense tensor; others repeat elements or keep more memory than they need. */
static bool is_compact(const kael_tensor *gradient) {
    return gradient->is_contiguous &&
           gradient->numel * kael_dtype_size(gradient->dtype) == gradient->storage->bytes;
}

static bool is_sole_owner(kael_tensor *gradient) {
    return atomic_load(&gradient->references) == 1 &&
           atomic_load(&gradient->storage->references) == 1 && !gradient->storage->is_foreign;
}

kael_status kael_gradient_add(kael_tensor **sum, kael_tensor *gradient) {
    if (*sum == NULL) {
        *sum = kael_tensor_retain(gradient);
        return KAEL_OK;
    }
    kael_tensor *made;
    const kael_status status = kael_add(&made, *sum, gradient);
    return replace(sum, status, made);
}

kael_status kael_gradient_own(kael_tensor **gradient) {
    if (is_sole_owner(*gradient) && is_compact(*gradient)) {
        return KAEL_OK;
    }
    kael_tensor *made;
    const kael_status status = kael_tensor_clone(&made, *gradient);
    return replace(gradient, status, made);
}
