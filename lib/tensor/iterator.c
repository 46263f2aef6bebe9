#include "tensor/iterator.h"

#include "tensor/tensor.h"

static int64_t magnitude(int64_t stride) {
    return stride < 0 ? -stride : stride;
}

static int64_t byte_stride(const kael_tensor *tensor, int64_t dim_from_end, int64_t element_size) {
    const int64_t dim = tensor->ndim - 1 - dim_from_end;
    return dim < 0 || tensor->sizes[dim] == 1 ? 0 : kael_tensor_strides(tensor)[dim] * element_size;
}

static void collect_dimensions(kael_iterator *iterator, const kael_tensor *const *tensors) {
    const kael_tensor *out = tensors[0];
    for (int64_t i = 0; i < out->ndim; ++i) {
        const int64_t size = out->sizes[out->ndim - 1 - i];
        if (size == 1) {
            continue;
        }
        iterator->shape[iterator->ndim] = size;
        for (int k = 0; k < iterator->operands; ++k) {
            iterator->strides[k][iterator->ndim] =
                byte_stride(tensors[k], i, iterator->element_sizes[k]);
        }
        ++iterator->ndim;
    }
}

/* Reverses a dimension along which the first operand that moves runs backwards. */
static void orient(kael_iterator *iterator, int dim) {
    int k = 0;
    while (k < iterator->operands - 1 && iterator->strides[k][dim] == 0) {
        ++k;
    }
    if (iterator->strides[k][dim] >= 0) {
        return;
    }
    for (k = 0; k < iterator->operands; ++k) {
        iterator->data[k] += (iterator->shape[dim] - 1) * iterator->strides[k][dim];
        iterator->strides[k][dim] = -iterator->strides[k][dim];
    }
}

static void swap_dimensions(kael_iterator *iterator, int a, int b) {
    const int64_t size = iterator->shape[a];
    iterator->shape[a] = iterator->shape[b];
    iterator->shape[b] = size;
    for (int k = 0; k < iterator->operands; ++k) {
        const int64_t stride = iterator->strides[k][a];
        iterator->strides[k][a] = iterator->strides[k][b];
        iterator->strides[k][b] = stride;
    }
}

/* Whether dimension a should lie inside dimension b. */
static bool is_denser(const kael_iterator *iterator, int a, int b) {
    for (int k = 0; k < iterator->operands; ++k) {
        const int64_t stride_a = magnitude(iterator->strides[k][a]);
        const int64_t stride_b = magnitude(iterator->strides[k][b]);
        if (stride_a != 0 && stride_b != 0 && stride_a != stride_b) {
            return stride_a < stride_b;
        }
    }
    return false;
}

static void sort_dimensions(kael_iterator *iterator) {
    for (int i = 1; i < iterator->ndim; ++i) {
        for (int j = i; j > 0 && is_denser(iterator, j, j - 1); --j) {
            swap_dimensions(iterator, j, j - 1);
        }
    }
}

static bool is_mergeable(const kael_iterator *iterator, int dim, int next) {
    for (int k = 0; k < iterator->operands; ++k) {
        const int64_t *strides = iterator->strides[k];
        if (strides[next] != iterator->shape[dim] * strides[dim]) {
            return false;
        }
    }
    return true;
}

static void coalesce(kael_iterator *iterator) {
    int last = 0;
    for (int i = 1; i < iterator->ndim; ++i) {
        if (is_mergeable(iterator, last, i)) {
            iterator->shape[last] *= iterator->shape[i];
        } else {
            swap_dimensions(iterator, ++last, i);
        }
    }
    iterator->ndim = last + 1;
}

/* The dimension along which the operand is densest; broadcast ones do not count. */
static int densest_dimension(const kael_iterator *iterator, int operand) {
    const int64_t *strides = iterator->strides[operand];
    int densest = 0;
    for (int i = 1; i < iterator->ndim; ++i) {
        if (strides[i] != 0 && magnitude(strides[i]) < magnitude(strides[densest])) {
            densest = i;
        }
    }
    return densest;
}

static void move_dimension(kael_iterator *iterator, int from, int to) {
    for (; from > to; --from) {
        swap_dimensions(iterator, from, from - 1);
    }
}

/* Puts the dense dimension of a transposed operand next to the innermost one. */
static void pair_transposed(kael_iterator *iterator) {
    for (int k = 0; k < iterator->operands; ++k) {
        const int dim = densest_dimension(iterator, k);
        if (dim > 0) {
            move_dimension(iterator, dim, 1);
            iterator->is_transposed = true;
            return;
        }
    }
}

/* A dimension of one element, dense for every operand. */
static void add_unit_dimension(kael_iterator *iterator, int dim) {
    iterator->shape[dim] = 1;
    for (int k = 0; k < iterator->operands; ++k) {
        iterator->strides[k][dim] = iterator->element_sizes[k];
    }
}

void kael_iterator_init(kael_iterator *iterator, int operands, const kael_tensor *const *tensors) {
    iterator->operands = operands;
    iterator->ndim = 0;
    iterator->is_transposed = false;
    iterator->kernel_streams = false;
    iterator->numel = tensors[0]->numel;
    for (int k = 0; k < operands; ++k) {
        iterator->data[k] = tensors[k]->data;
        iterator->element_sizes[k] = kael_dtype_size(tensors[k]->dtype);
    }
    if (iterator->numel == 0) {
        return;
    }
    collect_dimensions(iterator, tensors);
    if (iterator->ndim == 0) {
        add_unit_dimension(iterator, 0);
        iterator->ndim = 1;
    }
    for (int i = 0; i < iterator->ndim; ++i) {
        orient(iterator, i);
    }
    sort_dimensions(iterator);
    coalesce(iterator);
    if (iterator->ndim == 1) {
        add_unit_dimension(iterator, 1);
    } else {
        pair_transposed(iterator);
    }
}
