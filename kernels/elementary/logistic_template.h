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
    T t = FABS(x);
    t = t > TANH_IS_ONE ? TANH_IS_ONE : t;
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(t + t, 0);
    const T s = NAME(kael_exp2_integer)(parts.n_bits);
    const NAME(kael_sum) p = NAME(kael_sum_ordered)(parts.high, NAME(kael_exp_tail)(parts));
    NAME(kael_sum) numerator = NAME(kael_sum_ordered)(s - 1, s * p.high);
    NAME(kael_sum) denominator = NAME(kael_sum_ordered)(s + 1, s * p.high);
    numerator.low = FMA(s, p.low, numerator.low);
    denominator.low = FMA(s, p.low, denominator.low);
    const T reciprocal = 1 / denominator.high;
    const T quotient = NAME(kael_quotient)(numerator, denominator, reciprocal);
    return COPYSIGN(t > TANH_IS_NEARLY_ONE ? FMA(-2, reciprocal, 1) : quotient, x);
}

/* factor sigmoid(x + x_low) for |x| <= LOGISTIC_IS_LINEAR and |x_low| of about a unit in the last
 * place of x. With e = exp(-|x|) it is factor / (1 + e), or factor e / (1 + e) if x < 0: then the
 * power of two in e is multiplied last. */
static inline T NAME(kael_logistic_product)(T factor, T x, T x_low) {
    const bool negative = x < 0;
    const NAME(kael_exp_parts) parts =
        NAME(kael_exp_split)(negative ? x : -x, negative ? x_low : -x_low);
    const NAME(kael_sum) p = NAME(kael_sum_ordered)(parts.high, NAME(kael_exp_tail)(parts));
    NAME(kael_sum) power = NAME(kael_sum_ordered)(1, p.high);
    power.low += p.low;

    const NAME(kael_exp2_steps) scale = NAME(kael_exp2_in_steps)(parts.n_bits);
    NAME(kael_sum) denominator = NAME(kael_sum_ordered)(1, power.high * scale.first * scale.second);
    denominator.low = FMA(power.low * scale.first, scale.second, denominator.low);

    NAME(kael_sum) numerator = NAME(kael_product)(factor, power.high);
    numerator.low = FMA(factor, power.low, numerator.low);
    numerator.high = negative ? numerator.high : factor;
    numerator.low = negative ? numerator.low : 0;
    const T quotient = NAME(kael_quotient)(numerator, denominator, 1 / denominator.high);
    return quotient * (negative ? scale.first : 1) * (negative ? scale.second : 1);
}

static inline T NAME(kael_clamp)(T x, T bound) {
    x = x < -bound ? -bound : x;
    return x > bound ? bound : x;
}

static inline T NAME(kael_sigmoid)(T x) {
    return NAME(kael_logistic_product)(1, NAME(kael_clamp)(x, LOGISTIC_IS_LINEAR), 0);
}

/* x sigmoid(x), -0 for -infinity. */
static inline T NAME(kael_silu)(T x) {
    const T near = NAME(kael_clamp)(x, LOGISTIC_IS_LINEAR);
    const T result = NAME(kael_logistic_product)(near, near, 0);
    return x > LOGISTIC_IS_LINEAR ? x : result;
}

/* x (1 + tanh(y)) / 2 for y = sqrt(2 / pi) (x + 0.044715 x^3), which is x sigmoid(2 y); -0 for
 * -infinity. */
static inline T NAME(kael_gelu_tanh)(T x) {
    const T near = NAME(kael_clamp)(x, GELU_TANH_IS_LINEAR);
    const NAME(kael_sum) square = NAME(kael_product)(near, near);
    const NAME(kael_sum) cubic = NAME(kael_product)(GELU_TANH_CUBIC, square.high);
    const T cubic_low =
        FMA(GELU_TANH_CUBIC, square.low, FMA(GELU_TANH_CUBIC_LOW, square.high, cubic.low));
    const NAME(kael_sum) slope = NAME(kael_sum_any)(GELU_TANH_FACTOR, cubic.high);
    const NAME(kael_sum) y = NAME(kael_product)(near, slope.high);
    const T y_low = FMA(near, slope.low + (cubic_low + GELU_TANH_FACTOR_LOW), y.low);
    const T result = NAME(kael_logistic_product)(near, y.high, y_low);
    return x > GELU_TANH_IS_LINEAR ? x : result;
}
