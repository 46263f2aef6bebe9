#include "oracle/tensor_matmul.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/matmul_oracle.h"
#include "oracle/matmul_values.h"

enum { MOST_DIMS = KAEL_MAX_DIMS };

const char *tensor_layout_name(tensor_layout layout) {
    static const char *const names[] = {
        [TENSOR_ROW_MAJOR] = "row-major", [TENSOR_TRANSPOSED] = "transposed",
        [TENSOR_STEPPED] = "stepped",     [TENSOR_REVERSED] = "reversed",
        [TENSOR_NARROWED] = "narrowed",   [TENSOR_PERMUTED] = "permuted",
        [TENSOR_REPEATED] = "repeated",
    };
    return names[layout];
}

/* ---- Elements ---- */

typedef struct half_format {
    int mantissa_bits;
    int bias;
} half_format;

static half_format format_of(kael_dtype dtype) {
    return dtype == KAEL_F16 ? (half_format){10, 15} : (half_format){7, 127};
}

static double decode_half(kael_dtype dtype, uint16_t bits) {
    const half_format format = format_of(dtype);
    const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
    const int exponent = (bits & 0x7fff) >> format.mantissa_bits;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 2 * format.bias + 1) {
        return mantissa == 0 ? sign * INFINITY : NAN;
    }
    const int leading = exponent > 0 ? 1 << format.mantissa_bits : 0;
    const int scale = (exponent > 0 ? exponent : 1) - format.bias - format.mantissa_bits;
    return sign * ldexp(leading + mantissa, scale);
}

/* To nearest, ties to even, which is how nearbyint rounds. */
static uint16_t encode_half(kael_dtype dtype, double value) {
    const half_format format = format_of(dtype);
    const int sign = signbit(value) ? 0x8000 : 0;
    const int infinity = (2 * format.bias + 1) << format.mantissa_bits;
    if (isnan(value)) {
        return (uint16_t)(infinity | 1 << (format.mantissa_bits - 1));
    }
    if (value == 0) {
        return (uint16_t)sign;
    }
    if (isinf(value)) {
        return (uint16_t)(sign | infinity);
    }
    int exponent = ilogb(value);
    exponent = exponent < 1 - format.bias ? 1 - format.bias : exponent;
    const double units = nearbyint(ldexp(fabs(value), format.mantissa_bits - exponent));
    /* The leading bit of the units counts as one more exponent. */
    const int64_t bits =
        ((int64_t)(exponent + format.bias - 1) << format.mantissa_bits) + (int64_t)units;
    return (uint16_t)(sign | (bits < infinity ? (int)bits : infinity));
}

static uint64_t load_bits(const void *element, int64_t size) {
    uint64_t bits = 0; /* the tests run on little-endian machines */
    memcpy(&bits, element, (size_t)size);
    return bits;
}

static bool is_floating(kael_dtype dtype) {
    return dtype >= KAEL_F16;
}

static bool is_signed(kael_dtype dtype) {
    return dtype >= KAEL_I8 && dtype <= KAEL_I64;
}

/* An integer modulo 2^64. */
static uint64_t load_integer(kael_dtype dtype, const void *element) {
    const int64_t size = kael_dtype_size(dtype);
    const uint64_t bits = load_bits(element, size);
    const int unused = 64 - 8 * (int)size;
    return is_signed(dtype) ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits;
}

static double load_number(kael_dtype dtype, const void *element) {
    switch (dtype) {
    case KAEL_F16:
    case KAEL_BF16:
        return decode_half(dtype, (uint16_t)load_bits(element, 2));
    case KAEL_F32: {
        float value;
        memcpy(&value, element, sizeof value);
        return (double)value;
    }
    case KAEL_F64: {
        double value;
        memcpy(&value, element, sizeof value);
        return value;
    }
    default: {
        const uint64_t integer = load_integer(dtype, element);
        return is_signed(dtype) ? (double)(int64_t)integer : (double)integer;
    }
    }
}

uint64_t element_bits(kael_dtype dtype, const void *elements, int64_t index) {
    const int64_t size = kael_dtype_size(dtype);
    const void *element = (const char *)elements + index * size;
    const uint64_t bits = load_bits(element, size);
    return is_floating(dtype) && isnan(load_number(dtype, element)) ? UINT64_MAX : bits;
}

/* ---- Tensors ---- */

