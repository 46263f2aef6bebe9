/* The parts of pow.h that both types have. */

static inline T NAME(kael_pow_clamp)(T x, T bound) {
    x = x < -bound ? -bound : x;
    return x > bound ? bound : x;
}

/* The logarithm of base >= 0 where `finite` is right for positive finite numbers. */
static inline T NAME(kael_pow_log_or_limit)(T base, T finite) {
    const T positive = base < (T)INFINITY ? finite : base;
    return base == 0 ? (T)-INFINITY : positive;
}

/* x^y for |x|^y, which may be anything where x is 1 or y is 0. */
static inline T NAME(kael_pow_of_magnitude)(T x, T y, T magnitude) {
    const T half = (T)0.5 * y;
    const bool integer = FLOOR(y) == y;
    const bool odd = integer & (FLOOR(half) != half);
    const BITS sign = odd ? TO_BITS(x) & SIGN_BIT : 0;
    const T result = FROM_BITS(TO_BITS(magnitude) ^ sign);
    const bool real = !(x < 0) | integer | (x == -(T)INFINITY);
    const T real_result = real ? result : (T)NAN;
    const bool one = (x == 1) | (y == 0);
    return one ? 1 : real_result;
}
