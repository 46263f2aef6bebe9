/* log.h for one type. Beyond the type's vocabulary the includer defines LOG_SPLIT, the bits of the
 * least 1 + f, and LN2_HEAD, the leading bits of ln 2. */

/* A normal number 2^k (1 + f). */
typedef struct NAME(kael_log_parts) {
    BITS biased; /* k and twice the bias: the distance of the number's bits from LOG_SPLIT */
    T k;
    T f;
} NAME(kael_log_parts);

static inline NAME(kael_log_parts) NAME(kael_log_split)(T x) {
    const BITS bias = EXPONENT_BIAS + 1;
    const BITS bits = TO_BITS(x);
    NAME(kael_log_parts) parts;
    parts.biased = (bits + (bias << FRACTION_BITS) - LOG_SPLIT) >> FRACTION_BITS;
    parts.k = NAME(kael_small_integer)(parts.biased) - (T)bias;
    parts.f = FROM_BITS(bits - ((parts.biased - bias) << FRACTION_BITS)) - 1;
    return parts;
}

/* log(x) for any x where `result` is right for positive finite ones. */
static inline T NAME(kael_log_or_special)(T x, T result) {
    const BITS is_positive = NAME(kael_mask)(x < (T)INFINITY);
    const BITS is_zero = NAME(kael_mask)(x == 0);
    const BITS is_negative = NAME(kael_mask)(x < 0);
    const T extended = NAME(kael_choose)(is_positive, result, x);
    const T with_zero = NAME(kael_choose)(is_zero, -(T)INFINITY, extended);
    return FROM_BITS(TO_BITS(with_zero) | is_negative);
}

/* A subnormal number is scaled first. */
static inline T NAME(kael_log)(T x) {
    const bool subnormal = x < LEAST_NORMAL;
    const NAME(kael_log_parts) parts =
        NAME(kael_log_split)(subnormal ? x * (T)((BITS)1 << FRACTION_BITS) : x);
    const T k = parts.k - (subnormal ? (T)FRACTION_BITS : 0);
    const T result = FMA(k, LN2_HEAD, parts.f + NAME(kael_log_tail)(k, parts.f, 0));
    return NAME(kael_log_or_special)(x, result);
}

/* With k or f small, k LN2_HEAD + f keeps its rounding error, which counts where the two cancel.
 * c / y = c 2^-k / (1 + f), for which an inverse of 1 + f to five bits will do. */
static inline T NAME(kael_log1p)(T x) {
    const T y = 1 + x;
    const T lost = x < 1 ? x - (y - 1) : 1 - (y - x);
    const NAME(kael_log_parts) parts = NAME(kael_log_split)(y);
    /* 4 2^-k, a normal number for every k. */
    const BITS exponent = 2 * EXPONENT_BIAS + 3 - parts.biased;
    const T scaled = lost * FROM_BITS(exponent << FRACTION_BITS);
    const T inverse = FMA(FMA((T)0.9, parts.f, -1), parts.f, 1);
    const T low = scaled * ((T)0.25 * inverse);
    const T tail = NAME(kael_log_tail)(parts.k, parts.f, low);
    const T sum = FMA(parts.k, LN2_HEAD, parts.f);
    const T sum_low = FMA(parts.k, LN2_HEAD, -sum) + parts.f;
    const T result = sum + (sum_low + tail);
    return NAME(kael_choose)(NAME(kael_mask)(x == 0), x, NAME(kael_log_or_special)(y, result));
}