/* Where element `index` of a tensor in row-major order is. */
static const void *element_at(const kael_tensor *tensor, int64_t index) {
    const int64_t *shape = kael_tensor_shape(tensor);
    const int64_t *strides = kael_tensor_strides(tensor);
    int64_t offset = 0;
    for (int64_t dim = kael_tensor_ndim(tensor) - 1; dim >= 0; --dim) {
        offset += index % shape[dim] * strides[dim];
        index /= shape[dim];
    }
    const int64_t size = kael_dtype_size(kael_tensor_dtype(tensor));
    return (const char *)kael_tensor_data(tensor) + offset * size;
}

uint64_t tensor_bits(const kael_tensor *tensor, int64_t index) {
    return element_bits(kael_tensor_dtype(tensor), element_at(tensor, index), 0);
}

int64_t tensor_first_difference(const kael_tensor *tensor, const void *expected) {
    const kael_dtype dtype = kael_tensor_dtype(tensor);
    for (int64_t i = 0; i < kael_tensor_numel(tensor); ++i) {
        if (tensor_bits(tensor, i) != element_bits(dtype, expected, i)) {
            return i;
        }
    }
    return -1;
}

static void fill_element(kael_dtype dtype, void *element, tensor_values values, uint64_t random) {
    const int64_t size = kael_dtype_size(dtype);
    if (!is_floating(dtype) || values == TENSOR_ANY_BITS) {
        memcpy(element, &random, (size_t)size);
        return;
    }
    static const int widths[] = {
        [KAEL_F16] = 5, [KAEL_BF16] = 25, [KAEL_F32] = 25, [KAEL_F64] = 60};
    const int width = widths[dtype];
    const double fraction = 1 + (double)(random >> 12) * 0x1p-52;
    const double value = ldexp(random & 1 ? -fraction : fraction,
                               (int)(random >> 1 & 1023) % (2 * width + 1) - width);
    if (dtype == KAEL_F64) {
        memcpy(element, &value, sizeof value);
    } else if (dtype == KAEL_F32) {
        const float narrow = (float)value;
        memcpy(element, &narrow, sizeof narrow);
    } else {
        const uint16_t bits = encode_half(dtype, value);
        memcpy(element, &bits, sizeof bits);
    }
}

static void fill(kael_tensor *tensor, tensor_values values, uint64_t seed) {
    const kael_dtype dtype = kael_tensor_dtype(tensor);
    for (int64_t i = 0; i < kael_tensor_numel(tensor); ++i) {
        fill_element(dtype, (char *)kael_tensor_data(tensor) + i * kael_dtype_size(dtype), values,
                     matmul_random(seed, (uint64_t)i));
    }
}

/* Replaces `*tensor` by a view of it. */
static bool replace(kael_tensor **tensor, kael_status status, kael_tensor *view) {
    kael_tensor_release(*tensor);
    *tensor = status == KAEL_OK ? view : NULL;
    return status == KAEL_OK;
}

static bool slice(kael_tensor **tensor, int64_t dim, int64_t start, int64_t stop, int64_t step) {
    kael_tensor *view = NULL;
    const kael_status status = kael_tensor_slice(&view, *tensor, dim, start, stop, step);
    return replace(tensor, status, view);
}

static bool reverse(kael_tensor **tensor, int64_t dim) {
    return slice(tensor, dim, kael_tensor_shape(*tensor)[dim] - 1, -1, -1);
}

static bool permute(kael_tensor **tensor, const int64_t *dims) {
    kael_tensor *view = NULL;
    const kael_status status = kael_tensor_permute(&view, *tensor, dims);
    return replace(tensor, status, view);
}

static bool broadcast(kael_tensor **tensor, int64_t ndim, const int64_t *shape) {
    kael_tensor *view = NULL;
    const kael_status status = kael_tensor_broadcast_to(&view, *tensor, ndim, shape);
    return replace(tensor, status, view);
}

/* The dimension that stands at `dim` of the storage's order. */
static void order_of(int64_t dims[MOST_DIMS], int64_t ndim, tensor_layout layout) {
    for (int64_t dim = 0; dim < ndim; ++dim) {
        dims[dim] = layout == TENSOR_PERMUTED ? ndim - 1 - dim : dim;
    }
    if (layout == TENSOR_TRANSPOSED && ndim > 1) {
        dims[ndim - 2] = ndim - 1;
        dims[ndim - 1] = ndim - 2;
    }
}

