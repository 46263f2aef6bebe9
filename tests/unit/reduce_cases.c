#include "reduce_cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "kael/parallel.h"
#include "kernels/half.h"
#include "oracle/matmul_values.h"
#include "tensor_checks.h"

static void store_float(kael_dtype dtype, void *data, int64_t i, double value) {
    switch (dtype) {
    case KAEL_F16:
        ((uint16_t *)data)[i] = kael_f64_to_f16(value);
        break;
    case KAEL_BF16:
        ((uint16_t *)data)[i] = kael_f64_to_bf16(value);
        break;
    case KAEL_F32:
        ((float *)data)[i] = (float)value;
        break;
    default:
        ((double *)data)[i] = value;
        break;
    }
}

static void store_value(kael_dtype dtype, void *data, int64_t i, reduce_values values,
                        uint64_t random) {
    const int64_t size = kael_dtype_size(dtype);
    const bool is_float = dtype >= KAEL_F16;
    const double tie = (double)(int64_t)(random % 4) - 1;
    const double zero = random % 2 == 0 ? 0.0 : -0.0;
    const double ordinary = ldexp((double)(int64_t)random * 0x1p-63, (int)(random % 7));
    if (dtype == KAEL_BOOL) {
        ((uint8_t *)data)[i] = values == VALUES_ZEROS ? 0 : random >> 8 & 1;
    } else if (values == VALUES_BITS || (values == VALUES_ORDINARY && !is_float)) {
        memcpy((char *)data + i * size, &random, (size_t)size);
    } else if (is_float) {
        store_float(dtype, data, i,
                    values == VALUES_ORDINARY ? ordinary
                    : values == VALUES_TIES   ? (tie == 0 ? zero : tie)
                                              : zero);
    } else {
        const uint64_t small = values == VALUES_TIES ? (uint64_t)(int64_t)tie : 0;
        memcpy((char *)data + i * size, &small, (size_t)size);
    }
}

static kael_tensor *new_filled(kael_dtype dtype, int64_t ndim, const int64_t *sizes,
                               reduce_values values, uint64_t seed) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, dtype, ndim, sizes));
    for (int64_t i = 0; i < kael_tensor_numel(t); ++i) {
        store_value(dtype, kael_tensor_data(t), i, values, matmul_random(seed, (uint64_t)i));
    }
    return t;
}

static kael_tensor *new_permuted(kael_dtype dtype, const reduce_shape *shape, const int64_t *dims,
                                 reduce_values values, uint64_t seed) {
    int64_t sizes[4];
    for (int64_t d = 0; d < shape->ndim; ++d) {
        sizes[dims[d]] = shape->sizes[d];
    }
    kael_tensor *t = new_filled(dtype, shape->ndim, sizes, values, seed);
    VIEW(t, kael_tensor_permute, dims);
    return t;
}

static void reverse(kael_tensor **t, int64_t dim) {
    const int64_t size = kael_tensor_shape(*t)[dim];
    VIEW(*t, kael_tensor_slice, dim, size - 1, -1, -1);
}

kael_tensor *new_reduce_input(kael_dtype dtype, const reduce_shape *shape, reduce_layout layout,
                              reduce_values values, uint64_t seed) {
    const int64_t ndim = shape->ndim;
    int64_t sizes[4];
    int64_t dims[4];
    memcpy(sizes, shape->sizes, sizeof sizes);
    kael_tensor *t;
    switch (layout) {
    case LAYOUT_TRANSPOSED:
        for (int64_t d = 0; d < ndim; ++d) {
            dims[d] = ndim - 1 - d;
        }
        return new_permuted(dtype, shape, dims, values, seed);
    case LAYOUT_ROTATED:
        for (int64_t d = 0; d < ndim; ++d) {
            dims[d] = (d + 1) % ndim;
        }
        t = new_permuted(dtype, shape, dims, values, seed);
        reverse(&t, 0);
        return t;
    case LAYOUT_REVERSED:
        t = new_filled(dtype, ndim, sizes, values, seed);
        for (int64_t d = 0; d < ndim; ++d) {
            reverse(&t, d);
        }
        return t;
    case LAYOUT_GAPS:
        for (int64_t d = 0; d < ndim; ++d) {
            sizes[d] = 2 * sizes[d] + 1;
        }
        t = new_filled(dtype, ndim, sizes, values, seed);
        for (int64_t d = 0; d < ndim; ++d) {
            VIEW(t, kael_tensor_slice, d, 1, sizes[d], 2);
        }
        return t;
    case LAYOUT_REPEATED:
        sizes[0] = 1;
        t = new_filled(dtype, ndim, sizes, values, seed);
        VIEW(t, kael_tensor_broadcast_to, ndim, shape->sizes);
        return t;
    default:
        return new_filled(dtype, ndim, sizes, values, seed);
    }
}

