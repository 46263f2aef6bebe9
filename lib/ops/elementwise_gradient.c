#include "ops/elementwise_gradient.h"

#include <stddef.h>

#include "core/error.h"
#include "kael/ops.h"
#include "ops/elementwise.h"
#include "ops/scratch.h"
#include "tensor/view.h"

/* What an operation saves for its gradients: its operands and its result. */
enum { A = 1, B = 2, C = 4, RESULT = 8 };

typedef struct gradient_row {
    kael_gradient_rule rule; /* the first member: a node's rule is part of its row */
    unsigned saves;
    int kernel; /* of the operation that multiplies by the derivative, where one kernel does it */
} gradient_row;

static const gradient_row *row_of(const kael_graph_node *node) {
    return (const gradient_row *)node->rule;
}

static const kael_tensor *saved(const kael_graph_node *node, unsigned which) {
    const int place = __builtin_popcount(row_of(node)->saves & (which - 1));
    return node->saved[place].tensor;
}

static bool wants(const kael_graph_node *node, int input) {
    return node->inputs[input].node != NULL;
}

/* Gives the gradient of one input from a function of two tensors. */
static kael_status give(const kael_graph_node *node, int input, kael_tensor **gradients,
                        kael_binary_function *function, const kael_tensor *a,
                        const kael_tensor *b) {
    return wants(node, input) ? function(&gradients[input], a, b) : KAEL_OK;
}

static void pass_on(const kael_graph_node *node, int input, const kael_tensor *gradient,
                    kael_tensor **gradients) {
    if (wants(node, input)) {
        gradients[input] = kael_tensor_share(gradient);
    }
}

/* ---- One operand ---- */

static kael_status by_kernel(const kael_graph_node *node, const kael_tensor *gradient,
                             kael_tensor **gradients) {
    return kael_elementwise(&gradients[0], &kael_binary_operations[row_of(node)->kernel],
                            (const kael_tensor *[]){gradient, node->saved[0].tensor});
}

static kael_status zeros(const kael_graph_node *node, const kael_tensor *gradient,
                         kael_tensor **gradients) {
    for (int64_t i = 0; i < node->input_count; ++i) {
        if (node->inputs[i].node != NULL) {
            KAEL_TRY(kael_tensor_zeros(&gradients[i], gradient->dtype, node->inputs[i].ndim,
                                       node->inputs[i].shape));
        }
    }
    return KAEL_OK;
}

static kael_status neg(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    (void)node;
    return kael_neg(&gradients[0], gradient);
}

static kael_status sin_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    kael_scratch s = {0};
    const kael_tensor *cosine = kael_scratch_unary(&s, kael_cos, saved(node, A));
    const kael_tensor *result = kael_scratch_binary(&s, kael_mul, gradient, cosine);
    return kael_scratch_finish(&s, &gradients[0], result);
}

static kael_status cos_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    kael_scratch s = {0};
    const kael_tensor *sine = kael_scratch_unary(&s, kael_sin, saved(node, A));
    const kael_tensor *product = kael_scratch_binary(&s, kael_mul, gradient, sine);
    return kael_scratch_finish(&s, &gradients[0], kael_scratch_unary(&s, kael_neg, product));
}

/* factor * exp(scale * x^2) */
static const kael_tensor *bell(kael_scratch *s, const kael_tensor *x, double scale, double factor) {
    const kael_tensor *square = kael_scratch_unary(s, kael_sqr, x);
    const kael_tensor *scaled = kael_scratch_scalar(s, kael_mul_scalar, square, scale);
    const kael_tensor *power = kael_scratch_unary(s, kael_exp, scaled);
    return kael_scratch_scalar(s, kael_mul_scalar, power, factor);
}

/* 2 / sqrt(pi) exp(-x^2) */
static kael_status erf_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    kael_scratch s = {0};
    const kael_tensor *slope = bell(&s, saved(node, A), -1, 1.1283791670955126);
    return kael_scratch_finish(&s, &gradients[0],
                               kael_scratch_binary(&s, kael_mul, gradient, slope));
}

static kael_status silu_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                 kael_tensor **gradients) {
    const kael_tensor *x = saved(node, A);
    kael_tensor *sigmoid;
    KAEL_TRY(kael_sigmoid(&sigmoid, x));
    const kael_status status =
        kael_elementwise(&gradients[0], &kael_ternary_operations[KAEL_TERNARY_silu_gradient],
                         (const kael_tensor *[]){gradient, x, sigmoid});
    kael_tensor_release(sigmoid);
    return status;
}

