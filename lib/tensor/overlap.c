#include "tensor/overlap.h"

#include <stdint.h>

#include "core/checked.h"
#include "core/error.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

typedef struct address_range {
    uintptr_t first;
    uintptr_t end;
} address_range;

static address_range range_of(const kael_tensor *tensor) {
    const int64_t element_size = kael_dtype_size(tensor->dtype);
    const int64_t *strides = kael_tensor_strides(tensor);
    int64_t lowest = 0;
    int64_t highest = 0;
    for (int64_t i = 0; i < tensor->ndim; ++i) {
        const int64_t reach = (tensor->sizes[i] - 1) * strides[i];
        *(reach < 0 ? &lowest : &highest) += reach;
    }
    const uintptr_t start = (uintptr_t)tensor->data;
    return (address_range){start + (uintptr_t)(lowest * element_size),
                           start + (uintptr_t)((highest + 1) * element_size)};
}

bool kael_tensor_may_share(const kael_tensor *a, const kael_tensor *b) {
    if (a->numel == 0 || b->numel == 0) {
        return false;
    }
    const address_range range_a = range_of(a);
    const address_range range_b = range_of(b);
    return range_a.first < range_b.end && range_b.first < range_a.end;
}

bool kael_tensor_is_same(const kael_tensor *a, const kael_tensor *b) {
    if (a->data != b->data || a->dtype != b->dtype || a->numel != b->numel) {
        return false;
    }
    if (a->ndim < b->ndim) {
        const kael_tensor *swapped = a;
        a = b;
        b = swapped;
    }
    const int64_t added = a->ndim - b->ndim;
    for (int64_t i = 0; i < a->ndim; ++i) {
        const int64_t size = i < added ? 1 : b->sizes[i - added];
        if (a->sizes[i] != size ||
            (size > 1 && kael_tensor_strides(a)[i] != kael_tensor_strides(b)[i - added])) {
            return false;
        }
    }
    return true;
}

/* The dimensions of more than one element, by falling strides. `reach` is how far the later ones
 * together lead at most. */
typedef struct offsets {
    int ndim;
    int64_t steps[KAEL_MAX_DIMS]; /* sizes less one */
    int64_t strides[KAEL_MAX_DIMS];
    int64_t reach[KAEL_MAX_DIMS];
    int64_t budget; /* of trials that are left */
} offsets;

static void insert(offsets *lattice, int64_t steps, int64_t stride) {
    int i = lattice->ndim++;
    for (; i > 0 && lattice->strides[i - 1] < stride; --i) {
        lattice->strides[i] = lattice->strides[i - 1];
        lattice->steps[i] = lattice->steps[i - 1];
    }
    lattice->strides[i] = stride;
    lattice->steps[i] = steps;
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/* A level for each dimension. NOLINTBEGIN(misc-no-recursion) */

/* Whether steps along the dimensions from `dim` on, not all zero unless some were made before, lead
 * from `position` to zero. */
static bool returns(offsets *lattice, int dim, int64_t position, bool moved) {
    if (dim == lattice->ndim) {
        return moved && position == 0;
    }
    if (--lattice->budget < 0) {
        return true;
    }
    const int64_t stride = lattice->strides[dim];
    const int64_t reach = lattice->reach[dim];
    const int64_t first = kael_max_i64(-floor_div(position + reach, stride), -lattice->steps[dim]);
    const int64_t last = kael_min_i64(floor_div(reach - position, stride), lattice->steps[dim]);
    for (int64_t count = first; count <= last; ++count) {
        if (returns(lattice, dim + 1, position + count * stride, moved || count != 0)) {
            return true;
        }
    }
    return false;
}
/* NOLINTEND(misc-no-recursion) */

static bool repeats_elements(const kael_tensor *tensor) {
    offsets lattice = {.budget = 10000};
    for (int i = 0; i < tensor->ndim; ++i) {
        const int64_t stride = kael_tensor_strides(tensor)[i];
        if (tensor->sizes[i] > 1) {
            if (stride == 0) {
                return true;
            }
            insert(&lattice, tensor->sizes[i] - 1, stride < 0 ? -stride : stride);
        }
    }
    bool nested = true;
    int64_t reach = 0;
    for (int i = lattice.ndim - 1; i >= 0; --i) {
        lattice.reach[i] = reach;
        nested = nested && lattice.strides[i] > reach;
        reach += lattice.steps[i] * lattice.strides[i];
    }
    return !nested && returns(&lattice, 0, 0, false);
}

kael_status kael_tensor_require_distinct_elements(const kael_tensor *tensor, const char *name) {
    if (tensor->is_contiguous || tensor->numel <= 1 || !repeats_elements(tensor)) {
        return KAEL_OK;
    }
    char shape[KAEL_SHAPE_TEXT_SIZE];
    char strides[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_VALUE,
                      "%s must not have two elements at one place, got shape %s with strides %s",
                      name, kael_shape_text(shape, tensor->ndim, tensor->sizes),
                      kael_shape_text(strides, tensor->ndim, kael_tensor_strides(tensor)));
}
