/* The parts of pow.h that both types have. */

/* The logarithm of base >= 0 where `finite` is right for positive finite numbers. */
static inline T NAME(kael_pow_log_or_limit)(T base, T finite) {
    const BITS is_finite = NAME(kael_mask)(base < (T)INFINITY);
    const T positive = NAME(kael_choose)(is_finite, finite, base);
    return NAME(kael_choose)(NAME(kael_mask)(base == 0), -(T)INFINITY, positive);
}

/* x^y for |x|^y, which may be anything where x is 1, y is 0 or one of them NaN. */
static inline T NAME(kael_pow_of_magnitude)(T x, T y, T magnitude) {
    const T half = (T)0.5 * y;
    const bool integer = FLOOR(y) == y;
    const BITS odd = NAME(kael_mask)(integer & (FLOOR(half) != half));
    const BITS signed_bits = TO_BITS(magnitude) ^ (TO_BITS(x) & odd & SIGN_BIT);
    const bool no_root = (x < 0) & !integer & (x > -(T)INFINITY);
    const BITS is_nan = NAME(kael_mask)(no_root | (x != x) | (y != y));
    const BITS one = NAME(kael_mask)((x == 1) | (y == 0));
    return NAME(kael_choose)(one, 1, FROM_BITS(signed_bits | is_nan));
}
