/* logistic.h for one type. Beyond the type's vocabulary the includer defines
 *   TANH_IS_ONE          a number from which on tanh rounds to 1
 *   TANH_IS_NEARLY_ONE   a number from which on 1 - tanh needs not be precise
 *   LOGISTIC_IS_LINEAR   sigmoid(x) rounds to 1 here, and x sigmoid(x) to -0 at minus this
 *   GELU_TANH_IS_LINEAR  likewise for gelu_tanh
 *   GELU_TANH_FACTOR, GELU_TANH_CUBIC  2 sqrt(2 / pi) and 0.044715 times that; *_LOW their rests */

/* a / b rounded, with 1 / b.high at hand. */
static inline T NAME(kael_quotient)(NAME(kael_sum) a, NAME(kael_sum) b, T reciprocal) {
    const T quotient = a.high * reciprocal;
    const T rest = FMA(-quotient, b.high, a.high) + FMA(-quotient, b.low, a.low);
    return FMA(rest, reciprocal, quotient);
}

/* tanh(t) = (exp(2t) - 1) / (exp(2t) + 1) for t = |x|, where exp(2t) = s (1 + p). Where s is too
 * large for s - 1 and s + 1 to be exact, it is 1 - 2 / (exp(2t) + 1). */
static inline T NAME(kael_tanh)(T x) {
    const T t = NAME(kael_magnitude)(x, TANH_IS_ONE);
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(t + t, 0);
    const T s = NAME(kael_exp2_integer)(parts.n_bits);
    const NAME(kael_sum) p = NAME(kael_sum_ordered)(parts.high, NAME(kael_exp_tail)(parts));
    NAME(kael_sum) numerator = NAME(kael_sum_ordered)(s - 1, s * p.high);
    NAME(kael_sum) denominator = NAME(kael_sum_ordered)(s + 1, s * p.high);
    numerator.low = FMA(s, p.low, numerator.low);
    denominator.low = FMA(s, p.low, denominator.low);
    const T reciprocal = 1 / denominator.high;
    const T quotient = NAME(kael_quotient)(numerator, denominator, reciprocal);
    const T result = t > TANH_IS_NEARLY_ONE ? FMA(-2, reciprocal, 1) : quotient;
    return NAME(kael_nan_of)(x, COPYSIGN(result, x));
}

/* sigmoid(x) = numerator / denominator * scale. */
typedef struct NAME(kael_logistic_parts) {
    NAME(kael_sum) numerator;
    NAME(kael_sum) denominator;
    T scale;
} NAME(kael_logistic_parts);

/* For t + t_low = |x|, t <= LOGISTIC_IS_LINEAR, and the sign of x as a mask. With e = exp(-|x|) the
 * sigmoid is 1 / (1 + e), or e / (1 + e) if x < 0: then a part of the power of two in e is left to
 * be multiplied last. */
static inline NAME(kael_logistic_parts) NAME(kael_logistic_split)(T t, T t_low, BITS negative) {
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(-t, -t_low);
    const NAME(kael_exp2_steps) scale = NAME(kael_exp2_in_steps)(parts.n_bits);
    const NAME(kael_sum) p = NAME(kael_sum_ordered)(parts.high, NAME(kael_exp_tail)(parts));
    NAME(kael_sum) power = NAME(kael_sum_ordered)(1, p.high);
    power.low = (power.low + p.low) * scale.first;
    power.high *= scale.first;

    NAME(kael_logistic_parts) sigmoid;
    sigmoid.numerator.high = NAME(kael_choose)(negative, power.high, 1);
    sigmoid.numerator.low = NAME(kael_clear)(~negative, power.low);
    sigmoid.denominator = NAME(kael_sum_ordered)(1, power.high * scale.second);
    sigmoid.denominator.low = FMA(power.low, scale.second, sigmoid.denominator.low);
    sigmoid.scale = NAME(kael_choose)(negative, scale.second, 1);
    return sigmoid;
}

static inline T NAME(kael_logistic_quotient)(NAME(kael_sum) numerator,
                                             NAME(kael_logistic_parts) sigmoid) {
    const T reciprocal = 1 / sigmoid.denominator.high;
    return NAME(kael_quotient)(numerator, sigmoid.denominator, reciprocal) * sigmoid.scale;
}

static inline T NAME(kael_sigmoid)(T x) {
    const T t = NAME(kael_magnitude)(x, LOGISTIC_IS_LINEAR);
    const NAME(kael_logistic_parts) sigmoid =
        NAME(kael_logistic_split)(t, 0, NAME(kael_sign_mask)(x));
    return NAME(kael_nan_of)(x, NAME(kael_logistic_quotient)(sigmoid.numerator, sigmoid));
}

/* factor sigmoid(x) */
static inline T NAME(kael_logistic_product)(T factor, NAME(kael_logistic_parts) sigmoid) {
    NAME(kael_sum) numerator = NAME(kael_product)(factor, sigmoid.numerator.high);
    numerator.low = FMA(factor, sigmoid.numerator.low, numerator.low);
    return NAME(kael_logistic_quotient)(numerator, sigmoid);
}

/* x sigmoid(x), -0 for -infinity. */
static inline T NAME(kael_silu)(T x) {
    const T t = NAME(kael_magnitude)(x, LOGISTIC_IS_LINEAR);
    const NAME(kael_logistic_parts) sigmoid =
        NAME(kael_logistic_split)(t, 0, NAME(kael_sign_mask)(x));
    const T result = NAME(kael_logistic_product)(t, sigmoid);
    return x <= LOGISTIC_IS_LINEAR ? COPYSIGN(result, x) : x;
}

/* x (1 + tanh(y)) / 2 for y = sqrt(2 / pi) (x + 0.044715 x^3), which is x sigmoid(2 y); -0 for
 * -infinity. */
static inline T NAME(kael_gelu_tanh)(T x) {
    const T t = NAME(kael_magnitude)(x, GELU_TANH_IS_LINEAR);
    const NAME(kael_sum) square = NAME(kael_product)(t, t);
    const NAME(kael_sum) cubic = NAME(kael_product)(GELU_TANH_CUBIC, square.high);
    const T cubic_low =
        FMA(GELU_TANH_CUBIC, square.low, FMA(GELU_TANH_CUBIC_LOW, square.high, cubic.low));
    const NAME(kael_sum) slope = NAME(kael_sum_any)(GELU_TANH_FACTOR, cubic.high);
    const NAME(kael_sum) y = NAME(kael_product)(t, slope.high);
    const T y_low = FMA(t, slope.low + (cubic_low + GELU_TANH_FACTOR_LOW), y.low);
    const NAME(kael_logistic_parts) sigmoid =
        NAME(kael_logistic_split)(y.high, y_low, NAME(kael_sign_mask)(x));
    const T result = NAME(kael_logistic_product)(t, sigmoid);
    return x <= GELU_TANH_IS_LINEAR ? COPYSIGN(result, x) : x;
}
