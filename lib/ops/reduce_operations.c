#include "ops/reduce_operations.h"

#include <math.h>
#include <stddef.h>

#include "kernels/elementary.h"

static bool is_float(kael_dtype dtype) {
    return dtype >= KAEL_F16;
}

static bool is_unsigned(kael_dtype dtype) {
    return dtype >= KAEL_U8 && dtype <= KAEL_U64;
}

/* 16-bit floats are reduced as the numbers of f32 that they are. */
static kael_dtype own_panels(kael_dtype dtype) {
    return dtype == KAEL_F16 || dtype == KAEL_BF16 ? KAEL_F32 : dtype;
}

/* Integers, too, as floats. */
static kael_dtype float_panels(kael_dtype dtype) {
    return is_float(dtype) ? own_panels(dtype) : KAEL_F64;
}

static kael_dtype float_result(kael_dtype dtype) {
    return is_float(dtype) ? dtype : KAEL_F64;
}

/* A reduction in double of elements taken as floats. */
static void define_float(kael_reduction *reduction, kael_dtype dtype, int64_t count) {
    reduction->panel_dtype = float_panels(dtype);
    reduction->total_dtype = KAEL_F64;
    reduction->out_dtype = float_result(dtype);
    reduction->count = (double)count;
    reduction->pass_count = 0;
}

static void add_pass(kael_reduction *reduction, kael_reduce_pass pass) {
    reduction->passes[reduction->pass_count++] = pass;
}

/* ---- sum, product ---- */

static void define_fold(kael_reduction *reduction, const kael_reducer *const *reducers,
                        kael_dtype dtype, int64_t count) {
    define_float(reduction, dtype, count);
    if (!is_float(dtype)) {
        reduction->panel_dtype = dtype;
        reduction->total_dtype = is_unsigned(dtype) ? KAEL_U64 : KAEL_I64;
        reduction->out_dtype = reduction->total_dtype;
    }
    add_pass(reduction, (kael_reduce_pass){.reducer = reducers[reduction->panel_dtype]});
}

static void define_sum(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    define_fold(reduction, kernels->sum, dtype, count);
}

static void define_prod(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                        kael_dtype dtype, int64_t count) {
    define_fold(reduction, kernels->product, dtype, count);
}

/* ---- mean, variance ---- */

static void divide_by_count(const kael_reduction *reduction, int64_t width,
                            const double *parameters, double *totals) {
    (void)parameters;
    for (int64_t j = 0; j < width; ++j) {
        totals[j] /= reduction->count;
    }
}

static void divide_by_freedom(const kael_reduction *reduction, int64_t width,
                              const double *parameters, double *totals) {
    (void)parameters;
    const double freedom = fmax(reduction->count - reduction->correction, 0.0);
    for (int64_t j = 0; j < width; ++j) {
        totals[j] /= freedom;
    }
}

static void take_roots(const kael_reduction *reduction, int64_t width, const double *parameters,
                       double *totals) {
    (void)reduction;
    (void)parameters;
    for (int64_t j = 0; j < width; ++j) {
        totals[j] = sqrt(totals[j]);
    }
}

static void divide_and_take_roots(const kael_reduction *reduction, int64_t width,
                                  const double *parameters, double *totals) {
    divide_by_freedom(reduction, width, parameters, totals);
    take_roots(reduction, width, parameters, totals);
}

static void define_mean(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                        kael_dtype dtype, int64_t count) {
    define_float(reduction, dtype, count);
    add_pass(reduction, (kael_reduce_pass){.reducer = kernels->sum[reduction->panel_dtype],
                                           .finish = divide_by_count});
}

static void define_var(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    define_mean(reduction, kernels, dtype, count);
    add_pass(reduction, (kael_reduce_pass){.reducer = kernels->deviations[reduction->panel_dtype],
                                           .finish = divide_by_freedom});
}

static void define_std(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    define_var(reduction, kernels, dtype, count);
    reduction->passes[1].finish = divide_and_take_roots;
}

/* ---- norm ---- */

/* Whether scaling cannot change the sum of squares: none has overflown, and those that have lost
 * bits below the normal numbers are too small to have any part in it. */
static bool squares_suffice(int64_t width, const double *totals) {
    bool all = true;
    for (int64_t j = 0; j < width; ++j) {
        all &= (totals[j] >= 0x1p-800 && totals[j] < (double)INFINITY) || isnan(totals[j]);
    }
    return all;
}

/* The factor that brings the largest magnitude near 1, between bounds so that it and its inverse
 * are normal numbers; 1 if that does not help. */
static void find_scales(const kael_reduction *reduction, int64_t width, const double *parameters,
                        double *totals) {
    (void)reduction;
    (void)parameters;
    for (int64_t j = 0; j < width; ++j) {
        const double largest = totals[j];
        totals[j] = largest > 0 && largest < (double)INFINITY
                        ? ldexp(1.0, -(int)fmin(fmax(logb(largest), -1022.0), 1022.0))
                        : 1.0;
    }
}

