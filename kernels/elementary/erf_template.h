/* erf.h for one type. Beyond the type's vocabulary the includer defines TAIL_LIFT, and
 * GELU_IS_LINEAR, where gelu(x) rounds to x, and to -0 at minus this. */

/* 2^TAIL_LIFT factor erfc(t / sqrt(2)) / 2, for s + s_low = -t^2 / 2: lifted so that it is a normal
 * number wherever the factor is none or more than the least one. */
static inline T NAME(kael_lifted_tail)(T factor, T t, T s, T s_low) {
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(s, s_low);
    const T r = parts.r;
    const T growth = FMA(r * r, NAME(kael_exp_short_polynomial)(r), r);
    const T lifted = NAME(kael_lifted_mills)(factor, t, growth);
    return FROM_BITS(TO_BITS(lifted) + parts.n_exponent);
}

/* x (1 + erf(x / sqrt(2))) / 2, -0 for -infinity. With t = |x| and h = erfc(t / sqrt(2)) / 2 it is
 * x - t h, or -t h if x < 0. */
static inline T NAME(kael_gelu)(T x) {
    const T t = NAME(kael_magnitude)(x, GELU_IS_LINEAR);
    const T minus_half = (T)-0.5 * t;
    const T s = minus_half * t;
    const T lifted = NAME(kael_lifted_tail)(t, t, s, FMA(minus_half, t, -s));
    const T unlift = NAME(kael_exp2_integer)((BITS)-TAIL_LIFT);
    /* x, or -0 if it is negative. Not by ?:, of which clang 14 makes a maximum that turns 0 to -0.
     */
    const T linear = NAME(kael_clear)(NAME(kael_mask)(x < 0) & ~SIGN_BIT, x);
    return FMA(-unlift, lifted, linear);
}
