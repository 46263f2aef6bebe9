/* erf.h for one type. Beyond the type's vocabulary the includer defines MILLS_CENTER, the c of the
 * polynomial, and GELU_IS_LINEAR, where gelu(x) rounds to x, and to -0 at minus this. */

/* exp(t^2 / 2) erfc(t / sqrt(2)) / 2 for t >= 0, as ratio (1 + error). */
static inline T NAME(kael_mills_ratio)(T t, T *error) {
    const T sum = t + MILLS_CENTER;
    const T reciprocal = 1 / sum;
    *error = FMA(-sum, reciprocal, 1);
    return NAME(kael_mills_polynomial)(FMA(t + t, reciprocal, -1)) * reciprocal;
}

/* x (1 + erf(x / sqrt(2))) / 2, -0 for -infinity. With t = |x| and h = erfc(t / sqrt(2)) / 2 it is
 * x - x h, or x h if x < 0: then the power of two in h is multiplied last. */
static inline T NAME(kael_gelu)(T x) {
    const T t = NAME(kael_magnitude)(x, GELU_IS_LINEAR);
    const T s = t * t;
    const T half = (T)0.5;
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(-half * s, -half * FMA(t, t, -s));
    T error;
    const T mills = NAME(kael_mills_ratio)(t, &error);
    const T h = FMA(mills, parts.high + (NAME(kael_exp_tail)(parts) + error), mills);
    const NAME(kael_exp2_steps) scale = NAME(kael_exp2_in_steps)(parts.n_bits);
    const T product = t * h * scale.first * scale.second;
    /* x, or -0 if it is negative */
    const T linear = NAME(kael_clear)(NAME(kael_sign_mask)(x) & ~SIGN_BIT, x);
    return linear - product;
}