/* Phi(x) + x phi(x) with the normal distribution's Phi(x) = (1 + erf(x / sqrt(2))) / 2. */
static kael_status gelu_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                 kael_tensor **gradients) {
    kael_scratch s = {0};
    const kael_tensor *x = saved(node, A);
    const kael_tensor *scaled = kael_scratch_scalar(&s, kael_mul_scalar, x, 0.7071067811865476);
    const kael_tensor *twice = kael_scratch_unary(&s, kael_erf, scaled);
    const kael_tensor *shifted = kael_scratch_scalar(&s, kael_add_scalar, twice, 1);
    const kael_tensor *below = kael_scratch_scalar(&s, kael_mul_scalar, shifted, 0.5);
    const kael_tensor *density = bell(&s, x, -0.5, 0.3989422804014327);
    const kael_tensor *moved = kael_scratch_binary(&s, kael_mul, x, density);
    const kael_tensor *slope = kael_scratch_binary(&s, kael_add, below, moved);
    return kael_scratch_finish(&s, &gradients[0],
                               kael_scratch_binary(&s, kael_mul, gradient, slope));
}

/* y = x (1 + t) / 2 with t = tanh(k (x + c x^3)), k = sqrt(2 / pi), c = 0.044715, whose slope is
 * ((1 + t) + x (1 - t^2) k (1 + 3 c x^2)) / 2. */
static kael_status gelu_tanh_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                      kael_tensor **gradients) {
    const double k = 0.7978845608028654;
    const double c = 0.044715;
    kael_scratch s = {0};
    const kael_tensor *x = saved(node, A);
    const kael_tensor *square = kael_scratch_unary(&s, kael_sqr, x);
    const kael_tensor *cubic = kael_scratch_scalar(&s, kael_mul_scalar, square, k * c);
    const kael_tensor *inner = kael_scratch_scalar(&s, kael_add_scalar, cubic, k);
    const kael_tensor *argument = kael_scratch_binary(&s, kael_mul, x, inner);
    const kael_tensor *t = kael_scratch_unary(&s, kael_tanh, argument);
    const kael_tensor *steep = kael_scratch_scalar(&s, kael_mul_scalar, square, 3 * k * c);
    const kael_tensor *slope = kael_scratch_scalar(&s, kael_add_scalar, steep, k);
    const kael_tensor *moved = kael_scratch_binary(&s, kael_mul, x, slope);
    kael_tensor *bent = NULL;
    if (s.status == KAEL_OK) {
        const kael_status status =
            kael_elementwise(&bent, &kael_binary_operations[KAEL_BINARY_tanh_gradient],
                             (const kael_tensor *[]){moved, t});
        kael_scratch_keep(&s, status, &bent);
    }
    const kael_tensor *raised = kael_scratch_scalar(&s, kael_add_scalar, t, 1);
    const kael_tensor *sum = kael_scratch_binary(&s, kael_add, raised, bent);
    const kael_tensor *half = kael_scratch_scalar(&s, kael_mul_scalar, sum, 0.5);
    return kael_scratch_finish(&s, &gradients[0],
                               kael_scratch_binary(&s, kael_mul, gradient, half));
}

/* ---- Two and three operands ---- */

static kael_status add(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    pass_on(node, 0, gradient, gradients);
    pass_on(node, 1, gradient, gradients);
    return KAEL_OK;
}

static kael_status sub(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    pass_on(node, 0, gradient, gradients);
    return wants(node, 1) ? kael_neg(&gradients[1], gradient) : KAEL_OK;
}

static kael_status mul(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    KAEL_TRY(give(node, 0, gradients, kael_mul, gradient, saved(node, B)));
    return give(node, 1, gradients, kael_mul, gradient, saved(node, A));
}

static kael_status by_ternary(int kernel, kael_tensor **out, const kael_tensor *gradient,
                              const kael_tensor *b, const kael_tensor *c) {
    return kael_elementwise(out, &kael_ternary_operations[kernel],
                            (const kael_tensor *[]){gradient, b, c});
}

static kael_status divide(const kael_graph_node *node, const kael_tensor *gradient,
                          kael_tensor **gradients) {
    KAEL_TRY(give(node, 0, gradients, kael_div, gradient, saved(node, B)));
    return wants(node, 1) ? by_ternary(KAEL_TERNARY_div_by_gradient, &gradients[1], gradient,
                                       saved(node, RESULT), saved(node, B))
                          : KAEL_OK;
}

/* Each operand beside the other one, by the row's kernel. */
static kael_status extremum(const kael_graph_node *node, const kael_tensor *gradient,
                            kael_tensor **gradients) {
    const int kernel = row_of(node)->kernel;
    const kael_tensor *a = saved(node, A);
    const kael_tensor *b = saved(node, B);
    if (wants(node, 0)) {
        KAEL_TRY(by_ternary(kernel, &gradients[0], gradient, a, b));
    }
    return wants(node, 1) ? by_ternary(kernel, &gradients[1], gradient, b, a) : KAEL_OK;
}

