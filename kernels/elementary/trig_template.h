/* trig.h for one type. Beyond the type's vocabulary the includer defines TWO_OVER_PI, HALF_PI_1, _2
 * and _3, which sum to pi / 2, and MOST_TRIG_ARGUMENT, up to which they are precise enough. */

/* The angle of 0 <= t <= MOST_TRIG_ARGUMENT (Cody and Waite). n HALF_PI_1 is subtracted exactly. */
static inline NAME(kael_angle) NAME(kael_near_angle)(T t) {
    const T shifted = FMA(t, TWO_OVER_PI, SHIFT);
    const T n = shifted - SHIFT;
    const T rest = FMA(-n, HALF_PI_1, t);
    const T second = n * HALF_PI_2;
    const T second_low = FMA(n, HALF_PI_2, -second);
    NAME(kael_angle) angle;
    angle.quadrant = TO_BITS(shifted);
    angle.high = rest - second;
    angle.low = FMA(-n, HALF_PI_3, ((rest - angle.high) - second) - second_low);
    return angle;
}

/* sin(x), or cos(x), for the angle of |x|. */
static inline T NAME(kael_trig_of_angle)(T x, NAME(kael_angle) angle, bool is_cosine) {
    const T z = angle.high * angle.high;
    const T sine = angle.high + FMA(angle.high * z, NAME(kael_sin_polynomial)(z), angle.low);
    const T half = (T)0.5 * z;
    const T leading = 1 - half;
    const T rest = FMA(z * z, NAME(kael_cos_polynomial)(z), -angle.high * angle.low);
    const T cosine = leading + (((1 - leading) - half) + rest);
    const BITS quadrant = angle.quadrant + is_cosine;
    const T result = (quadrant & 1) != 0 ? cosine : sine;
    const BITS sign = is_cosine ? 0 : TO_BITS(x) & SIGN_BIT;
    const BITS turn = (quadrant & 2) != 0 ? SIGN_BIT : 0;
    return FROM_BITS(TO_BITS(result) ^ sign ^ turn);
}

/* Right for |x| <= MOST_TRIG_ARGUMENT; without branches. */
static inline T NAME(kael_trig_near)(T x, bool is_cosine) {
    return NAME(kael_trig_of_angle)(x, NAME(kael_near_angle)(FABS(x)), is_cosine);
}

static inline T NAME(kael_trig)(T x, bool is_cosine) {
    return FABS(x) <= MOST_TRIG_ARGUMENT ? NAME(kael_trig_near)(x, is_cosine)
                                         : (T)kael_trig_huge((double)x, is_cosine);
}

static KAEL_ALWAYS_INLINE void NAME(kael_trig_map)(int64_t count, const T *in, T *out,
                                                   bool is_cosine) {
    T results[KAEL_TRIG_BLOCK];
    for (int64_t begin = 0; begin < count; begin += KAEL_TRIG_BLOCK) {
        const int64_t size = count - begin < KAEL_TRIG_BLOCK ? count - begin : KAEL_TRIG_BLOCK;
        const T *x = in + begin;
        BITS most = 0;
        for (int64_t i = 0; i < size; ++i) {
            const BITS magnitude = TO_BITS(x[i]) & ~SIGN_BIT;
            most = magnitude > most ? magnitude : most;
            results[i] = NAME(kael_trig_near)(x[i], is_cosine);
        }
        if (most > TO_BITS(MOST_TRIG_ARGUMENT)) {
            for (int64_t i = 0; i < size; ++i) {
                results[i] = NAME(kael_trig)(x[i], is_cosine);
            }
        }
        memcpy(out + begin, results, (size_t)size * sizeof *results);
    }
}

static inline T NAME(kael_sin)(T x) {
    return NAME(kael_trig)(x, false);
}

static inline T NAME(kael_cos)(T x) {
    return NAME(kael_trig)(x, true);
}

/* out[i] = sin(in[i]) at the speed of vectors unless arguments are huge; out may be in. */
static inline void NAME(kael_sin_map)(int64_t count, const T *in, T *out) {
    NAME(kael_trig_map)(count, in, out, false);
}

static inline void NAME(kael_cos_map)(int64_t count, const T *in, T *out) {
    NAME(kael_trig_map)(count, in, out, true);
}
