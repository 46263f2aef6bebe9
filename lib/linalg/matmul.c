/* kael_matmul: products of tensors. */

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/linalg.h"
#include "linalg/batch.h"
#include "linalg/kernel_choice.h"
#include "linalg/matmul_gradient.h"
#include "linalg/problem.h"
#include "tensor/copy.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

/* What a product of two tensors gives. */
typedef struct product_result {
    kael_dtype dtype;
    int64_t ndim;
    int64_t shape[KAEL_MAX_DIMS];
    int batch_ndim; /* the first dimensions */
} product_result;

/* ---- Arguments ---- */

static kael_status check_operand(const kael_tensor *tensor, const char *name) {
    KAEL_TRY(kael_require_not_null(tensor, name));
    if (tensor->ndim == 0) {
        return kael_error(KAEL_ERROR_SHAPE, "%s must have at least 1 dimension, got shape ()",
                          name);
    }
    if (tensor->dtype == KAEL_BOOL) {
        return kael_error(KAEL_ERROR_DTYPE, "%s must have a dtype of numbers, got bool", name);
    }
    return KAEL_OK;
}

static kael_status shapes_error(const kael_tensor *a, const kael_tensor *b, const char *rule,
                                int64_t a_size, int64_t b_size) {
    char a_text[KAEL_SHAPE_TEXT_SIZE];
    char b_text[KAEL_SHAPE_TEXT_SIZE];
    return kael_error(KAEL_ERROR_SHAPE,
                      "a of shape %s and b of shape %s must %s, got %" PRId64 " and %" PRId64,
                      kael_shape_text(a_text, a->ndim, a->sizes),
                      kael_shape_text(b_text, b->ndim, b->sizes), rule, a_size, b_size);
}

static int matrix_dims(const kael_tensor *tensor) {
    return tensor->ndim < 2 ? tensor->ndim : 2;
}

static int batch_dims(const kael_tensor *tensor) {
    return tensor->ndim - matrix_dims(tensor);
}

/* The size of batch dimension `dim` of `ndim`, counted from the left of the longer shape. */
static int64_t batch_size(const kael_tensor *tensor, int ndim, int dim) {
    const int own = dim - (ndim - batch_dims(tensor));
    return own < 0 ? 1 : tensor->sizes[own];
}

static kael_status broadcast_batches(product_result *result, const kael_tensor *a,
                                     const kael_tensor *b) {
    const int ndim = batch_dims(a) > batch_dims(b) ? batch_dims(a) : batch_dims(b);
    for (int dim = 0; dim < ndim; ++dim) {
        const int64_t a_size = batch_size(a, ndim, dim);
        const int64_t b_size = batch_size(b, ndim, dim);
        if (a_size != b_size && a_size != 1 && b_size != 1) {
            return shapes_error(a, b, "have batch sizes that are equal or 1", a_size, b_size);
        }
        result->shape[dim] = a_size == 1 ? b_size : a_size;
    }
    result->batch_ndim = ndim;
    return KAEL_OK;
}

static int64_t inner_of_a(const kael_tensor *a) {
    return a->sizes[a->ndim - 1];
}

static int64_t inner_of_b(const kael_tensor *b) {
    return b->sizes[b->ndim - matrix_dims(b)];
}

static kael_status check_operands(product_result *result, const kael_tensor *a,
                                  const kael_tensor *b) {
    KAEL_TRY(check_operand(a, "a"));
    KAEL_TRY(check_operand(b, "b"));
    if (inner_of_a(a) != inner_of_b(b)) {
        return shapes_error(a, b,
                            b->ndim == 1 ? "agree in the last size of a and the only one of b"
                                         : "agree in the last size of a and the last but one of b",
                            inner_of_a(a), inner_of_b(b));
    }
    result->dtype = a->dtype;
    if (a->dtype != b->dtype) {
        KAEL_TRY(kael_promote_dtypes(&result->dtype, a->dtype, b->dtype));
    }
    KAEL_TRY(broadcast_batches(result, a, b));
    result->ndim = result->batch_ndim;
    if (a->ndim > 1) {
        result->shape[result->ndim++] = a->sizes[a->ndim - 2];
    }
    if (b->ndim > 1) {
        result->shape[result->ndim++] = b->sizes[b->ndim - 1];
    }
    return KAEL_OK;
}

