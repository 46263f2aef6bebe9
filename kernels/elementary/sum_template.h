/* sum.h for one type. */

/* A number as the unevaluated sum of its rounded value and the rest. */
typedef struct NAME(kael_sum) {
    T high;
    T low;
} NAME(kael_sum);

/* a + b for |a| >= |b| or a = 0. */
static inline NAME(kael_sum) NAME(kael_sum_ordered)(T a, T b) {
    NAME(kael_sum) sum;
    sum.high = a + b;
    sum.low = (a - sum.high) + b;
    return sum;
}

static inline NAME(kael_sum) NAME(kael_sum_any)(T a, T b) {
    NAME(kael_sum) sum;
    sum.high = a + b;
    const T b_part = sum.high - a;
    sum.low = (a - (sum.high - b_part)) + (b - b_part);
    return sum;
}

static inline NAME(kael_sum) NAME(kael_product)(T a, T b) {
    NAME(kael_sum) product;
    product.high = a * b;
    product.low = FMA(a, b, -product.high);
    return product;
}