/* a - b floor(a / b) */
static kael_status remainder_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                      kael_tensor **gradients) {
    pass_on(node, 0, gradient, gradients);
    if (!wants(node, 1)) {
        return KAEL_OK;
    }
    kael_scratch s = {0};
    const kael_tensor *quotient =
        kael_scratch_binary(&s, kael_floor_divide, saved(node, A), saved(node, B));
    const kael_tensor *product = kael_scratch_binary(&s, kael_mul, gradient, quotient);
    return kael_scratch_finish(&s, &gradients[1], kael_scratch_unary(&s, kael_neg, product));
}

/* `value` where the condition is false, else 0. */
static const kael_tensor *unless(kael_scratch *s, const kael_tensor *condition,
                                 const kael_tensor *value) {
    if (s->status != KAEL_OK) {
        return NULL;
    }
    kael_tensor *zero;
    kael_status status = kael_tensor_zeros(&zero, value->dtype, 0, NULL);
    if (kael_scratch_keep(s, status, &zero) == NULL) {
        return NULL;
    }
    kael_tensor *chosen;
    status = kael_where(&chosen, condition, zero, value);
    return kael_scratch_keep(s, status, &chosen);
}

/* b a^(b - 1), which is 0 for b = 0 */
static kael_status pow_by_base(const kael_graph_node *node, const kael_tensor *gradient,
                               kael_tensor **out) {
    kael_scratch s = {0};
    const kael_tensor *b = saved(node, B);
    const kael_tensor *less = kael_scratch_scalar(&s, kael_sub_scalar, b, 1);
    const kael_tensor *power = kael_scratch_binary(&s, kael_pow, saved(node, A), less);
    const kael_tensor *slope = kael_scratch_binary(&s, kael_mul, b, power);
    const kael_tensor *is_constant = kael_scratch_scalar(&s, kael_eq_scalar, b, 0);
    const kael_tensor *product = kael_scratch_binary(&s, kael_mul, gradient, slope);
    return kael_scratch_finish(&s, out, unless(&s, is_constant, product));
}

/* a^b log(a), which is 0 for a = 0 and b >= 0 */
static kael_status pow_by_exponent(const kael_graph_node *node, const kael_tensor *gradient,
                                   kael_tensor **out) {
    kael_scratch s = {0};
    const kael_tensor *a = saved(node, A);
    const kael_tensor *logarithm = kael_scratch_unary(&s, kael_log, a);
    const kael_tensor *slope = kael_scratch_binary(&s, kael_mul, saved(node, RESULT), logarithm);
    const kael_tensor *is_zero = kael_scratch_scalar(&s, kael_eq_scalar, a, 0);
    const kael_tensor *grows = kael_scratch_scalar(&s, kael_ge_scalar, saved(node, B), 0);
    const kael_tensor *is_flat = kael_scratch_binary(&s, kael_logical_and, is_zero, grows);
    const kael_tensor *product = kael_scratch_binary(&s, kael_mul, gradient, slope);
    return kael_scratch_finish(&s, out, unless(&s, is_flat, product));
}

static kael_status power(const kael_graph_node *node, const kael_tensor *gradient,
                         kael_tensor **gradients) {
    if (wants(node, 0)) {
        KAEL_TRY(pow_by_base(node, gradient, &gradients[0]));
    }
    return wants(node, 1) ? pow_by_exponent(node, gradient, &gradients[1]) : KAEL_OK;
}

static kael_status where(const kael_graph_node *node, const kael_tensor *gradient,
                         kael_tensor **gradients) {
    const kael_tensor *condition = saved(node, A);
    kael_scratch s = {0};
    if (wants(node, 2)) {
        KAEL_TRY(kael_scratch_finish(&s, &gradients[2], unless(&s, condition, gradient)));
    }
    if (!wants(node, 1)) {
        return KAEL_OK;
    }
    const kael_tensor *is_other = kael_scratch_unary(&s, kael_logical_not, condition);
    return kael_scratch_finish(&s, &gradients[1], unless(&s, is_other, gradient));
}