/* ---- Kernels ---- */

/* The dtype that a product is computed in. Narrow integers keep their low bits in wider ones. */
static kael_dtype computing_dtype(kael_dtype dtype) {
    switch (dtype) {
    case KAEL_F64:
        return KAEL_F64;
    case KAEL_F16:
    case KAEL_BF16:
    case KAEL_F32:
        return KAEL_F32;
    case KAEL_I64:
    case KAEL_U64:
        return KAEL_I64;
    default:
        return KAEL_I32;
    }
}

static const void *one_of(kael_dtype computing) {
    static const float one_f32 = 1;
    static const double one_f64 = 1;
    static const uint32_t one_u32 = 1;
    static const uint64_t one_u64 = 1;
    switch (computing) {
    case KAEL_F32:
        return &one_f32;
    case KAEL_F64:
        return &one_f64;
    case KAEL_I32:
        return &one_u32;
    default:
        return &one_u64;
    }
}

static bool is_floating(kael_dtype dtype) {
    return dtype >= KAEL_F16;
}

/* Integers of one size have the same bits. */
static bool has_the_same_bits(kael_dtype a, kael_dtype b) {
    return a == b ||
           (!is_floating(a) && !is_floating(b) && kael_dtype_size(a) == kael_dtype_size(b));
}

static kael_loop_kernel *copy_of(const kael_copy_kernels *kernels, kael_dtype dtype) {
    return kernels->copy[__builtin_ctzll((unsigned long long)kael_dtype_size(dtype))];
}

/* Fills `room` and returns it, or NULL when nothing changes. */
static const kael_conversion *conversion_of(kael_conversion *room, const kael_copy_kernels *kernels,
                                            kael_dtype stored, kael_dtype to, kael_dtype from) {
    if (has_the_same_bits(to, from)) {
        return NULL;
    }
    *room = (kael_conversion){
        .cast = kernels->convert[to][from],
        .copy = {copy_of(kernels, from), copy_of(kernels, to)},
        .stored_size = kael_dtype_size(stored),
    };
    return room;
}

/* What a product's conversions are kept in. */
typedef struct conversion_room {
    kael_conversion a;
    kael_conversion b;
    kael_conversion c;
} conversion_room;

static kael_status set_conversions(kael_product *product, conversion_room *room,
                                   kael_dtype computing, const kael_tensor *a, const kael_tensor *b,
                                   const kael_tensor *out) {
    const kael_kernels *kernels = NULL;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const kael_copy_kernels *copy = kernels->copy;
    product->a_conversion = conversion_of(&room->a, copy, a->dtype, computing, a->dtype);
    product->b_conversion = conversion_of(&room->b, copy, b->dtype, computing, b->dtype);
    product->c_conversion = conversion_of(&room->c, copy, out->dtype, out->dtype, computing);
    return KAEL_OK;
}

/* ---- Layout ---- */

/* The first matrices. Operands without elements have no address to go on from. */
static kael_product first_product(const void *one, const kael_tensor *a, const kael_tensor *b,
                                  const kael_tensor *out) {
    const int64_t *a_strides = kael_tensor_strides(a);
    const int64_t *b_strides = kael_tensor_strides(b);
    const int64_t *strides = kael_tensor_strides(out) + out->ndim;
    kael_product product = {.alpha = one, .c = out->data, .rows = 1, .columns = 1};
    product.inner = inner_of_a(a);
    if (b->ndim > 1) {
        product.columns = b->sizes[b->ndim - 1];
        product.c_column_stride = *--strides;
        product.b.stride = b_strides[b->ndim - 1];
    }
    if (a->ndim > 1) {
        product.rows = a->sizes[a->ndim - 2];
        product.c_row_stride = *--strides;
        product.a.stride = a_strides[a->ndim - 2];
    }
    product.a.data = a->data;
    product.b.data = b->data;
    product.a.k_stride = a_strides[a->ndim - 1];
    product.b.k_stride = b_strides[b->ndim - matrix_dims(b)];
    kael_product_drop_unused_strides(&product);
    if (product.inner == 0) {
        product.a = (kael_gemm_operand){0};
        product.b = (kael_gemm_operand){0};
    }
    return product;
}

