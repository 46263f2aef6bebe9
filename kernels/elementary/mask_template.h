/* mask.h for one type. */

static inline BITS NAME(kael_mask)(bool condition) {
    return 0 - (BITS)condition;
}

/* Of numbers whose sign bit is set. */
static inline BITS NAME(kael_sign_mask)(T x) {
    return 0 - (TO_BITS(x) >> SIGN_SHIFT);
}

/* a where the mask is set, b where it is not. */
static inline T NAME(kael_choose)(BITS mask, T a, T b) {
    return FROM_BITS((TO_BITS(a) & mask) | (TO_BITS(b) & ~mask));
}

/* Without the bits of the mask. */
static inline T NAME(kael_clear)(BITS mask, T x) {
    return FROM_BITS(TO_BITS(x) & ~mask);
}

/* |x|, at most `bound`, which NaN becomes too. The integer minimum is no branch either. */
static inline T NAME(kael_magnitude)(T x, T bound) {
    const SIGNED_BITS bits = (SIGNED_BITS)(TO_BITS(x) & ~SIGN_BIT);
    const SIGNED_BITS most = (SIGNED_BITS)TO_BITS(bound);
    return FROM_BITS((BITS)(bits < most ? bits : most));
}

/* The value, or NaN if x is. */
static inline T NAME(kael_nan_of)(T x, T value) {
    return FROM_BITS(TO_BITS(value) | NAME(kael_mask)(x != x));
}
