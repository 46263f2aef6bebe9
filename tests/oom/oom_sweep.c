/* Fails the n-th allocation of each operation, for every n, and checks that the operation says so,
 * leaves no result and no memory behind, and works the next time. A new operation is one row of
 * `operations`. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "kael/kael.h"
#include "memory/system.h"
#include "support/tap.h"

/* What operations work on, made before any allocation fails. */
static struct {
    kael_tensor *large_f32; /* 300 x 300 */
    kael_tensor *large_f64; /* 300 x 300 */
    kael_tensor *input;     /* 70 x 40 */
    kael_tensor *weight;    /* 30 x 40 */
    kael_tensor *bias;      /* 30 */
    kael_tensor *logits;    /* 70 x 30 */
    kael_tensor *targets;   /* 70 */
    kael_tensor *batch_f16; /* 3 x 90 x 90 */
    kael_tensor *batch_i8;  /* 3 x 90 x 90 */
    kael_tensor *columns;   /* 70 x 30 indices, a transposed view */
    kael_tensor *mask;      /* 30 */
    kael_generator *generator;
} inputs;

static const int64_t small_shape[] = {2, 3};
static const int64_t large_shape[] = {300, 300};
static const int64_t batch_shape[] = {3, 90, 90};
static const double small_data[] = {1, 2, 3, 4, 5, 6};

static kael_status small_full(kael_tensor **out) {
    return kael_tensor_full(out, KAEL_F32, 2, small_shape, 3);
}

static kael_status large_full(kael_tensor **out) {
    return kael_tensor_full(out, KAEL_F32, 2, large_shape, 3);
}

static kael_status small_zeros(kael_tensor **out) {
    return kael_tensor_zeros(out, KAEL_I8, 2, small_shape);
}

static kael_status large_zeros(kael_tensor **out) {
    return kael_tensor_zeros(out, KAEL_F64, 2, large_shape);
}

static kael_status from_data(kael_tensor **out) {
    return kael_tensor_from_data(out, KAEL_F64, 2, small_shape, small_data);
}

static kael_status wrap(kael_tensor **out) {
    static double data[6] = {1, 2, 3, 4, 5, 6};
    return kael_tensor_wrap(out, KAEL_F64, 2, small_shape, NULL, data, NULL, NULL);
}

static kael_status arange(kael_tensor **out) {
    return kael_tensor_arange(out, KAEL_F32, 0, 1000000, 1);
}

static kael_status reshape_view(kael_tensor **out) {
    return kael_tensor_reshape(out, inputs.large_f32, 3, (const int64_t[]){100, 3, -1});
}

static kael_status flatten(kael_tensor **out) {
    return kael_tensor_flatten(out, inputs.large_f32);
}

static kael_status broadcast_to(kael_tensor **out) {
    return kael_tensor_broadcast_to(out, inputs.bias, 2, (const int64_t[]){70, 30});
}

static kael_status permute(kael_tensor **out) {
    return kael_tensor_permute(out, inputs.input, (const int64_t[]){1, 0});
}

static kael_status transpose(kael_tensor **out) {
    return kael_tensor_transpose(out, inputs.large_f32, 0, 1);
}

static kael_status narrow(kael_tensor **out) {
    return kael_tensor_narrow(out, inputs.large_f32, 1, 100, 50);
}

static kael_status slice(kael_tensor **out) {
    return kael_tensor_slice(out, inputs.large_f32, 0, 299, -1, -3);
}

static kael_status select_row(kael_tensor **out) {
    return kael_tensor_select(out, inputs.large_f32, 0, 7);
}

static kael_status unsqueeze(kael_tensor **out) {
    return kael_tensor_unsqueeze(out, inputs.input, 1);
}

static kael_status detach(kael_tensor **out) {
    return kael_tensor_detach(out, inputs.input);
}

static kael_status clone_large(kael_tensor **out) {
    return kael_tensor_clone(out, inputs.large_f32);
}

static kael_status to_dtype(kael_tensor **out) {
    return kael_tensor_to_dtype(out, inputs.large_f64, KAEL_F16);
}