/* Steps of an operand through the batch; its last `own` batch dimensions are there, and where it
 * has a single matrix that is repeated. */
static void set_batch_strides(kael_batch *batch, int operand, const kael_tensor *tensor, int own) {
    const int64_t *strides = kael_tensor_strides(tensor);
    const int added = batch->ndim - own;
    for (int dim = 0; dim < batch->ndim; ++dim) {
        const bool repeated =
            dim < added || tensor->sizes[dim - added] == 1 || tensor->data == NULL;
        batch->strides[operand][dim] =
            repeated ? 0 : strides[dim - added] * kael_dtype_size(tensor->dtype);
    }
}

static void set_batch(kael_batch *batch, const product_result *result, const kael_tensor *a,
                      const kael_tensor *b, const kael_tensor *out) {
    batch->ndim = result->batch_ndim;
    for (int i = 0; i < batch->ndim; ++i) {
        batch->shape[i] = result->shape[i];
    }
    set_batch_strides(batch, KAEL_BATCH_A, a, batch_dims(a));
    set_batch_strides(batch, KAEL_BATCH_B, b, batch_dims(b));
    set_batch_strides(batch, KAEL_BATCH_C, out, batch->ndim);
}

/* out = a * b for an out that shares no element with them. */
static kael_status multiply(kael_tensor *out, const product_result *result, const kael_tensor *a,
                            const kael_tensor *b) {
    const kael_dtype computing = computing_dtype(result->dtype);
    kael_gemm_choice kernels;
    int64_t threads;
    conversion_room room;
    KAEL_TRY(kael_gemm_kernels(&kernels, computing));
    KAEL_TRY(kael_product_threads(&threads));
    if (out->numel == 0) {
        return KAEL_OK;
    }
    kael_product product = first_product(one_of(computing), a, b, out);
    if (a->dtype != computing || b->dtype != computing) {
        KAEL_TRY(set_conversions(&product, &room, computing, a, b, out));
    }
    if (result->batch_ndim == 0) {
        return kael_product_any(&product, &kernels, threads);
    }
    kael_batch batch;
    batch.product = product;
    set_batch(&batch, result, a, b, out);
    return kael_run_batch(&batch, &kernels, threads);
}

/* ---- Public functions ---- */

static kael_status multiply_new(kael_tensor **out, const product_result *result,
                                const kael_tensor *a, const kael_tensor *b) {
    int64_t numel;
    int64_t bytes;
    KAEL_TRY(kael_shape_measure(&numel, &bytes, result->dtype, result->ndim, result->shape));
    kael_tensor *created;
    KAEL_TRY(kael_tensor_create(&created, result->dtype, result->ndim, result->shape, numel, bytes,
                                false));
    const kael_status status = multiply(created, result, a, b);
    if (status != KAEL_OK) {
        kael_tensor_release(created);
        return status;
    }
    *out = created;
    return KAEL_OK;
}

kael_status kael_matmul(kael_tensor **out, const kael_tensor *a, const kael_tensor *b) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    product_result result = {0};
    KAEL_TRY(check_operands(&result, a, b));
    KAEL_TRY(multiply_new(out, &result, a, b));
    return kael_matmul_record(out, a, b);
}

kael_status kael_matmul_into(kael_tensor *out, const kael_tensor *a, const kael_tensor *b) {
    product_result result = {0};
    KAEL_TRY(kael_require_not_null(out, "out"));
    KAEL_TRY(check_operands(&result, a, b));
    KAEL_TRY(kael_tensor_require_dtype(out, "out", result.dtype));
    KAEL_TRY(kael_tensor_require_shape(out, "out", result.ndim, result.shape));
    KAEL_TRY(kael_tensor_require_distinct_elements(out, "out"));
    KAEL_TRY(kael_graph_begin_write(out, "out", 2, (const kael_tensor *[]){a, b}));
    if (!kael_tensor_may_share(out, a) && !kael_tensor_may_share(out, b)) {
        return multiply(out, &result, a, b);
    }
    kael_tensor *product = NULL;
    KAEL_TRY(multiply_new(&product, &result, a, b));
    const kael_status status = kael_copy_elements(out, product);
    kael_tensor_release(product);
    return status;
}
