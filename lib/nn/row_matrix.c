#include "nn/row_matrix.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "tensor/copy.h"
#include "tensor/dtype.h"
#include "tensor/require.h"
#include "tensor/tensor.h"
#include "tensor/view.h"

kael_dtype kael_row_dtype(kael_dtype dtype) {
    return dtype == KAEL_F64 ? KAEL_F64 : KAEL_F32;
}

kael_status kael_require_floating(const kael_tensor *tensor, const char *name) {
    KAEL_TRY(kael_require_not_null(tensor, name));
    return kael_dtype_is_floating(tensor->dtype)
               ? KAEL_OK
               : kael_error(KAEL_ERROR_DTYPE, "%s must have a floating point dtype, got %s", name,
                            kael_dtype_name(tensor->dtype));
}

/* The tensor with a dimension at the end. */
static kael_status move_to_end(kael_tensor **view, const kael_tensor *tensor, int64_t dim) {
    if (tensor->ndim > 0 && dim == tensor->ndim - 1) {
        *view = kael_tensor_share(tensor);
        return KAEL_OK;
    }
    kael_layout layout;
    KAEL_TRY(kael_view_begin(view, tensor, &layout));
    if (layout.ndim > 0) {
        const int64_t size = layout.shape[dim];
        const int64_t stride = layout.strides[dim];
        kael_layout_remove(&layout, dim);
        kael_layout_insert(&layout, layout.ndim, size, stride);
    } else {
        kael_layout_insert(&layout, 0, 1, 1);
    }
    return kael_view_finish(view, tensor, &layout, NULL);
}

/* Whether the elements of the last dimensions lie side by side in row-major order. */
static bool is_row(const kael_tensor *view, int64_t dims) {
    const int64_t *strides = kael_tensor_strides(view);
    int64_t next = 1;
    for (int d = view->ndim - 1; d >= view->ndim - (int)dims; --d) {
        if (view->sizes[d] > 1 && strides[d] != next) {
            return false;
        }
        next *= view->sizes[d];
    }
    return true;
}

/* Whether all rows lie one stride apart, with their elements side by side. */
static bool is_matrix(const kael_tensor *view, int64_t dims, int64_t *row_stride) {
    const int64_t *strides = kael_tensor_strides(view);
    *row_stride = 0;
    if (!is_row(view, dims)) {
        return false;
    }
    int64_t next = 0; /* the stride that continues the dimensions seen */
    for (int d = view->ndim - (int)dims - 1; d >= 0; --d) {
        if (view->sizes[d] == 1) {
            continue;
        }
        if (next != 0 && strides[d] != next) {
            return false;
        }
        if (next == 0) {
            *row_stride = strides[d];
        }
        /* Rows that repeat, stride 0, continue in no other dimension. */
        next = strides[d] != 0 ? strides[d] * view->sizes[d] : INT64_MIN;
    }
    return true;
}

/* Takes the view over. */
static void begin(kael_row_matrix *matrix, const kael_tensor *tensor, kael_tensor *view,
                  int64_t dims) {
    *matrix = (kael_row_matrix){.dtype = kael_row_dtype(tensor->dtype), .count = 1, .view = view};
    for (int64_t d = view->ndim - dims; d < view->ndim; ++d) {
        matrix->count *= view->sizes[d];
    }
    matrix->rows = matrix->count == 0 ? 0 : tensor->numel / matrix->count;
    matrix->element_size = kael_dtype_size(matrix->dtype);
    if (matrix->dtype == tensor->dtype && is_matrix(view, dims, &matrix->row_stride)) {
        matrix->data = tensor->data;
    }
}

static void use_copy(kael_row_matrix *matrix, kael_tensor *copy) {
    matrix->copy = copy;
    matrix->data = copy->data;
    matrix->row_stride = matrix->count;
}

static kael_status open_to_read(kael_row_matrix *matrix) {
    if (matrix->data != NULL || matrix->view->numel == 0) {
        return KAEL_OK;
    }
    kael_tensor *copy;
    const kael_status status = kael_copy_as(&copy, matrix->view, matrix->dtype);
    if (status != KAEL_OK) {
        kael_row_matrix_close(matrix);
        return status;
    }
    use_copy(matrix, copy);
    return KAEL_OK;
}

static kael_status open_to_write(kael_row_matrix *matrix, const kael_row_matrix *spare) {
    if (matrix->data != NULL || matrix->view->numel == 0) {
        return KAEL_OK;
    }
    if (spare != NULL && spare->copy != NULL) {
        use_copy(matrix, kael_tensor_retain(spare->copy));
        return KAEL_OK;
    }
    kael_tensor *copy;
    const kael_status status =
        kael_tensor_empty(&copy, matrix->dtype, matrix->view->ndim, matrix->view->sizes);
    if (status != KAEL_OK) {
        kael_row_matrix_close(matrix);
        return status;
    }
    use_copy(matrix, copy);
    return KAEL_OK;
}

kael_status kael_row_matrix_open(kael_row_matrix *matrix, const kael_tensor *tensor, int64_t dim) {
    kael_tensor *view;
    KAEL_TRY(move_to_end(&view, tensor, dim));
    begin(matrix, tensor, view, 1);
    return open_to_read(matrix);
}

kael_status kael_row_matrix_open_out(kael_row_matrix *matrix, kael_tensor *tensor, int64_t dim,
                                     const kael_row_matrix *spare) {
    kael_tensor *view;
    KAEL_TRY(move_to_end(&view, tensor, dim));
    begin(matrix, tensor, view, 1);
    return open_to_write(matrix, spare);
}

kael_status kael_row_matrix_open_last(kael_row_matrix *matrix, const kael_tensor *tensor,
                                      int64_t dims) {
    begin(matrix, tensor, kael_tensor_share(tensor), dims);
    return open_to_read(matrix);
}

kael_status kael_row_matrix_open_last_out(kael_row_matrix *matrix, kael_tensor *tensor,
                                          int64_t dims, const kael_row_matrix *spare) {
    begin(matrix, tensor, kael_tensor_share(tensor), dims);
    return open_to_write(matrix, spare);
}

kael_status kael_row_matrix_commit(kael_row_matrix *matrix) {
    return matrix->copy == NULL ? KAEL_OK : kael_copy_elements(matrix->view, matrix->copy);
}

void kael_row_matrix_close(kael_row_matrix *matrix) {
    kael_tensor_release(matrix->copy);
    kael_tensor_release(matrix->view);
    *matrix = (kael_row_matrix){0};
}
