/* exp.h for one type. Beyond the type's vocabulary the includer defines LOG2_E, LN2_HIGH (n times
 * it is exact for the n that occur) and LN2_LOW with LN2_HIGH + LN2_LOW = ln 2, LEAST_EXP_ARGUMENT,
 * MOST_EXP_ARGUMENT, beyond which exp is 0 and infinite, and, for subnormal results, LIFT and
 * LEAST_UNLIFTED. */

/* exp(x) = 2^n exp(high + low). */
typedef struct NAME(kael_exp_parts) {
    T n;
    BITS n_bits;     /* in two's complement */
    BITS n_exponent; /* moved to the place of the exponent */
    T high;          /* x - n LN2_HIGH, exactly */
    T low;
    T r; /* high + low, rounded */
} NAME(kael_exp_parts);

/* The parts of exp(x + x_low) for |x_low| of at most about a unit in the last place of x. */
static inline NAME(kael_exp_parts) NAME(kael_exp_split)(T x, T x_low) {
    NAME(kael_exp_parts) parts;
    const T shifted = FMA(x, LOG2_E, SHIFT);
    parts.n = shifted - SHIFT;
    parts.n_bits = TO_BITS(shifted) - TO_BITS(SHIFT);
    parts.n_exponent = TO_BITS(shifted) << FRACTION_BITS; /* nothing of SHIFT stays */
    parts.high = FMA(parts.n, -LN2_HIGH, x);
    parts.low = FMA(parts.n, -LN2_LOW, x_low);
    parts.r = parts.high + parts.low;
    return parts;
}

/* exp(high + low) - 1 - high */
static inline T NAME(kael_exp_tail)(NAME(kael_exp_parts) parts) {
    return FMA(parts.r * parts.r, NAME(kael_exp_polynomial)(parts.r), parts.low);
}

/* 2^n for a normal result; n in two's complement. */
static inline T NAME(kael_exp2_integer)(BITS n_bits) {
    return FROM_BITS((n_bits + EXPONENT_BIAS) << FRACTION_BITS);
}

/* 2^n = first second, for any n that exp has: a product with `first` is normal, so that one with
 * `second` rounds once. */
typedef struct NAME(kael_exp2_steps) {
    T first;
    T second;
} NAME(kael_exp2_steps);

static inline NAME(kael_exp2_steps) NAME(kael_exp2_in_steps)(BITS n_bits) {
    const BITS biased = n_bits + 2 * EXPONENT_BIAS;
    NAME(kael_exp2_steps) steps;
    steps.first = FROM_BITS((biased >> 1) << FRACTION_BITS);
    steps.second = FROM_BITS((biased - (biased >> 1)) << FRACTION_BITS);
    return steps;
}

/* exp(x) = 2^n exp(r) with n = round(x / ln 2), r = x - n ln 2 and exp(r) = 1 + r + r^2 q(r).
 *
 * n LN2_HIGH is subtracted exactly and the rest joins the sum late, so that only the two final
 * additions round at full size. A result that vanishes is computed as that of 0 and then cleared.
 *
 * Processors take a slow path when a product is subnormal, so tiny results never are products: they
 * are computed in units of the smallest subnormal number, LIFT binary orders higher. There,
 * adding a power of two rounds to the integer that is a subnormal result's bits, and a normal
 * result needs its exponent lowered. 2^n is doubled last because the largest one is no number. */
static inline T NAME(kael_exp)(T x) {
    const T first_normal = FROM_BITS((BITS)(EXPONENT_BIAS + FRACTION_BITS) << FRACTION_BITS);
    const BITS vanishes = NAME(kael_mask)(x < LEAST_EXP_ARGUMENT);
    const T finite = x > MOST_EXP_ARGUMENT ? MOST_EXP_ARGUMENT : x;
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(NAME(kael_clear)(vanishes, finite), 0);
    const T tail = FMA(parts.r * parts.r, NAME(kael_exp_short_polynomial)(parts.r), parts.low);
    const T power = 1 + (parts.high + tail);
    const BITS tiny = NAME(kael_mask)(parts.n < LEAST_UNLIFTED);
    const BITS lift = tiny & LIFT;
    const T half = power * NAME(kael_exp2_integer)(parts.n_bits + lift - 1);
    const T lifted = half + half;
    const BITS normal = TO_BITS(lifted) - (lift << FRACTION_BITS);
    const BITS subnormal = TO_BITS(lifted + first_normal) - TO_BITS(first_normal);
    const BITS is_subnormal = tiny & NAME(kael_mask)(lifted < first_normal);
    const BITS result = (subnormal & is_subnormal) | (normal & ~is_subnormal);
    return FROM_BITS(result & ~vanishes);
}

/* exp(x), with the same bits, where KAEL_LEAST_MODERATE < x <= 0 or x is NaN: the result is normal,
 * so that one product scales it. */
static inline T NAME(kael_exp_moderate)(T x) {
    const NAME(kael_exp_parts) parts = NAME(kael_exp_split)(x, 0);
    const T tail = FMA(parts.r * parts.r, NAME(kael_exp_short_polynomial)(parts.r), parts.low);
    return (1 + (parts.high + tail)) * NAME(kael_exp2_integer)(parts.n_bits);
}

/* 2^n (1 + high + tail) - 1, computed as half of it so that the largest power of two is a number.
 * The sum 2^n - 1 + 2^n high keeps its rounding error; so does r, whose square is the greater part
 * of the tail. */
static inline T NAME(kael_expm1)(T x) {
    const BITS vanishes = NAME(kael_mask)(x < LEAST_EXPM1_ARGUMENT);
    const T finite = x > MOST_EXP_ARGUMENT ? MOST_EXP_ARGUMENT : x;
    NAME(kael_exp_parts) parts = NAME(kael_exp_split)(NAME(kael_clear)(vanishes, finite), 0);
    parts.low = FMA((parts.high - parts.r) + parts.low, parts.r, parts.low);
    const T scale = NAME(kael_exp2_integer)(parts.n_bits - 1);
    const T leading = scale - (T)0.5;
    const T scaled = scale * parts.high;
    const T sum = leading + scaled;
    const T lost = ((scale - leading) - (T)0.5) + ((leading - sum) + scaled);
    const T half = sum + FMA(scale, NAME(kael_exp_tail)(parts), lost);
    const T tiny = (T)1 / (T)((BITS)4 << FRACTION_BITS);
    const T result = half + half + FROM_BITS(vanishes & TO_BITS(-1));
    return FABS(x) < tiny ? x : result;
}
