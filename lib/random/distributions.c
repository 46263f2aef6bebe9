/* The distributions: their parameters, validated and brought into the form that kernels take. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/random.h"
#include "kernels/dtypes.h"
#include "kernels/half.h"
#include "random/fill.h"
#include "tensor/dtype.h"
#include "tensor/element.h"

static kael_status random_kernels(const kael_random_kernels **kernels) {
    const kael_kernels *in_use;
    KAEL_TRY(kael_kernels_in_use(&in_use));
    *kernels = in_use->random;
    return KAEL_OK;
}

static kael_status require_floating(kael_dtype dtype) {
    return kael_dtype_size(dtype) != 0 && kael_dtype_is_floating(dtype)
               ? KAEL_OK
               : kael_error(KAEL_ERROR_DTYPE, "dtype must be f16, bf16, f32 or f64, got %s",
                            kael_dtype_name(dtype));
}

/* f64 takes a pair of words an element, the others a word. */
static int64_t floats_per_block(kael_dtype dtype) {
    return dtype == KAEL_F64 ? 2 : 4;
}

static int size_index(kael_dtype dtype) {
    return __builtin_ctz((unsigned)kael_dtype_size(dtype));
}

/* The value rounded to a floating point dtype. Not inlined: where two calls stand side by side,
 * gcc 12 makes them one vector operation and loses the rounding to f32. */
__attribute__((noinline)) static double round_to(kael_dtype dtype, double value) {
    switch (dtype) {
    case KAEL_F16:
        return (double)kael_f16_to_f32(kael_f64_to_f16(value));
    case KAEL_BF16:
        return (double)kael_bf16_to_f32(kael_f64_to_bf16(value));
    case KAEL_F32:
        return (double)(float)value;
    default:
        return value;
    }
}

/* The next lower number of a 16-bit format: bits are a sign and a magnitude. */
static uint16_t below_half(uint16_t bits) {
    const uint16_t sign = 0x8000;
    if (bits == 0 || bits == sign) {
        return sign | 1;
    }
    return (uint16_t)(bits & sign ? bits + 1 : bits - 1);
}

/* The largest number of the dtype below a finite one of it. */
static double number_below(kael_dtype dtype, double number) {
    switch (dtype) {
    case KAEL_F16:
        return (double)kael_f16_to_f32(below_half(kael_f32_to_f16((float)number)));
    case KAEL_BF16:
        return (double)kael_bf16_to_f32(below_half(kael_f32_to_bf16((float)number)));
    case KAEL_F32:
        return (double)nextafterf((float)number, -INFINITY);
    default:
        return nextafter(number, -INFINITY);
    }
}

static kael_status plan_uniform(kael_random_plan *plan, kael_dtype dtype, double low, double high) {
    KAEL_TRY(require_floating(dtype));
    const double rounded_low = round_to(dtype, low);
    const double rounded_high = round_to(dtype, high);
    if (!isfinite(rounded_low) || !isfinite(rounded_high)) {
        return kael_error(KAEL_ERROR_VALUE, "low and high must be finite in %s, got %g and %g",
                          kael_dtype_name(dtype), low, high);
    }
    if (!(rounded_low < rounded_high)) {
        return kael_error(KAEL_ERROR_VALUE, "low must be less than high in %s, got %g and %g",
                          kael_dtype_name(dtype), low, high);
    }
    const double difference = rounded_high - rounded_low;
    const double span = round_to(dtype == KAEL_F64 ? KAEL_F64 : KAEL_F32, difference);
    if (!isfinite(span)) {
        return kael_error(KAEL_ERROR_VALUE, "high - low must be finite in %s, got %g and %g",
                          kael_dtype_name(dtype), low, high);
    }
    const kael_random_kernels *kernels;
    KAEL_TRY(random_kernels(&kernels));
    plan->fill = kernels->uniform[dtype];
    plan->per_block = floats_per_block(dtype);
    plan->parameters.uniform =
        (kael_random_uniform_parameters){rounded_low, span, number_below(dtype, rounded_high)};
    return KAEL_OK;
}