static void take_scaled_roots(const kael_reduction *reduction, int64_t width,
                              const double *parameters, double *totals) {
    (void)reduction;
    for (int64_t j = 0; j < width; ++j) {
        totals[j] = sqrt(totals[j]) / parameters[j];
    }
}

static void define_norm(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                        kael_dtype dtype, int64_t count) {
    define_float(reduction, dtype, count);
    add_pass(reduction, (kael_reduce_pass){.reducer = kernels->squares[reduction->panel_dtype],
                                           .finish = take_roots});
    if (dtype == KAEL_F64) {
        reduction->passes[0].suffices = squares_suffice;
        add_pass(reduction, (kael_reduce_pass){.reducer = kernels->largest[KAEL_F64],
                                               .map = kernels->magnitude,
                                               .finish = find_scales});
        add_pass(reduction, (kael_reduce_pass){.reducer = kernels->sum[KAEL_F64],
                                               .map = kernels->scaled_square,
                                               .finish = take_scaled_roots});
    }
}

/* ---- logsumexp ---- */

static void add_logs(const kael_reduction *reduction, int64_t width, const double *parameters,
                     double *totals) {
    (void)reduction;
    for (int64_t j = 0; j < width; ++j) {
        const double largest = parameters[j];
        totals[j] = isfinite(largest) ? largest + kael_log_f64(totals[j]) : largest;
    }
}

static void define_logsumexp(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                             kael_dtype dtype, int64_t count) {
    define_float(reduction, dtype, count);
    reduction->panel_dtype = KAEL_F64;
    add_pass(reduction, (kael_reduce_pass){.reducer = kernels->largest[KAEL_F64]});
    add_pass(reduction, (kael_reduce_pass){.reducer = kernels->sum[KAEL_F64],
                                           .map = kernels->shifted_exp,
                                           .finish = add_logs});
}

/* ---- extremes ---- */

/* One pass whose results need no arithmetic. */
static void define_exact(kael_reduction *reduction, const kael_reducer *const *reducers,
                         kael_dtype panel_dtype, kael_dtype out_dtype) {
    reduction->panel_dtype = panel_dtype;
    reduction->total_dtype = panel_dtype;
    reduction->out_dtype = out_dtype;
    reduction->pass_count = 0;
    add_pass(reduction, (kael_reduce_pass){.reducer = reducers[panel_dtype]});
}

static void define_max(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->largest, own_panels(dtype), dtype);
}

static void define_min(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->smallest, own_panels(dtype), dtype);
}

static void define_argmax(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                          kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->argmax, own_panels(dtype), KAEL_I64);
    reduction->total_dtype = KAEL_I64;
}

static void define_argmin(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                          kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->argmin, own_panels(dtype), KAEL_I64);
    reduction->total_dtype = KAEL_I64;
}

/* ---- truth ---- */

static void define_any(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->any, dtype, KAEL_BOOL);
    reduction->total_dtype = KAEL_BOOL;
}

static void define_all(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                       kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->all, dtype, KAEL_BOOL);
    reduction->total_dtype = KAEL_BOOL;
}

static void define_count_nonzero(kael_reduction *reduction, const kael_reduce_kernels *kernels,
                                 kael_dtype dtype, int64_t count) {
    (void)count;
    define_exact(reduction, kernels->nonzero, dtype, KAEL_I64);
    reduction->total_dtype = KAEL_I64;
}

#define NAN_OF_NOTHING ((double)NAN)

const kael_reduce_operation kael_reduce_sum = {"sum", define_sum, 0, false};
const kael_reduce_operation kael_reduce_prod = {"prod", define_prod, 1, false};
const kael_reduce_operation kael_reduce_mean = {"mean", define_mean, NAN_OF_NOTHING, false};
const kael_reduce_operation kael_reduce_var = {"var", define_var, NAN_OF_NOTHING, false};
const kael_reduce_operation kael_reduce_std = {"std", define_std, NAN_OF_NOTHING, false};
const kael_reduce_operation kael_reduce_norm = {"norm", define_norm, 0, false};
const kael_reduce_operation kael_reduce_logsumexp = {"logsumexp", define_logsumexp,
                                                     -(double)INFINITY, false};
const kael_reduce_operation kael_reduce_max = {"max", define_max, 0, true};
const kael_reduce_operation kael_reduce_min = {"min", define_min, 0, true};
const kael_reduce_operation kael_reduce_argmax = {"argmax", define_argmax, 0, true};
const kael_reduce_operation kael_reduce_argmin = {"argmin", define_argmin, 0, true};
const kael_reduce_operation kael_reduce_any = {"any", define_any, 0, false};
const kael_reduce_operation kael_reduce_all = {"all", define_all, 1, false};
const kael_reduce_operation kael_reduce_count_nonzero = {"count_nonzero", define_count_nonzero, 0,
                                                         false};
