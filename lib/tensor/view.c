#include "tensor/view.h"

#include <string.h>

#include "core/error.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

static void read_layout(kael_layout *layout, const kael_tensor *tensor) {
    const int ndim = tensor->ndim;
    layout->ndim = ndim;
    layout->offset = tensor->offset;
    for (int i = 0; i < ndim; ++i) {
        layout->shape[i] = tensor->sizes[i];
        layout->strides[i] = tensor->sizes[ndim + i];
    }
}

kael_status kael_view_begin(kael_tensor **out, const kael_tensor *tensor, kael_layout *layout) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    read_layout(layout, tensor);
    return KAEL_OK;
}

static void shift(int64_t *sizes, int64_t from, int64_t to, int64_t count) {
    memmove(sizes + to, sizes + from, (size_t)count * sizeof *sizes);
}

void kael_layout_remove(kael_layout *layout, int64_t dim) {
    const int64_t behind = --layout->ndim - dim;
    shift(layout->shape, dim + 1, dim, behind);
    shift(layout->strides, dim + 1, dim, behind);
}

void kael_layout_insert(kael_layout *layout, int64_t dim, int64_t size, int64_t stride) {
    const int64_t behind = layout->ndim++ - dim;
    shift(layout->shape, dim, dim + 1, behind);
    shift(layout->strides, dim, dim + 1, behind);
    layout->shape[dim] = size;
    layout->strides[dim] = stride;
}

kael_status kael_view_finish(kael_tensor **out, const kael_tensor *tensor,
                             const kael_layout *layout, const kael_view_gradient *gradient) {
    KAEL_TRY(kael_tensor_create_view(out, tensor->storage, tensor->dtype, layout->ndim,
                                     layout->shape, layout->strides, layout->offset));
    return gradient == NULL ? KAEL_OK : kael_view_record(out, tensor, gradient);
}

kael_tensor *kael_tensor_share(const kael_tensor *tensor) {
    /* An owner is no part of a tensor's value, so that a const tensor may get one more. */
    return kael_tensor_retain((kael_tensor *)(uintptr_t)tensor);
}
