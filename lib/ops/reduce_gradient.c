#include "ops/reduce_gradient.h"

#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/ops.h"
#include "kael/reduce.h"
#include "ops/scratch.h"

/* What the gradients need beside tensors. */
typedef struct reduction {
    int64_t ndims;
    int64_t dims[KAEL_MAX_DIMS];
    double count; /* of the elements of each output */
    double correction;
} reduction;

enum { INPUT, RESULT }; /* as they are saved */

static const kael_tensor *saved(const kael_graph_node *node, int which) {
    return node->saved[which].tensor;
}

/* Repeats a tensor that kept the reduced dimensions along them. */
static kael_status repeat(const kael_graph_node *node, const kael_tensor *tensor,
                          kael_tensor **out) {
    return kael_tensor_broadcast_to(out, tensor, node->inputs[0].ndim, node->inputs[0].shape);
}

static kael_status sum(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    return repeat(node, gradient, &gradients[0]);
}

static kael_status mean(const kael_graph_node *node, const kael_tensor *gradient,
                        kael_tensor **gradients) {
    const reduction *how = node->parameters;
    kael_tensor *share;
    KAEL_TRY(kael_div_scalar(&share, gradient, kael_scalar_float(how->count)));
    const kael_status status = repeat(node, share, &gradients[0]);
    kael_tensor_release(share);
    return status;
}

static const kael_tensor *total(kael_scratch *s, kael_reduction_function *function,
                                const kael_tensor *x, const reduction *how) {
    kael_tensor *made;
    return s->status != KAEL_OK
               ? NULL
               : kael_scratch_keep(s, function(&made, x, how->ndims, how->dims, true), &made);
}

static const kael_tensor *number(kael_scratch *s, kael_dtype dtype, double value) {
    kael_tensor *made;
    return s->status != KAEL_OK
               ? NULL
               : kael_scratch_keep(s, kael_tensor_full(&made, dtype, 0, NULL, value), &made);
}

static const kael_tensor *choose(kael_scratch *s, const kael_tensor *condition,
                                 const kael_tensor *a, const kael_tensor *b) {
    kael_tensor *made;
    return s->status != KAEL_OK ? NULL
                                : kael_scratch_keep(s, kael_where(&made, condition, a, b), &made);
}

/* The product of the other elements: nothing where there are two zeros, and with one zero only
 * there. */
static kael_status prod(const kael_graph_node *node, const kael_tensor *gradient,
                        kael_tensor **gradients) {
    const reduction *how = node->parameters;
    const kael_tensor *x = saved(node, INPUT);
    kael_scratch s = {0};
    const kael_tensor *zero = number(&s, x->dtype, 0);
    const kael_tensor *one = number(&s, x->dtype, 1);
    const kael_tensor *is_zero = kael_scratch_scalar(&s, kael_eq_scalar, x, 0);
    const kael_tensor *factors = choose(&s, is_zero, one, x);
    const kael_tensor *product = total(&s, kael_prod, factors, how);
    const kael_tensor *zeros = total(&s, kael_count_nonzero, is_zero, how);
    const kael_tensor *has_none = kael_scratch_scalar(&s, kael_eq_scalar, zeros, 0);
    const kael_tensor *has_one = kael_scratch_scalar(&s, kael_eq_scalar, zeros, 1);
    const kael_tensor *others = kael_scratch_binary(&s, kael_div, product, factors);
    const kael_tensor *at_zero = choose(&s, has_one, product, zero);
    const kael_tensor *elsewhere = choose(&s, has_none, others, zero);
    const kael_tensor *slope = choose(&s, is_zero, at_zero, elsewhere);
    return kael_scratch_finish(&s, &gradients[0],
                               kael_scratch_binary(&s, kael_mul, gradient, slope));
}

/* gradient * factor * (x - mean) / divisor, and 0 where a divisor is 0; a NULL divisor is 1. */
static kael_status spread(const kael_graph_node *node, const kael_tensor *gradient, double factor,
                          const kael_tensor *divisor, kael_tensor **out) {
    const kael_tensor *x = saved(node, INPUT);
    kael_scratch s = {0};
    const kael_tensor *centre = total(&s, kael_mean, x, node->parameters);
    const kael_tensor *distance = kael_scratch_binary(&s, kael_sub, x, centre);
    const kael_tensor *scaled = kael_scratch_scalar(&s, kael_mul_scalar, distance, factor);
    if (divisor != NULL) {
        const kael_tensor *zero = number(&s, x->dtype, 0);
        const kael_tensor *is_zero = kael_scratch_scalar(&s, kael_eq_scalar, divisor, 0);
        const kael_tensor *quotient = kael_scratch_binary(&s, kael_div, scaled, divisor);
        scaled = choose(&s, is_zero, zero, quotient);
    }
    return kael_scratch_finish(&s, out, kael_scratch_binary(&s, kael_mul, gradient, scaled));
}