/* Runs an operation on a transposed view. */
static kael_status of_transposed(kael_tensor **out,
                                 kael_status (*operation)(kael_tensor **, const kael_tensor *)) {
    *out = NULL;
    kael_tensor *transposed;
    KAEL_TRY(transpose(&transposed));
    const kael_status status = operation(out, transposed);
    kael_tensor_release(transposed);
    return status;
}

static kael_status contiguous_copy(kael_tensor **out) {
    return of_transposed(out, kael_tensor_contiguous);
}

static kael_status reshape_copy(kael_tensor **out) {
    return of_transposed(out, kael_tensor_flatten);
}

static kael_status squeeze(kael_tensor **out) {
    *out = NULL;
    kael_tensor *wide;
    KAEL_TRY(unsqueeze(&wide));
    const kael_status status = kael_tensor_squeeze(out, wide, 1);
    kael_tensor_release(wide);
    return status;
}

/* Fills a new tensor by a function that writes into it. */
static kael_status write_into_new(kael_tensor **out, kael_dtype dtype, int64_t ndim,
                                  const int64_t *shape, kael_status (*write)(kael_tensor *)) {
    KAEL_TRY(kael_tensor_zeros(out, dtype, ndim, shape));
    const kael_status status = write(*out);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

#define DEFINE_PRODUCTS(suffix, dtype, type)                                                       \
    static kael_status write_gemm_##suffix(kael_tensor *out) {                                     \
        const type *a = kael_tensor_data(inputs.large_##suffix);                                   \
        return kael_gemm_##suffix(300, 300, 300, 1, a, 300, 1, a, 1, 300, 0,                       \
                                  kael_tensor_data(out), 300, 1);                                  \
    }                                                                                              \
    static kael_status gemm_##suffix(kael_tensor **out) {                                          \
        return write_into_new(out, dtype, 2, large_shape, write_gemm_##suffix);                    \
    }                                                                                              \
    static kael_status write_multiply_##suffix(kael_tensor *out) {                                 \
        const kael_matmul_sizes sizes = {300, 300, 300};                                           \
        const type *a = kael_tensor_data(inputs.large_##suffix);                                   \
        return kael_matmul_multiply_##suffix(a, a, kael_tensor_data(out), &sizes);                 \
    }                                                                                              \
    static kael_status multiply_##suffix(kael_tensor **out) {                                      \
        return write_into_new(out, dtype, 2, large_shape, write_multiply_##suffix);                \
    }
DEFINE_PRODUCTS(f32, KAEL_F32, float)
DEFINE_PRODUCTS(f64, KAEL_F64, double)

static kael_status matmul_f32(kael_tensor **out) {
    return kael_matmul(out, inputs.large_f32, inputs.large_f32);
}

static kael_status matmul_mixed(kael_tensor **out) {
    return kael_matmul(out, inputs.large_f32, inputs.large_f64);
}

static kael_status matmul_f16(kael_tensor **out) {
    return kael_matmul(out, inputs.batch_f16, inputs.batch_f16);
}

static kael_status matmul_i8(kael_tensor **out) {
    return kael_matmul(out, inputs.batch_i8, inputs.batch_i8);
}

static kael_status write_square(kael_tensor *out) {
    return kael_matmul_into(out, out, inputs.large_f32);
}

static kael_status matmul_into_operand(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, large_shape, write_square);
}

static kael_status linear(kael_tensor **out) {
    return kael_linear(out, inputs.input, inputs.weight, inputs.bias);
}

static kael_status write_weight_gradient(kael_tensor *out) {
    return kael_linear_backward_into(NULL, out, NULL, inputs.logits, inputs.input, inputs.weight);
}

static kael_status linear_weight_gradient(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, kael_tensor_shape(inputs.weight),
                          write_weight_gradient);
}

static kael_status write_bias_gradient(kael_tensor *out) {
    return kael_linear_backward_into(NULL, NULL, out, inputs.logits, inputs.input, inputs.weight);
}

static kael_status linear_bias_gradient(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 1, kael_tensor_shape(inputs.bias), write_bias_gradient);
}

