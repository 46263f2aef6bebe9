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

/* A subnormal number is scaled first. */
static inline T NAME(kael_log)(T x) {
    const bool subnormal = x < LEAST_NORMAL;
    const NAME(kael_log_parts) parts =
        NAME(kael_log_split)(subnormal ? x * (T)((BITS)1 << FRACTION_BITS) : x);
    const T k = parts.k - (subnormal ? (T)FRACTION_BITS : 0);
    const T result = FMA(k, LN2_HEAD, parts.f + NAME(kael_log_tail)(k, parts.f, 0));
    const T special = x == 0 ? (T)-INFINITY : x > 0 ? (T)INFINITY : (T)NAN;
    return x > 0 && x < (T)INFINITY ? result : special;
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
    const T special = y == 0 ? (T)-INFINITY : y > 0 ? (T)INFINITY : (T)NAN;
    const T finite = y > 0 && y < (T)INFINITY ? result : special;
    return x == 0 ? x : finite;
}