static double freedom(const reduction *how) {
    return how->count > how->correction ? how->count - how->correction : 0;
}

static kael_status var(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    return spread(node, gradient, 2 / freedom(node->parameters), NULL, &gradients[0]);
}

static kael_status standard_deviation(const kael_graph_node *node, const kael_tensor *gradient,
                                      kael_tensor **gradients) {
    return spread(node, gradient, 1 / freedom(node->parameters), saved(node, RESULT),
                  &gradients[0]);
}

/* x / norm, and 0 where the norm is 0 */
static kael_status norm(const kael_graph_node *node, const kael_tensor *gradient,
                        kael_tensor **gradients) {
    const kael_tensor *x = saved(node, INPUT);
    const kael_tensor *length = saved(node, RESULT);
    kael_scratch s = {0};
    const kael_tensor *zero = number(&s, x->dtype, 0);
    const kael_tensor *is_zero = kael_scratch_scalar(&s, kael_eq_scalar, length, 0);
    const kael_tensor *quotient = kael_scratch_binary(&s, kael_div, x, length);
    const kael_tensor *slope = choose(&s, is_zero, zero, quotient);
    return kael_scratch_finish(&s, &gradients[0],
                               kael_scratch_binary(&s, kael_mul, gradient, slope));
}

static kael_status logsumexp(const kael_graph_node *node, const kael_tensor *gradient,
                             kael_tensor **gradients) {
    kael_scratch s = {0};
    const kael_tensor *below =
        kael_scratch_binary(&s, kael_sub, saved(node, INPUT), saved(node, RESULT));
    const kael_tensor *share = kael_scratch_unary(&s, kael_exp, below);
    return kael_scratch_finish(&s, &gradients[0],
                               kael_scratch_binary(&s, kael_mul, gradient, share));
}

/* All elements that are equal to the extremum share alike. */
static kael_status extremum(const kael_graph_node *node, const kael_tensor *gradient,
                            kael_tensor **gradients) {
    const kael_tensor *x = saved(node, INPUT);
    kael_scratch s = {0};
    const kael_tensor *is_taken = kael_scratch_binary(&s, kael_eq, x, saved(node, RESULT));
    const kael_tensor *count = total(&s, kael_count_nonzero, is_taken, node->parameters);
    kael_tensor *divisor = NULL;
    if (s.status == KAEL_OK) {
        kael_scratch_keep(&s, kael_tensor_to_dtype(&divisor, count, x->dtype), &divisor);
    }
    const kael_tensor *share = kael_scratch_binary(&s, kael_div, gradient, divisor);
    const kael_tensor *zero = number(&s, x->dtype, 0);
    return kael_scratch_finish(&s, &gradients[0], choose(&s, is_taken, share, zero));
}

typedef struct gradient_row {
    const kael_reduce_operation *operation;
    kael_gradient_rule rule;
    int saves; /* how many of INPUT and RESULT, which some need both */
} gradient_row;

static const gradient_row rows[] = {
    {&kael_reduce_sum, {"sum", sum}, 0},
    {&kael_reduce_mean, {"mean", mean}, 0},
    {&kael_reduce_prod, {"prod", prod}, 1},
    {&kael_reduce_var, {"var", var}, 1},
    {&kael_reduce_std, {"std", standard_deviation}, 2},
    {&kael_reduce_norm, {"norm", norm}, 2},
    {&kael_reduce_logsumexp, {"logsumexp", logsumexp}, 2},
    {&kael_reduce_max, {"max", extremum}, 2},
    {&kael_reduce_min, {"min", extremum}, 2},
};

static const gradient_row *find_row(const kael_reduce_operation *operation) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (rows[i].operation == operation) {
            return &rows[i];
        }
    }
    return NULL;
}

kael_status kael_reduce_record(kael_tensor *out, const kael_reduce_operation *operation,
                               const kael_tensor *tensor, const kael_reduced_dims *reduced,
                               double correction) {
    const gradient_row *row = find_row(operation);
    if (row == NULL) {
        return KAEL_OK;
    }
    reduction how = {.count = 1, .correction = correction};
    for (int64_t i = 0; i < tensor->ndim; ++i) {
        if (reduced->is_reduced[i]) {
            how.dims[how.ndims++] = i;
            how.count *= (double)tensor->sizes[i];
        }
    }
    return kael_graph_record(out, &(kael_recording){
                                      .rule = &row->rule,
                                      .input_count = 1,
                                      .inputs = &tensor,
                                      .saved_count = row->saves,
                                      .saved = (const kael_tensor *[]){tensor, out},
                                      .parameters = &how,
                                      .parameter_bytes = sizeof how,
                                  });
}