static kael_status relu(kael_tensor **out) {
    return kael_relu(out, inputs.large_f32);
}

static kael_status add_small(kael_tensor **out) {
    return kael_add(out, inputs.bias, inputs.bias);
}

static kael_status add_mixed(kael_tensor **out) {
    return kael_add(out, inputs.large_f32, inputs.large_f64);
}

static kael_status mul_scalar(kael_tensor **out) {
    return kael_mul_scalar(out, inputs.large_f64, kael_scalar_float(0.5));
}

static kael_status clamp_scalar(kael_tensor **out) {
    return kael_clamp_scalar(out, inputs.large_f32, kael_scalar_int(-1), kael_scalar_float(0.25));
}

static kael_status write_sum_with_transpose(kael_tensor *out) {
    kael_tensor *transposed;
    KAEL_TRY(kael_copy_into(out, inputs.large_f32));
    KAEL_TRY(kael_tensor_transpose(&transposed, out, 0, 1));
    const kael_status status = kael_add_in_place(out, transposed);
    kael_tensor_release(transposed);
    return status;
}

static kael_status add_overlapping(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, large_shape, write_sum_with_transpose);
}

static kael_status cross_entropy_losses(kael_tensor **out) {
    return kael_cross_entropy_losses(out, inputs.logits, inputs.targets);
}

static kael_status cross_entropy(kael_tensor **out) {
    const kael_loss_options options = {.label_smoothing = 0.1};
    return kael_cross_entropy(out, inputs.logits, inputs.targets, &options);
}

static kael_status write_cross_entropy_losses(kael_tensor *out) {
    return kael_cross_entropy_losses_into(out, inputs.logits, inputs.targets);
}

static kael_status cross_entropy_losses_into(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 1, kael_tensor_shape(inputs.targets),
                          write_cross_entropy_losses);
}

static kael_status nll_loss(kael_tensor **out) {
    return kael_nll_loss(out, inputs.logits, inputs.targets, NULL);
}

static kael_status softmax_of_columns(kael_tensor **out) {
    return kael_softmax(out, inputs.large_f32, 0);
}

static kael_status log_softmax(kael_tensor **out) {
    return kael_log_softmax(out, inputs.logits, 1);
}

static kael_status layer_norm_of_columns(kael_tensor **out) {
    kael_tensor *transposed;
    *out = NULL;
    KAEL_TRY(kael_tensor_transpose(&transposed, inputs.large_f32, 0, 1));
    const kael_status status = kael_standardize(out, transposed, 1, 1e-5);
    kael_tensor_release(transposed);
    return status;
}

static kael_status write_rms_norm(kael_tensor *out) {
    return kael_rms_norm_into(out, inputs.large_f32, 1, NULL, 1e-5);
}

static kael_status rms_norm_into(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, large_shape, write_rms_norm);
}

static kael_status linear_of_columns(kael_tensor **out) {
    *out = NULL;
    kael_tensor *transposed;
    KAEL_TRY(kael_tensor_transpose(&transposed, inputs.large_f32, 0, 1));
    const kael_status status = kael_linear(out, transposed, transposed, NULL);
    kael_tensor_release(transposed);
    return status;
}

static kael_status moved_by_adam(kael_tensor *parameter) {
    static const kael_adam_options options = {1e-3, 0.9, 0.999, 1e-8, 0, false};
    kael_optimizer *optimizer;
    KAEL_TRY(kael_adam_create(&optimizer, 1, &parameter, &options));
    kael_tensor *sum = NULL;
    kael_status status = kael_sum(&sum, parameter, 0, NULL, false);
    if (status == KAEL_OK) {
        status = kael_backward(sum);
    }
    if (status == KAEL_OK) {
        status = kael_optimizer_step(optimizer);
    }
    kael_tensor_release(sum);
    kael_optimizer_release(optimizer);
    return status;
}

