/* The same elements under another shape. */
#include "core/checked.h"
#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/copy.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

static kael_status does_not_fit(const kael_tensor *tensor, int64_t ndim, const int64_t *shape) {
    char from[KAEL_SHAPE_TEXT_SIZE];
    char to[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_SHAPE, "a tensor of shape %s cannot be reshaped to %s",
                      kael_shape_text(from, tensor->ndim, tensor->sizes),
                      kael_shape_text(to, ndim, shape));
}

/* The index of the size that is -1; ndim if there is none. */
static kael_status find_open_size(int64_t *found, int64_t ndim, const int64_t *shape) {
    *found = ndim;
    for (int64_t i = 0; i < ndim; ++i) {
        if (shape[i] == -1 && *found != ndim) {
            char text[KAEL_SHAPE_TEXT_SIZE];
            return kael_error(KAEL_ERROR_SHAPE, "at most one size of shape may be -1, got %s",
                              kael_shape_text(text, ndim, shape));
        }
        *found = shape[i] == -1 ? i : *found;
    }
    return KAEL_OK;
}

/* Writes the shape with its -1 computed, once it is known to hold as many elements as `tensor`. */
static kael_status resolve_shape(int64_t *resolved, const kael_tensor *tensor, int64_t ndim,
                                 const int64_t *shape) {
    KAEL_TRY(kael_shape_check_ndim(ndim, shape));
    int64_t open;
    KAEL_TRY(find_open_size(&open, ndim, shape));
    for (int64_t i = 0; i < ndim; ++i) {
        resolved[i] = i == open ? 1 : shape[i];
    }
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, tensor->dtype, ndim, resolved));
    if (open == ndim) {
        return numel == tensor->numel ? KAEL_OK : does_not_fit(tensor, ndim, shape);
    }
    if (numel == 0 || tensor->numel % numel != 0) {
        return does_not_fit(tensor, ndim, shape);
    }
    resolved[open] = tensor->numel / numel;
    return KAEL_OK;
}

/* The new dimensions, from the last to the first, that are still to get a stride. */
typedef struct pending {
    const int64_t *shape;
    int64_t *strides;
    int64_t count;
} pending;

/* Gives strides to the last new dimensions that together have `size` elements, which lie `stride`
 * apart. False if no dimensions do. In a dimension of size 1 the stride does not matter; a multiple
 * of `stride` might overflow there. */
static bool split_run(pending *dims, int64_t size, int64_t stride) {
    int64_t done = 1;
    while (dims->count > 0 && (done < size || dims->shape[dims->count - 1] == 1)) {
        const int64_t new_size = dims->shape[--dims->count];
        dims->strides[dims->count] = new_size == 1 ? stride : done * stride;
        done *= new_size;
    }
    return done == size;
}

/* Finds strides under which the new shape visits the elements in row-major order; false if there
 * are none. Runs of dimensions whose elements lie equally far apart are split each for itself. */
static bool find_strides(int64_t *strides, const kael_tensor *tensor, int64_t ndim,
                         const int64_t *shape) {
    const int64_t *old_strides = kael_tensor_strides(tensor);
    pending dims = {shape, strides, ndim};
    int64_t size = 1;
    int64_t stride = 1;
    for (int64_t i = tensor->ndim - 1; i >= 0; --i) {
        if (tensor->sizes[i] == 1) {
            continue;
        }
        int64_t continued;
        if (size == 1) {
            stride = old_strides[i];
        } else if (!kael_checked_multiply(size, stride, &continued) ||
                   continued != old_strides[i]) {
            if (!split_run(&dims, size, stride)) {
                return false;
            }
            size = 1;
            stride = old_strides[i];
        }
        size *= tensor->sizes[i];
    }
    return split_run(&dims, size, stride);
}

static kael_status reshape_copy(kael_tensor **out, const kael_tensor *tensor, kael_layout *layout) {
    kael_tensor *copy;
    KAEL_TRY(kael_copy_as(&copy, tensor, tensor->dtype));
    kael_shape_row_major_strides(layout->strides, layout->ndim, layout->shape);
    layout->offset = 0;
    const kael_status status = kael_view_finish(out, copy, layout, NULL);
    kael_tensor_release(copy);
    KAEL_TRY(status);
    const kael_view_gradient gradient = kael_gradient_of_reshape();
    return kael_view_record(out, tensor, &gradient);
}

kael_status kael_tensor_reshape(kael_tensor **out, const kael_tensor *tensor, int64_t ndim,
                                const int64_t *shape) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    KAEL_TRY(resolve_shape(layout.shape, tensor, ndim, shape));
    layout.ndim = ndim;
    if (tensor->is_contiguous) {
        kael_shape_row_major_strides(layout.strides, ndim, layout.shape);
    } else if (!find_strides(layout.strides, tensor, ndim, layout.shape)) {
        return reshape_copy(out, tensor, &layout);
    }
    const kael_view_gradient gradient = kael_gradient_of_reshape();
    return kael_view_finish(out, tensor, &layout, &gradient);
}

kael_status kael_tensor_flatten(kael_tensor **out, const kael_tensor *tensor) {
    return kael_tensor_reshape(out, tensor, 1, (const int64_t[]){-1});
}