static int64_t stored_size(tensor_layout layout, int64_t ndim, int64_t dim, int64_t size) {
    const bool is_last = dim == ndim - 1;
    switch (layout) {
    case TENSOR_STEPPED:
        return is_last ? 3 * size : size;
    case TENSOR_TRANSPOSED:
        return ndim == 1 ? 2 * size : size;
    case TENSOR_NARROWED:
        return size + 2;
    case TENSOR_REPEATED:
        return dim >= ndim - 2 && (ndim == 1 || dim == ndim - 2) ? 1 : size;
    default:
        return size;
    }
}

static bool view_through(kael_tensor **tensor, tensor_layout layout, int64_t ndim,
                         const int64_t *shape) {
    bool ok = true;
    switch (layout) {
    case TENSOR_REVERSED:
        for (int64_t dim = ndim > 2 ? ndim - 2 : 0; ok && dim < ndim; ++dim) {
            ok = shape[dim] == 0 || reverse(tensor, dim);
        }
        return ok;
    case TENSOR_STEPPED:
        return slice(tensor, ndim - 1, 0, 3 * shape[ndim - 1], 3);
    case TENSOR_TRANSPOSED:
        return ndim > 1 || slice(tensor, 0, 0, 2 * shape[0], 2);
    case TENSOR_NARROWED:
        for (int64_t dim = 0; ok && dim < ndim; ++dim) {
            ok = slice(tensor, dim, 1, 1 + shape[dim], 1);
        }
        return ok;
    case TENSOR_REPEATED:
        return broadcast(tensor, ndim, shape);
    default:
        return true;
    }
}

kael_tensor *tensor_new(kael_dtype dtype, int64_t ndim, const int64_t *shape, tensor_layout layout,
                        tensor_values values, uint64_t seed) {
    int64_t order[MOST_DIMS];
    int64_t stored[MOST_DIMS];
    kael_tensor *tensor = NULL;
    order_of(order, ndim, layout);
    for (int64_t dim = 0; dim < ndim; ++dim) {
        stored[dim] = stored_size(layout, ndim, order[dim], shape[order[dim]]);
    }
    if (kael_tensor_empty(&tensor, dtype, ndim, stored) != KAEL_OK) {
        return NULL;
    }
    fill(tensor, values, seed);
    /* Both orders are their own inverses. */
    if (!permute(&tensor, order) || !view_through(&tensor, layout, ndim, shape)) {
        return NULL;
    }
    return tensor;
}

/* ---- The product ---- */

/* One of the matrices of an operand: `data` is the tensor's own, offsets are in elements. */
typedef struct matrix {
    const kael_tensor *tensor;
    int64_t offset;
    int64_t rows;
    int64_t columns;
    int64_t row_stride;
    int64_t column_stride;
} matrix;

static const void *matrix_at(const matrix *m, int64_t row, int64_t column) {
    const int64_t index = m->offset + row * m->row_stride + column * m->column_stride;
    return (const char *)kael_tensor_data(m->tensor) +
           index * kael_dtype_size(kael_tensor_dtype(m->tensor));
}

static int64_t batch_ndim(const kael_tensor *tensor) {
    const int64_t ndim = kael_tensor_ndim(tensor);
    return ndim > 2 ? ndim - 2 : 0;
}

/* A vector is a row on the left and a column on the right. */
static matrix matrix_of(const kael_tensor *tensor, bool is_left) {
    const int64_t ndim = kael_tensor_ndim(tensor);
    const int64_t *shape = kael_tensor_shape(tensor);
    const int64_t *strides = kael_tensor_strides(tensor);
    if (ndim == 1) {
        return is_left ? (matrix){tensor, 0, 1, shape[0], 0, strides[0]}
                       : (matrix){tensor, 0, shape[0], 1, strides[0], 0};
    }
    return (matrix){tensor,           0, shape[ndim - 2], shape[ndim - 1], strides[ndim - 2],
                    strides[ndim - 1]};
}