/* The operand where it was within the bounds, or the bound that was taken. */
static kael_status clamp(const kael_graph_node *node, const kael_tensor *gradient,
                         kael_tensor **gradients) {
    const kael_tensor *x = saved(node, A);
    const kael_tensor *result = saved(node, RESULT);
    if (wants(node, 0)) {
        KAEL_TRY(by_ternary(KAEL_TERNARY_equal_gradient, &gradients[0], gradient, x, result));
    }
    if (!wants(node, 1) && !wants(node, 2)) {
        return KAEL_OK;
    }
    kael_tensor *bound;
    KAEL_TRY(by_ternary(KAEL_TERNARY_unequal_gradient, &bound, gradient, x, result));
    kael_tensor *lower = NULL;
    kael_status status = KAEL_OK;
    if (wants(node, 2)) {
        status =
            by_ternary(KAEL_TERNARY_equal_gradient, &gradients[2], bound, saved(node, C), result);
    }
    if (status == KAEL_OK && wants(node, 1)) {
        status = by_ternary(KAEL_TERNARY_unequal_gradient, &lower, bound, saved(node, C), result);
        if (status == KAEL_OK) {
            status = by_ternary(KAEL_TERNARY_equal_gradient, &gradients[1], lower, saved(node, B),
                                result);
        }
    }
    kael_tensor_release(lower);
    kael_tensor_release(bound);
    return status;
}

static kael_status fma_gradient(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    pass_on(node, 2, gradient, gradients);
    return mul(node, gradient, gradients);
}

/* ---- The tables: operations that are not named have no gradient ---- */

#define UNARY(name, function, saves) [KAEL_UNARY_##name] = {{#name, function}, saves, 0},
#define BY_KERNEL(name, saves)                                                                     \
    [KAEL_UNARY_##name] = {{#name, by_kernel}, saves, KAEL_BINARY_##name##_gradient},
static const gradient_row unary_rows[KAEL_UNARY_COUNT] = {
    UNARY(neg, neg, 0) UNARY(sign, zeros, 0) UNARY(floor, zeros, 0) UNARY(ceil, zeros, 0)
        UNARY(round, zeros, 0) UNARY(trunc, zeros, 0) BY_KERNEL(abs, A) BY_KERNEL(sqr, A)
            BY_KERNEL(relu, RESULT) BY_KERNEL(recip, RESULT) BY_KERNEL(sqrt, RESULT)
                BY_KERNEL(rsqrt, RESULT) BY_KERNEL(exp, RESULT) BY_KERNEL(expm1, RESULT)
                    BY_KERNEL(log, A) BY_KERNEL(log1p, A) BY_KERNEL(tanh, RESULT)
                        BY_KERNEL(sigmoid, RESULT) UNARY(sin, sin_gradient, A)
                            UNARY(cos, cos_gradient, A) UNARY(erf, erf_gradient, A)
                                UNARY(silu, silu_gradient, A) UNARY(gelu, gelu_gradient, A)
                                    UNARY(gelu_tanh, gelu_tanh_gradient, A)};

#define BINARY(name, function, saves) [KAEL_BINARY_##name] = {{#name, function}, saves, 0},
static const gradient_row binary_rows[KAEL_BINARY_COUNT] = {
    BINARY(add, add, 0) BINARY(sub, sub, 0) BINARY(mul, mul, A | B) BINARY(div, divide, B | RESULT)
        BINARY(floor_divide, zeros, 0) BINARY(remainder, remainder_gradient, A | B) BINARY(
            pow, power, A | B | RESULT)[KAEL_BINARY_maximum] = {{"maximum", extremum},
                                                                A | B,
                                                                KAEL_TERNARY_maximum_gradient},
    [KAEL_BINARY_minimum] = {{"minimum", extremum}, A | B, KAEL_TERNARY_minimum_gradient},
};

#define TERNARY(name, function, saves) [KAEL_TERNARY_##name] = {{#name, function}, saves, 0},
static const gradient_row ternary_rows[KAEL_TERNARY_COUNT] = {TERNARY(where, where, A) TERNARY(
    clamp, clamp, A | B | C | RESULT) TERNARY(fma, fma_gradient, A | B)};

static const gradient_row *find_row(const kael_operation *operation) {
    switch (operation->inputs) {
    case 1:
        return &unary_rows[operation->number];
    case 2:
        return &binary_rows[operation->number];
    default:
        return &ternary_rows[operation->number];
    }
}

kael_status kael_elementwise_record(kael_tensor *out, const kael_operation *operation,
                                    const kael_tensor *const *inputs) {
    const gradient_row *row = find_row(operation);
    if (row->rule.function == NULL || out->dtype < KAEL_F16) {
        return KAEL_OK;
    }
    const kael_tensor *saves[KAEL_MAX_INPUTS + 1];
    int64_t count = 0;
    for (int i = 0; i < operation->inputs; ++i) {
        if ((row->saves & (1U << i)) != 0) {
            saves[count++] = inputs[i];
        }
    }
    if ((row->saves & RESULT) != 0) {
        saves[count++] = out;
    }
    return kael_graph_record(out, &(kael_recording){
                                      .rule = &row->rule,
                                      .input_count = operation->inputs,
                                      .inputs = inputs,
                                      .saved_count = count,
                                      .saved = saves,
                                  });
}