typedef kael_status reduction(kael_tensor **out, const kael_tensor *tensor, int64_t ndims,
                              const int64_t *dims, bool keepdim);
typedef kael_status reduction_into(kael_tensor *out, const kael_tensor *tensor, int64_t ndims,
                                   const int64_t *dims, bool keepdim);

static reduction *const reductions[REDUCE_OPERATIONS] = {
    [REDUCE_SUM] = kael_sum,
    [REDUCE_PROD] = kael_prod,
    [REDUCE_MEAN] = kael_mean,
    [REDUCE_NORM] = kael_norm,
    [REDUCE_LOGSUMEXP] = kael_logsumexp,
    [REDUCE_MAX] = kael_max,
    [REDUCE_MIN] = kael_min,
    [REDUCE_ANY] = kael_any,
    [REDUCE_ALL] = kael_all,
    [REDUCE_COUNT_NONZERO] = kael_count_nonzero,
};

static reduction_into *const reductions_into[REDUCE_OPERATIONS] = {
    [REDUCE_SUM] = kael_sum_into,
    [REDUCE_PROD] = kael_prod_into,
    [REDUCE_MEAN] = kael_mean_into,
    [REDUCE_NORM] = kael_norm_into,
    [REDUCE_LOGSUMEXP] = kael_logsumexp_into,
    [REDUCE_MAX] = kael_max_into,
    [REDUCE_MIN] = kael_min_into,
    [REDUCE_ANY] = kael_any_into,
    [REDUCE_ALL] = kael_all_into,
    [REDUCE_COUNT_NONZERO] = kael_count_nonzero_into,
};

kael_status call_reduction(reduce_operation operation, kael_tensor **out, const kael_tensor *tensor,
                           int64_t ndims, const int64_t *dims, bool keepdim, double correction) {
    const int64_t dim = dims == NULL ? KAEL_ALL_DIMS : dims[0];
    switch (operation) {
    case REDUCE_VAR:
        return kael_var(out, tensor, ndims, dims, keepdim, correction);
    case REDUCE_STD:
        return kael_std(out, tensor, ndims, dims, keepdim, correction);
    case REDUCE_ARGMAX:
        return kael_argmax(out, tensor, dim, keepdim);
    case REDUCE_ARGMIN:
        return kael_argmin(out, tensor, dim, keepdim);
    default:
        return reductions[operation](out, tensor, ndims, dims, keepdim);
    }
}

kael_status call_reduction_into(reduce_operation operation, kael_tensor *out,
                                const kael_tensor *tensor, int64_t ndims, const int64_t *dims,
                                bool keepdim, double correction) {
    const int64_t dim = dims == NULL ? KAEL_ALL_DIMS : dims[0];
    switch (operation) {
    case REDUCE_VAR:
        return kael_var_into(out, tensor, ndims, dims, keepdim, correction);
    case REDUCE_STD:
        return kael_std_into(out, tensor, ndims, dims, keepdim, correction);
    case REDUCE_ARGMAX:
        return kael_argmax_into(out, tensor, dim, keepdim);
    case REDUCE_ARGMIN:
        return kael_argmin_into(out, tensor, dim, keepdim);
    default:
        return reductions_into[operation](out, tensor, ndims, dims, keepdim);
    }
}

/* Elements from the first one to element number `index` of the row-major order over the dimensions
 * in `mask`. */
