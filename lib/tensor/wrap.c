/* Tensors on memory that exists already. */
#include <inttypes.h>

#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

static kael_status check_address(const void *data, kael_dtype dtype) {
    const int64_t size = kael_dtype_size(dtype);
    return (uintptr_t)data % (uintptr_t)size == 0
               ? KAEL_OK
               : kael_error(KAEL_ERROR_VALUE,
                            "data must lie at a multiple of %" PRId64
                            " bytes for dtype %s, got address %#" PRIxPTR,
                            size, kael_dtype_name(dtype), (uintptr_t)data);
}

/* Bytes relative to the first element. */
typedef struct extent {
    int64_t lowest;
    int64_t end;
} extent;

/* Whether the extent lies between the ends of the address space. */
static bool is_addressable(const void *data, extent occupied) {
    const uintptr_t address = (uintptr_t)data;
    return address >= -(uintptr_t)occupied.lowest && (uintptr_t)occupied.end <= -address;
}

static kael_status measure_extent(extent *occupied, kael_dtype dtype, const kael_layout *layout,
                                  int64_t numel, const void *data) {
    const bool fits = kael_shape_extent(&occupied->lowest, &occupied->end, kael_dtype_size(dtype),
                                        layout->ndim, layout->shape, layout->strides);
    if (fits && (numel == 0 || is_addressable(data, *occupied))) {
        return KAEL_OK;
    }
    char shape[KAEL_SHAPE_TEXT_SIZE];
    char strides[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(
        KAEL_ERROR_SHAPE, "the elements of shape %s, strides %s and dtype %s do not fit in memory",
        kael_shape_text(shape, layout->ndim, layout->shape),
        kael_shape_text(strides, layout->ndim, layout->strides), kael_dtype_name(dtype));
}

static void set_layout(kael_layout *layout, int64_t ndim, const int64_t *shape,
                       const int64_t *strides) {
    layout->ndim = ndim;
    for (int64_t i = 0; i < ndim; ++i) {
        layout->shape[i] = shape[i];
        layout->strides[i] = strides == NULL ? 0 : strides[i];
    }
    if (strides == NULL) {
        kael_shape_row_major_strides(layout->strides, ndim, shape);
    }
}

kael_status kael_tensor_wrap(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                             const int64_t *shape, const int64_t *strides, void *data,
                             kael_tensor_free_function *free_function, void *context) {
    KAEL_TRY(kael_require_out(out));
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, dtype, ndim, shape));
    if (numel > 0) {
        KAEL_TRY(kael_require_not_null(data, "data"));
    }
    KAEL_TRY(check_address(data, dtype));
    kael_layout layout;
    set_layout(&layout, ndim, shape, strides);
    extent occupied;
    KAEL_TRY(measure_extent(&occupied, dtype, &layout, numel, data));
    layout.offset = -occupied.lowest / kael_dtype_size(dtype);
    const kael_foreign_memory foreign = {free_function, data, context};
    return kael_tensor_create_foreign(out, dtype, &layout,
                                      numel == 0 ? NULL : (char *)data + occupied.lowest,
                                      occupied.end - occupied.lowest, &foreign);
}