static kael_status adam(kael_tensor **out) {
    *out = NULL;
    kael_tensor *parameter;
    KAEL_TRY(kael_tensor_clone(&parameter, inputs.large_f32));
    kael_status status = kael_tensor_set_requires_grad(parameter, true);
    if (status == KAEL_OK) {
        status = moved_by_adam(parameter);
    }
    if (status == KAEL_OK) {
        status = kael_tensor_detach(out, parameter);
    }
    kael_tensor_release(parameter);
    return status;
}

static kael_status write_softmax(kael_tensor *out) {
    return kael_softmax_into(out, inputs.large_f32, 1);
}

static kael_status softmax_into(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, large_shape, write_softmax);
}

static kael_status index_select(kael_tensor **out) {
    return kael_index_select(out, inputs.large_f32, 0, inputs.targets);
}

static kael_status gather(kael_tensor **out) {
    return kael_gather(out, inputs.large_f32, 1, inputs.columns);
}

static kael_status write_gather(kael_tensor *out) {
    return kael_gather_into(out, out, 1, inputs.columns);
}

static kael_status gather_in_place(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, kael_tensor_shape(inputs.columns), write_gather);
}

static kael_status scatter_add(kael_tensor **out) {
    return kael_scatter_add(out, inputs.large_f32, 1, inputs.columns, inputs.logits);
}

static kael_status write_scatter_add(kael_tensor *out) {
    return kael_scatter_add_into(out, out, 0, inputs.columns, inputs.columns);
}

static kael_status scatter_add_in_place(kael_tensor **out) {
    return write_into_new(out, KAEL_I64, 2, kael_tensor_shape(inputs.columns), write_scatter_add);
}

static kael_status masked_fill(kael_tensor **out) {
    return kael_masked_fill(out, inputs.logits, inputs.mask, 2);
}

static const kael_tensor *const *parts(void) {
    static const kael_tensor *tensors[2];
    tensors[0] = inputs.logits;
    tensors[1] = inputs.columns;
    return tensors;
}

static kael_status cat(kael_tensor **out) {
    return kael_cat(out, 2, parts(), 1);
}

static kael_status stack(kael_tensor **out) {
    return kael_stack(out, 2, parts(), 1);
}

static kael_status tril(kael_tensor **out) {
    return kael_tril(out, inputs.columns, 3);
}

static kael_status eye(kael_tensor **out) {
    return kael_eye(out, KAEL_F16, 300, 300, 1);
}

static kael_status one_hot(kael_tensor **out) {
    return kael_one_hot(out, inputs.columns, 30, KAEL_F32);
}

static kael_status allclose(kael_tensor **out) {
    bool result;
    *out = NULL;
    KAEL_TRY(kael_allclose(&result, inputs.columns, inputs.logits, 0, 0, false));
    return kael_tensor_full(out, KAEL_BOOL, 0, NULL, result);
}

/* Every run draws the same numbers: a failed one must not have moved the generator. */
static kael_status rewind_generator(kael_status status) {
    return status == KAEL_OK ? kael_generator_seed(inputs.generator, 1) : status;
}

static kael_status uniform(kael_tensor **out) {
    return rewind_generator(
        kael_random_uniform(out, inputs.generator, KAEL_F32, 2, large_shape, 0, 1));
}

static kael_status write_normal(kael_tensor *out) {
    kael_tensor *view;
    KAEL_TRY(kael_tensor_transpose(&view, out, 0, 1));
    const kael_status status = kael_random_normal_into(view, inputs.generator, 0, 1);
    kael_tensor_release(view);
    return rewind_generator(status);
}

static kael_status normal_into_view(kael_tensor **out) {
    return write_into_new(out, KAEL_F64, 2, large_shape, write_normal);
}

static kael_status permutation(kael_tensor **out) {
    return rewind_generator(kael_random_permutation(out, inputs.generator, 3000));
}

static kael_status copied_generator(kael_tensor **out) {
    kael_generator *copy;
    *out = NULL;
    KAEL_TRY(kael_generator_copy(&copy, inputs.generator));
    const kael_status status = kael_random_bernoulli(out, copy, KAEL_BOOL, 2, large_shape, 0.5);
    kael_generator_release(copy);
    return status;
}