kael_status kael_random_uniform(kael_tensor **out, kael_generator *generator, kael_dtype dtype,
                                int64_t ndim, const int64_t *shape, double low, double high) {
    KAEL_TRY(kael_random_begin(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_uniform(&plan, dtype, low, high));
    return kael_random_fill_new(out, generator, &plan, dtype, ndim, shape);
}

kael_status kael_random_uniform_into(kael_tensor *out, kael_generator *generator, double low,
                                     double high) {
    KAEL_TRY(kael_random_begin_into(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_uniform(&plan, kael_tensor_dtype(out), low, high));
    return kael_random_fill_into(out, generator, &plan);
}

static kael_status plan_normal(kael_random_plan *plan, kael_dtype dtype, double mean, double std) {
    KAEL_TRY(require_floating(dtype));
    const kael_dtype computed = dtype == KAEL_F64 ? KAEL_F64 : KAEL_F32;
    kael_random_normal_parameters *parameters = &plan->parameters.normal;
    parameters->mean = round_to(computed, mean);
    parameters->std = round_to(computed, std);
    if (!isfinite(parameters->mean)) {
        return kael_error(KAEL_ERROR_VALUE, "mean must be finite in %s, got %g",
                          kael_dtype_name(computed), mean);
    }
    if (!isfinite(parameters->std) || parameters->std < 0) {
        return kael_error(KAEL_ERROR_VALUE, "std must be finite in %s and not negative, got %g",
                          kael_dtype_name(computed), std);
    }
    const kael_random_kernels *kernels;
    KAEL_TRY(random_kernels(&kernels));
    plan->fill = kernels->normal[dtype];
    plan->per_block = floats_per_block(dtype);
    return KAEL_OK;
}

kael_status kael_random_normal(kael_tensor **out, kael_generator *generator, kael_dtype dtype,
                               int64_t ndim, const int64_t *shape, double mean, double std) {
    KAEL_TRY(kael_random_begin(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_normal(&plan, dtype, mean, std));
    return kael_random_fill_new(out, generator, &plan, dtype, ndim, shape);
}

kael_status kael_random_normal_into(kael_tensor *out, kael_generator *generator, double mean,
                                    double std) {
    KAEL_TRY(kael_random_begin_into(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_normal(&plan, kael_tensor_dtype(out), mean, std));
    return kael_random_fill_into(out, generator, &plan);
}

/* Whether an integer dtype holds the values low .. last. */
static bool holds(kael_dtype dtype, int64_t low, int64_t last) {
    switch (dtype) {
#define SIGNED_CASE(NAME, name, text, storage, kind, compute)                                      \
    case KAEL_##NAME:                                                                              \
        return low == (storage)low && last == (storage)last;
        KAEL_SIGNED_DTYPES(SIGNED_CASE)
#undef SIGNED_CASE
#define UNSIGNED_CASE(NAME, name, text, storage, kind, compute)                                    \
    case KAEL_##NAME:                                                                              \
        return low >= 0 && (uint64_t)last == (storage)last;
        KAEL_UNSIGNED_DTYPES(UNSIGNED_CASE)
#undef UNSIGNED_CASE
    default:
        return false;
    }
}

static kael_status plan_integers(kael_random_plan *plan, kael_dtype dtype, int64_t low,
                                 int64_t high) {
    if (kael_dtype_size(dtype) == 0 || !kael_dtype_is_integer(dtype)) {
        return kael_error(KAEL_ERROR_DTYPE, "dtype must be an integer dtype, got %s",
                          kael_dtype_name(dtype));
    }
    if (low >= high) {
        return kael_error(KAEL_ERROR_VALUE,
                          "low must be less than high, got %" PRId64 " and %" PRId64, low, high);
    }
    if (!holds(dtype, low, high - 1)) {
        return kael_error(KAEL_ERROR_VALUE,
                          "the integers from %" PRId64 " to %" PRId64 " are not in the range of %s",
                          low, high - 1, kael_dtype_name(dtype));
    }
    const kael_random_kernels *kernels;
    KAEL_TRY(random_kernels(&kernels));
    const uint64_t range = (uint64_t)high - (uint64_t)low;
    const bool is_short = range <= KAEL_RANDOM_SHORT_RANGE;
    plan->fill = (is_short ? kernels->short_integers : kernels->integers)[size_index(dtype)];
    plan->per_block = is_short ? 4 : 2;
    plan->parameters.integers = (kael_random_integers_parameters){(uint64_t)low, range};
    return KAEL_OK;
}

kael_status kael_random_integers(kael_tensor **out, kael_generator *generator, kael_dtype dtype,
                                 int64_t ndim, const int64_t *shape, int64_t low, int64_t high) {
    KAEL_TRY(kael_random_begin(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_integers(&plan, dtype, low, high));
    return kael_random_fill_new(out, generator, &plan, dtype, ndim, shape);
}

kael_status kael_random_integers_into(kael_tensor *out, kael_generator *generator, int64_t low,
                                      int64_t high) {
    KAEL_TRY(kael_random_begin_into(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_integers(&plan, kael_tensor_dtype(out), low, high));
    return kael_random_fill_into(out, generator, &plan);
}

static kael_status plan_bernoulli(kael_random_plan *plan, kael_dtype dtype, double probability) {
    if (kael_dtype_size(dtype) == 0) {
        return kael_error(KAEL_ERROR_DTYPE, "%d is not a dtype", (int)dtype);
    }
    if (!(probability >= 0 && probability <= 1)) {
        return kael_error(KAEL_ERROR_VALUE, "probability must be between 0 and 1, got %g",
                          probability);
    }
    const kael_random_kernels *kernels;
    KAEL_TRY(random_kernels(&kernels));
    plan->fill = kernels->bernoulli[size_index(dtype)];
    plan->per_block = 4;
    kael_random_bernoulli_parameters *parameters = &plan->parameters.bernoulli;
    parameters->one = 0;
    KAEL_TRY(kael_element_from_double(&parameters->one, dtype, 1));
    /* A threshold of 2^64 itself is (2^32 - 1) * 2^32 + 2^32. */
    const double scaled = rint(probability * 0x1p64);
    parameters->threshold_high = scaled < 0x1p64 ? (uint64_t)scaled >> 32 : UINT32_MAX;
    parameters->threshold_low = scaled < 0x1p64 ? (uint64_t)scaled & UINT32_MAX : UINT64_C(1) << 32;
    return KAEL_OK;
}

kael_status kael_random_bernoulli(kael_tensor **out, kael_generator *generator, kael_dtype dtype,
                                  int64_t ndim, const int64_t *shape, double probability) {
    KAEL_TRY(kael_random_begin(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_bernoulli(&plan, dtype, probability));
    return kael_random_fill_new(out, generator, &plan, dtype, ndim, shape);
}

kael_status kael_random_bernoulli_into(kael_tensor *out, kael_generator *generator,
                                       double probability) {
    KAEL_TRY(kael_random_begin_into(out, generator));
    kael_random_plan plan;
    KAEL_TRY(plan_bernoulli(&plan, kael_tensor_dtype(out), probability));
    return kael_random_fill_into(out, generator, &plan);
}