static int64_t batch_shape(int64_t shape[MOST_DIMS], const kael_tensor *a, const kael_tensor *b) {
    const kael_tensor *operands[] = {a, b};
    const int64_t ndim = batch_ndim(a) > batch_ndim(b) ? batch_ndim(a) : batch_ndim(b);
    for (int64_t dim = 0; dim < ndim; ++dim) {
        shape[dim] = 1;
        for (int i = 0; i < 2; ++i) {
            const int64_t own = dim - (ndim - batch_ndim(operands[i]));
            if (own >= 0 && kael_tensor_shape(operands[i])[own] != 1) {
                shape[dim] = kael_tensor_shape(operands[i])[own];
            }
        }
    }
    return ndim;
}

/* Moves to the matrix that takes part in product `index` of the batch. */
static void move_to(matrix *m, int64_t index, int64_t ndim, const int64_t *shape) {
    m->offset = 0;
    for (int64_t dim = ndim - 1; dim >= 0; --dim) {
        const int64_t own = dim - (ndim - batch_ndim(m->tensor));
        if (own >= 0 && kael_tensor_shape(m->tensor)[own] != 1) {
            m->offset += index % shape[dim] * kael_tensor_strides(m->tensor)[own];
        }
        index /= shape[dim];
    }
}

static void multiply_integers(kael_dtype dtype, const matrix *a, const matrix *b, char *out) {
    const int64_t size = kael_dtype_size(dtype);
    for (int64_t i = 0; i < a->rows; ++i) {
        for (int64_t j = 0; j < b->columns; ++j) {
            uint64_t sum = 0;
            for (int64_t k = 0; k < a->columns; ++k) {
                sum += load_integer(kael_tensor_dtype(a->tensor), matrix_at(a, i, k)) *
                       load_integer(kael_tensor_dtype(b->tensor), matrix_at(b, k, j));
            }
            memcpy(out + (i * b->columns + j) * size, &sum, (size_t)size);
        }
    }
}

static void *gather(matmul_type type, const matrix *m) {
    void *array = calloc((size_t)(m->rows * m->columns) + 1, matmul_size(type));
    for (int64_t i = 0; i < m->rows; ++i) {
        for (int64_t j = 0; j < m->columns; ++j) {
            matmul_set(type, array, i * m->columns + j,
                       load_number(kael_tensor_dtype(m->tensor), matrix_at(m, i, j)));
        }
    }
    return array;
}

static void store_number(kael_dtype dtype, void *element, double value) {
    if (dtype == KAEL_F64) {
        memcpy(element, &value, sizeof value);
    } else if (dtype == KAEL_F32) {
        const float narrow = (float)value;
        memcpy(element, &narrow, sizeof narrow);
    } else {
        const uint16_t bits = encode_half(dtype, value);
        memcpy(element, &bits, sizeof bits);
    }
}

static void multiply_numbers(kael_dtype dtype, const matrix *a, const matrix *b, char *out) {
    const matmul_type type = dtype == KAEL_F64 ? MATMUL_F64 : MATMUL_F32;
    const int64_t count = a->rows * b->columns;
    void *left = gather(type, a);
    void *right = gather(type, b);
    void *product = calloc((size_t)count + 1, matmul_size(type));
    const matmul_problem problem =
        matmul_contiguous(a->rows, a->columns, b->columns, left, right, product);
    oracle_gemm(type, &problem);
    for (int64_t i = 0; i < count; ++i) {
        store_number(dtype, out + i * kael_dtype_size(dtype), matmul_get(type, product, i));
    }
    free(left);
    free(right);
    free(product);
}

void *oracle_matmul(kael_dtype dtype, const kael_tensor *a, const kael_tensor *b) {
    int64_t shape[MOST_DIMS];
    const int64_t ndim = batch_shape(shape, a, b);
    matrix left = matrix_of(a, true);
    matrix right = matrix_of(b, false);
    int64_t batches = 1;
    for (int64_t dim = 0; dim < ndim; ++dim) {
        batches *= shape[dim];
    }
    const int64_t matrix_bytes = left.rows * right.columns * kael_dtype_size(dtype);
    char *out = calloc((size_t)(batches * matrix_bytes) + 1, 1);
    for (int64_t i = 0; i < batches; ++i) {
        move_to(&left, i, ndim, shape);
        move_to(&right, i, ndim, shape);
        if (is_floating(dtype)) {
            multiply_numbers(dtype, &left, &right, out + i * matrix_bytes);
        } else {
            multiply_integers(dtype, &left, &right, out + i * matrix_bytes);
        }
    }
    return out;
}