static int64_t offset_in(const kael_tensor *t, unsigned mask, int64_t index) {
    int64_t offset = 0;
    for (int64_t d = kael_tensor_ndim(t) - 1; d >= 0; --d) {
        if ((mask >> d & 1) != 0) {
            const int64_t size = kael_tensor_shape(t)[d];
            offset += index % size * kael_tensor_strides(t)[d];
            index /= size;
        }
    }
    return offset;
}

kael_tensor *new_expected(reduce_operation operation, const kael_tensor *tensor, unsigned mask,
                          bool keepdim, double correction) {
    int64_t shape[4];
    int64_t ndim = 0;
    int64_t count = 1;
    for (int64_t d = 0; d < kael_tensor_ndim(tensor); ++d) {
        const int64_t size = kael_tensor_shape(tensor)[d];
        const bool is_reduced = (mask >> d & 1) != 0;
        count *= is_reduced ? size : 1;
        if (!is_reduced || keepdim) {
            shape[ndim++] = is_reduced ? 1 : size;
        }
    }
    const kael_dtype dtype = kael_tensor_dtype(tensor);
    const int64_t size = kael_dtype_size(dtype);
    const int64_t result_size = kael_dtype_size(reduce_result_dtype(operation, dtype));
    kael_tensor *out;
    ASSERT_OK(kael_tensor_empty(&out, reduce_result_dtype(operation, dtype), ndim, shape));
    char *elements = malloc((size_t)(count * size));
    cr_assert_not_null(elements);
    for (int64_t o = 0; o < kael_tensor_numel(out); ++o) {
        const int64_t start = offset_in(tensor, ~mask, o);
        for (int64_t k = 0; k < count; ++k) {
            const int64_t offset = start + offset_in(tensor, mask, k);
            memcpy(elements + k * size, (const char *)kael_tensor_data(tensor) + offset * size,
                   (size_t)size);
        }
        oracle_reduce(operation, dtype, elements, count, correction,
                      (char *)kael_tensor_data(out) + o * result_size);
    }
    free(elements);
    return out;
}

static bool is_nan_at(const kael_tensor *t, int64_t i) {
    const void *data = kael_tensor_data(t);
    switch (kael_tensor_dtype(t)) {
    case KAEL_F16:
        return isnan(kael_f16_to_f32(((const uint16_t *)data)[i]));
    case KAEL_BF16:
        return isnan(kael_bf16_to_f32(((const uint16_t *)data)[i]));
    case KAEL_F32:
        return isnan(((const float *)data)[i]);
    case KAEL_F64:
        return isnan(((const double *)data)[i]);
    default:
        return false;
    }
}

void expect_same_tensor(const kael_tensor *actual, const kael_tensor *expected, const char *format,
                        ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    cr_assert_eq(kael_tensor_dtype(actual), kael_tensor_dtype(expected), "%s: dtype", what);
    cr_assert_eq(kael_tensor_ndim(actual), kael_tensor_ndim(expected), "%s: ndim", what);
    for (int64_t d = 0; d < kael_tensor_ndim(actual); ++d) {
        cr_assert_eq(kael_tensor_shape(actual)[d], kael_tensor_shape(expected)[d], "%s: shape",
                     what);
    }
    kael_tensor *dense;
    ASSERT_OK(kael_tensor_contiguous(&dense, actual));
    const int64_t size = kael_dtype_size(kael_tensor_dtype(actual));
    for (int64_t i = 0; i < kael_tensor_numel(dense); ++i) {
        const char *a = (const char *)kael_tensor_data(dense) + i * size;
        const char *b = (const char *)kael_tensor_data(expected) + i * size;
        if (memcmp(a, b, (size_t)size) != 0 && !(is_nan_at(dense, i) && is_nan_at(expected, i))) {
            uint64_t x = 0;
            uint64_t y = 0;
            memcpy(&x, a, (size_t)size);
            memcpy(&y, b, (size_t)size);
            cr_assert(false, "%s: element %" PRId64 " is %#" PRIx64 ", not %#" PRIx64, what, i, x,
                      y);
        }
    }
    kael_tensor_release(dense);
}

void use_threads(int64_t count) {
    ASSERT_OK(kael_set_num_threads(count));
}