/* Over all elements of several blocks. */
#define DEFINE_REDUCTION(name, ...)                                                                \
    static kael_status reduce_##name(kael_tensor **out) {                                          \
        return kael_##name(out, inputs.large_f64, __VA_ARGS__);                                    \
    }
DEFINE_REDUCTION(sum, 0, NULL, false)
DEFINE_REDUCTION(prod, 0, NULL, false)
DEFINE_REDUCTION(mean, 0, NULL, false)
DEFINE_REDUCTION(var, 0, NULL, false, 1)
DEFINE_REDUCTION(std, 0, NULL, false, 1)
DEFINE_REDUCTION(norm, 0, NULL, false)
DEFINE_REDUCTION(logsumexp, 0, NULL, false)
DEFINE_REDUCTION(max, 0, NULL, false)
DEFINE_REDUCTION(min, 0, NULL, false)
DEFINE_REDUCTION(argmax, KAEL_ALL_DIMS, false)
DEFINE_REDUCTION(argmin, KAEL_ALL_DIMS, false)
DEFINE_REDUCTION(any, 0, NULL, false)
DEFINE_REDUCTION(all, 0, NULL, false)
DEFINE_REDUCTION(count_nonzero, 0, NULL, false)

static const int64_t second_dim = 1;

static kael_status sum_rows(kael_tensor **out) {
    return kael_sum(out, inputs.large_f32, 1, &second_dim, true);
}

/* Into a row of its input, by way of a result of its own. */
static kael_status write_sum_of_itself(kael_tensor *out) {
    kael_tensor *row;
    KAEL_TRY(kael_tensor_narrow(&row, out, 0, 1, 1));
    const int64_t first_dim = 0;
    const kael_status status = kael_sum_into(row, out, 1, &first_dim, true);
    kael_tensor_release(row);
    return status;
}

static kael_status sum_in_place(kael_tensor **out) {
    return write_into_new(out, KAEL_F32, 2, small_shape, write_sum_of_itself);
}

typedef struct operation {
    const char *name; /* of the function, without kael_ */
    kael_status (*run)(kael_tensor **out);
} operation;

static const operation operations[] = {
    {"tensor_full, small", small_full},
    {"tensor_full, large", large_full},
    {"tensor_zeros, small", small_zeros},
    {"tensor_zeros, large", large_zeros},
    {"tensor_from_data", from_data},
    {"tensor_wrap", wrap},
    {"tensor_arange", arange},
    {"tensor_reshape, view", reshape_view},
    {"tensor_reshape, copy", reshape_copy},
    {"tensor_flatten", flatten},
    {"tensor_broadcast_to", broadcast_to},
    {"tensor_permute", permute},
    {"tensor_transpose", transpose},
    {"tensor_narrow", narrow},
    {"tensor_slice", slice},
    {"tensor_select", select_row},
    {"tensor_squeeze", squeeze},
    {"tensor_unsqueeze", unsqueeze},
    {"tensor_detach", detach},
    {"tensor_contiguous", contiguous_copy},
    {"tensor_clone", clone_large},
    {"tensor_to_dtype", to_dtype},
    {"gemm_f32", gemm_f32},
    {"gemm_f64", gemm_f64},
    {"matmul_multiply_f32", multiply_f32},
    {"matmul_multiply_f64", multiply_f64},
    {"matmul, f32", matmul_f32},
    {"matmul, f32 and f64", matmul_mixed},
    {"matmul, f16", matmul_f16},
    {"matmul, i8", matmul_i8},
    {"matmul_into, an operand", matmul_into_operand},
    {"linear", linear},
    {"linear_backward_into, weight", linear_weight_gradient},
    {"linear_backward_into, bias", linear_bias_gradient},
    {"relu", relu},
    {"add, small", add_small},
    {"add, f32 and f64", add_mixed},
    {"mul_scalar", mul_scalar},
    {"clamp_scalar", clamp_scalar},
    {"add_in_place, overlapping", add_overlapping},
    {"cross_entropy_losses", cross_entropy_losses},
    {"cross_entropy_losses_into", cross_entropy_losses_into},
    {"cross_entropy", cross_entropy},
    {"nll_loss", nll_loss},
    {"linear of columns", linear_of_columns},
    {"adam", adam},
    {"layer_norm of columns", layer_norm_of_columns},
    {"rms_norm_into", rms_norm_into},
    {"softmax of columns", softmax_of_columns},
    {"softmax_into", softmax_into},
    {"log_softmax", log_softmax},
    {"index_select", index_select},
    {"gather", gather},
    {"gather_into, in place", gather_in_place},
    {"scatter_add", scatter_add},
    {"scatter_add_into, in place", scatter_add_in_place},
    {"masked_fill", masked_fill},
    {"cat", cat},
    {"stack", stack},
    {"tril", tril},
    {"eye", eye},
    {"one_hot", one_hot},
    {"allclose", allclose},
    {"random_uniform", uniform},
    {"random_normal_into, view", normal_into_view},
    {"random_permutation", permutation},
    {"generator_copy", copied_generator},
    {"sum", reduce_sum},
    {"prod", reduce_prod},
    {"mean", reduce_mean},
    {"var", reduce_var},
    {"std", reduce_std},
    {"norm", reduce_norm},
    {"logsumexp", reduce_logsumexp},
    {"max", reduce_max},
    {"min", reduce_min},
    {"argmax", reduce_argmax},
    {"argmin", reduce_argmin},
    {"any", reduce_any},
    {"all", reduce_all},
    {"count_nonzero", reduce_count_nonzero},
    {"sum, rows", sum_rows},
    {"sum_into, a row of its input", sum_in_place},
};

