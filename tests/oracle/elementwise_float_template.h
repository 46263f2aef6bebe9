/* The operations on numbers of type T, included by elementwise_oracle.c for float and double. F(f)
 * is the C library's f for the type, E(f) that of kernels/elementary.h. */

static T NAME(larger)(T a, T b) {
    if (isnan(a) || isnan(b)) {
        return (T)NAN;
    }
    if (a == b) {
        return signbit(a) ? b : a;
    }
    return a > b ? a : b;
}

static T NAME(smaller)(T a, T b) {
    return -NAME(larger)(-a, -b);
}

/* Python's: the sign of the divisor. */
static T NAME(modulo)(T a, T b) {
    const T rest = F(fmod)(a, b);
    if (isnan(rest)) {
        return rest;
    }
    if (rest == 0) {
        return F(copysign)(0, b);
    }
    return signbit(rest) == signbit(b) ? rest : rest + b;
}

static T NAME(floor_quotient)(T a, T b) {
    if (b == 0) {
        return a / b;
    }
    const T rest = F(fmod)(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && signbit(rest) != signbit(b)) {
        quotient -= 1;
    }
    if (quotient == 0) {
        return F(copysign)(0, a / b);
    }
    const T floored = F(floor)(quotient);
    return quotient - floored > (T)0.5 ? floored + 1 : floored;
}

static T NAME(unary)(int number, T x) {
    switch (number) {
    case KAEL_UNARY_neg:
        return -x;
    case KAEL_UNARY_abs:
        return F(fabs)(x);
    case KAEL_UNARY_sign:
        return isnan(x) ? x : (T)((x > 0) - (x < 0));
    case KAEL_UNARY_sqr:
        return x * x;
    case KAEL_UNARY_relu:
        return x <= 0 ? 0 : x;
    case KAEL_UNARY_floor:
        return F(floor)(x);
    case KAEL_UNARY_ceil:
        return F(ceil)(x);
    case KAEL_UNARY_round:
        return F(nearbyint)(x);
    case KAEL_UNARY_trunc:
        return F(trunc)(x);
    case KAEL_UNARY_recip:
        return 1 / x;
    case KAEL_UNARY_sqrt:
        return F(sqrt)(x);
    case KAEL_UNARY_rsqrt:
        return 1 / F(sqrt)(x);
#define CASE_MAPPED(name)                                                                          \
    case KAEL_UNARY_##name:                                                                        \
        return E(name)(x);
        KAEL_UNARY_OPERATIONS(CASE_OF_RULE)
#undef CASE_MAPPED
    default:
        return unknown_operation(number);
    }
}

/* The gradient g of the result times the derivative, at the saved operand or result s. */
static T NAME(unary_gradient)(int number, T g, T s) {
    const T direction = (T)((s > 0) - (s < 0));
    switch (number) {
    case KAEL_BINARY_sqr_gradient:
        return g * (s + s);
    case KAEL_BINARY_abs_gradient:
        return g * (s != s ? s : direction);
    case KAEL_BINARY_relu_gradient:
        return s <= 0 ? 0 : g;
    case KAEL_BINARY_recip_gradient:
        return -g * (s * s);
    case KAEL_BINARY_sqrt_gradient:
        return g / (s + s);
    case KAEL_BINARY_rsqrt_gradient:
        return g * (s * (s * s) / -2);
    case KAEL_BINARY_exp_gradient:
        return g * s;
    case KAEL_BINARY_expm1_gradient:
        return g * (s + 1);
    case KAEL_BINARY_log_gradient:
        return g / s;
    case KAEL_BINARY_log1p_gradient:
        return g / (s + 1);
    case KAEL_BINARY_tanh_gradient:
        return g * (1 - s * s);
    case KAEL_BINARY_sigmoid_gradient:
        return g * (s * (1 - s));
    default:
        return unknown_operation(number);
    }
}

static T NAME(binary_gradient)(int number, T g, T b, T c) {
    switch (number) {
    case KAEL_TERNARY_maximum_gradient:
        return b == c ? g / 2 : b < c ? 0 : g;
    case KAEL_TERNARY_minimum_gradient:
        return b == c ? g / 2 : b > c ? 0 : g;
    case KAEL_TERNARY_div_by_gradient:
        return -g * b / c;
    case KAEL_TERNARY_silu_gradient:
        return g * (c * (1 + b * (1 - c)));
    case KAEL_TERNARY_equal_gradient:
        return b == c ? g : 0;
    case KAEL_TERNARY_unequal_gradient:
        return b == c ? 0 : g;
    default:
        return unknown_operation(number);
    }
}

static T NAME(binary)(int number, T a, T b) {
    switch (number) {
    case KAEL_BINARY_add:
        return a + b;
    case KAEL_BINARY_sub:
        return a - b;
    case KAEL_BINARY_mul:
        return a * b;
    case KAEL_BINARY_div:
        return a / b;
    case KAEL_BINARY_floor_divide:
        return NAME(floor_quotient)(a, b);
    case KAEL_BINARY_remainder:
        return NAME(modulo)(a, b);
    case KAEL_BINARY_pow:
        return E(pow)(a, b);
    case KAEL_BINARY_maximum:
        return NAME(larger)(a, b);
    case KAEL_BINARY_minimum:
        return NAME(smaller)(a, b);
    default:
        return NAME(unary_gradient)(number, a, b);
    }
}

static T NAME(ternary)(int number, T a, T b, T c) {
    switch (number) {
    case KAEL_TERNARY_clamp:
        return NAME(smaller)(NAME(larger)(a, b), c);
    case KAEL_TERNARY_fma:
        return F(fma)(a, b, c);
    default:
        return NAME(binary_gradient)(number, a, b, c);
    }
}

static T NAME(compute)(int inputs, int number, const double *x) {
    return inputs == 1   ? NAME(unary)(number, (T)x[0])
           : inputs == 2 ? NAME(binary)(number, (T)x[0], (T)x[1])
                         : NAME(ternary)(number, (T)x[0], (T)x[1], (T)x[2]);
}