static int64_t bytes_in_use(void) {
    kael_allocator_statistics now;
    return kael_allocator_stats(&now) == KAEL_OK ? now.in_use_bytes : -1;
}

static bool same_shape(const kael_tensor *a, const kael_tensor *b) {
    const int64_t ndim = kael_tensor_ndim(a);
    return kael_tensor_dtype(a) == kael_tensor_dtype(b) && kael_tensor_ndim(b) == ndim &&
           memcmp(kael_tensor_shape(a), kael_tensor_shape(b),
                  (size_t)ndim * sizeof *kael_tensor_shape(a)) == 0;
}

static bool same_elements(const kael_tensor *a, const kael_tensor *b) {
    kael_tensor *copy_a = NULL;
    kael_tensor *copy_b = NULL;
    const bool same =
        same_shape(a, b) && CHECK(kael_tensor_contiguous(&copy_a, a) == KAEL_OK) &&
        CHECK(kael_tensor_contiguous(&copy_b, b) == KAEL_OK) &&
        memcmp(kael_tensor_data(copy_a), kael_tensor_data(copy_b),
               (size_t)(kael_tensor_numel(a) * kael_dtype_size(kael_tensor_dtype(a)))) == 0;
    kael_tensor_release(copy_a);
    kael_tensor_release(copy_b);
    return same;
}

typedef struct sweep_mode {
    bool caching;
    int64_t failures; /* in a row, from the n-th on */
} sweep_mode;

static const sweep_mode sweep_modes[] = {
    {false, 1}, {false, INT32_MAX}, {true, 1}, {true, INT32_MAX}};

/* Runs the operation with its n-th allocation failing; false when it makes fewer. With caching, an
 * allocation that fails may be saved by what the cache gives back. */
static bool fail_nth(const operation *o, const kael_tensor *expected, sweep_mode mode, int64_t n) {
    static int64_t target;
    kael_tensor *out = (kael_tensor *)(void *)&target;
    const int64_t before = bytes_in_use();
    kael_empty_cache();
    kael_system_inject_failures(n, mode.failures);
    const kael_status status = o->run(&out);
    const bool failed = kael_system_injected_failures() > 0;
    kael_system_inject_failures(0, 0);
    if (status == KAEL_OK) {
        CHECK(!failed || mode.caching);
        CHECK(same_elements(out, expected));
    } else {
        CHECK(failed && status == KAEL_ERROR_MEMORY);
        CHECK(out == NULL);
        CHECK(strlen(kael_last_error_message()) > 0);
        out = NULL;
    }
    kael_tensor_release(out);
    CHECK(bytes_in_use() == before);
    return failed;
}

static void sweep(const operation *o, sweep_mode mode) {
    enum { MOST_ALLOCATIONS = 1000 };
    kael_set_caching_allocator_enabled(mode.caching);
    kael_tensor *expected = NULL;
    if (!CHECK(o->run(&expected) == KAEL_OK)) {
        return;
    }
    int64_t n = 1;
    while (n <= MOST_ALLOCATIONS && fail_nth(o, expected, mode, n)) {
        ++n;
    }
    CHECK(n > 1 && n <= MOST_ALLOCATIONS);
    kael_tensor_release(expected);
}

static kael_status make_random(kael_tensor **out, kael_dtype dtype, int64_t rows, int64_t columns) {
    KAEL_TRY(kael_tensor_empty(out, dtype, 2, (const int64_t[]){rows, columns}));
    uint32_t state = 1;
    for (int64_t i = 0; i < rows * columns; ++i) {
        state = state * UINT32_C(1664525) + UINT32_C(1013904223);
        const double value = (double)(int32_t)state * 0x1p-31;
        if (dtype == KAEL_F32) {
            ((float *)kael_tensor_data(*out))[i] = (float)value;
        } else {
            ((double *)kael_tensor_data(*out))[i] = value;
        }
    }
    return KAEL_OK;
}

static kael_status make_columns(void) {
    kael_tensor *transposed;
    KAEL_TRY(kael_tensor_full(&transposed, KAEL_I64, 2, (const int64_t[]){30, 70}, 5));
    const kael_status status = kael_tensor_transpose(&inputs.columns, transposed, 0, 1);
    kael_tensor_release(transposed);
    return status;
}

static kael_status make_inputs(void) {
    KAEL_TRY(make_columns());
    KAEL_TRY(kael_tensor_full(&inputs.mask, KAEL_BOOL, 1, (const int64_t[]){30}, 1));
    KAEL_TRY(kael_generator_create(&inputs.generator, 1));
    KAEL_TRY(make_random(&inputs.large_f32, KAEL_F32, 300, 300));
    KAEL_TRY(make_random(&inputs.large_f64, KAEL_F64, 300, 300));
    KAEL_TRY(kael_tensor_full(&inputs.batch_f16, KAEL_F16, 3, batch_shape, 0.5));
    KAEL_TRY(kael_tensor_full(&inputs.batch_i8, KAEL_I8, 3, batch_shape, 7));
    KAEL_TRY(make_random(&inputs.input, KAEL_F32, 70, 40));
    KAEL_TRY(make_random(&inputs.weight, KAEL_F32, 30, 40));
    KAEL_TRY(make_random(&inputs.logits, KAEL_F32, 70, 30));
    KAEL_TRY(kael_tensor_full(&inputs.bias, KAEL_F32, 1, (const int64_t[]){30}, 0.5));
    return kael_tensor_full(&inputs.targets, KAEL_I64, 1, (const int64_t[]){70}, 7);
}

static void release_inputs(void) {
    kael_tensor *const all[] = {inputs.large_f32, inputs.large_f64, inputs.input,
                                inputs.weight,    inputs.bias,      inputs.logits,
                                inputs.targets,   inputs.batch_f16, inputs.batch_i8,
                                inputs.columns,   inputs.mask};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        kael_tensor_release(all[i]);
    }
    kael_generator_release(inputs.generator);
}

int main(void) {
    tap_time_limit(300);
    if (!CHECK(make_inputs() == KAEL_OK)) {
        return 1;
    }
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; ++i) {
        const int failures = atomic_load(&tap_failed_checks);
        for (size_t m = 0; m < sizeof sweep_modes / sizeof sweep_modes[0]; ++m) {
            sweep(&operations[i], sweep_modes[m]);
        }
        tap_report(atomic_load(&tap_failed_checks) == failures, operations[i].name);
    }
    release_inputs();
    return tap_finish();
}
