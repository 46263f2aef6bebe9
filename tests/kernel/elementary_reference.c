#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdint.h>

#include "elementary_reference.h"
#include "kernels/elementary_maps.h"

_Static_assert(LDBL_MANT_DIG >= 64, "the reference of f64 needs more precision than f64");

enum { PRECISION = 160 };

/* ---- in double, for f32 ---- */

static double sigmoid(double x) {
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

/* x f for a factor f that vanishes at -infinity. */
static double times(double x, double factor) {
    return x == -INFINITY ? -0.0 : x * factor;
}

static double silu(double x) {
    return times(x, sigmoid(x));
}

static double gelu(double x) {
    return times(x, 0.5 * erfc(-x * 0.7071067811865475244));
}

static double gelu_tanh(double x) {
    return times(x, sigmoid(1.5957691216057307117 * (x + 0.044715 * x * x * x)));
}

#define DEFINE_DOUBLE(f)                                                                           \
    static long double f##_double(double x, double y) {                                            \
        (void)y;                                                                                   \
        return f(x);                                                                               \
    }
KAEL_ELEMENTARY_MAPS(DEFINE_DOUBLE)

static long double pow_double(double x, double y) {
    return pow(x, y);
}

/* ---- with MPFR, for f64 ---- */

static void exact_sigmoid(mpfr_t result, const mpfr_t x) {
    mpfr_neg(result, x, MPFR_RNDN);
    mpfr_exp(result, result, MPFR_RNDN);
    mpfr_add_ui(result, result, 1, MPFR_RNDN);
    mpfr_ui_div(result, 1, result, MPFR_RNDN);
}

static void multiply_limit(mpfr_t result, const mpfr_t x) {
    if (mpfr_inf_p(x) && mpfr_sgn(x) < 0) {
        mpfr_set_zero(result, -1);
    } else {
        mpfr_mul(result, result, x, MPFR_RNDN);
    }
}

static void exact_silu(mpfr_t result, const mpfr_t x) {
    exact_sigmoid(result, x);
    multiply_limit(result, x);
}

static void exact_gelu(mpfr_t result, const mpfr_t x) {
    mpfr_t root;
    mpfr_init2(root, PRECISION);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_div(result, x, root, MPFR_RNDN);
    mpfr_neg(result, result, MPFR_RNDN);
    mpfr_erfc(result, result, MPFR_RNDN);
    mpfr_div_ui(result, result, 2, MPFR_RNDN);
    multiply_limit(result, x);
    mpfr_clear(root);
}

static void exact_gelu_tanh(mpfr_t result, const mpfr_t x) {
    mpfr_t y;
    mpfr_t factor;
    mpfr_inits2(PRECISION, y, factor, (mpfr_ptr)NULL);
    mpfr_const_pi(factor, MPFR_RNDN);
    mpfr_ui_div(factor, 8, factor, MPFR_RNDN);
    mpfr_sqrt(factor, factor, MPFR_RNDN);
    mpfr_sqr(y, x, MPFR_RNDN);
    mpfr_mul_ui(y, y, 44715, MPFR_RNDN);
    mpfr_div_ui(y, y, 1000000, MPFR_RNDN);
    mpfr_add_ui(y, y, 1, MPFR_RNDN);
    mpfr_mul(y, y, x, MPFR_RNDN);
    mpfr_mul(y, y, factor, MPFR_RNDN);
    exact_sigmoid(result, y);
    multiply_limit(result, x);
    mpfr_clears(y, factor, (mpfr_ptr)NULL);
}

#define DEFINE_OF_MPFR(f)                                                                          \
    static void exact_##f(mpfr_t result, const mpfr_t x) {                                         \
        mpfr_##f(result, x, MPFR_RNDN);                                                            \
    }
DEFINE_OF_MPFR(exp)
DEFINE_OF_MPFR(expm1)
DEFINE_OF_MPFR(log)
DEFINE_OF_MPFR(log1p)
DEFINE_OF_MPFR(sin)
DEFINE_OF_MPFR(cos)
DEFINE_OF_MPFR(tanh)
DEFINE_OF_MPFR(erf)

#define DEFINE_EXACT(f)                                                                            \
    static long double f##_exact(double x, double y) {                                             \
        (void)y;                                                                                   \
        mpfr_t argument;                                                                           \
        mpfr_t result;                                                                             \
        mpfr_inits2(PRECISION, argument, result, (mpfr_ptr)NULL);                                  \
        mpfr_set_d(argument, x, MPFR_RNDN);                                                        \
        exact_##f(result, argument);                                                               \
        const long double rounded = mpfr_get_ld(result, MPFR_RNDN);                                \
        mpfr_clears(argument, result, (mpfr_ptr)NULL);                                             \
        return rounded;                                                                            \
    }
KAEL_ELEMENTARY_MAPS(DEFINE_EXACT)

static long double pow_exact(double x, double y) {
    mpfr_t base;
    mpfr_t exponent;
    mpfr_inits2(PRECISION, base, exponent, (mpfr_ptr)NULL);
    mpfr_set_d(base, x, MPFR_RNDN);
    mpfr_set_d(exponent, y, MPFR_RNDN);
    mpfr_pow(base, base, exponent, MPFR_RNDN);
    const long double rounded = mpfr_get_ld(base, MPFR_RNDN);
    mpfr_clears(base, exponent, (mpfr_ptr)NULL);
    return rounded;
}

/* ---- tables ---- */

#define FUNCTION(f, of_pairs, f32_bound, f64_bound)                                                \
    {                                                                                              \
#f, offsetof(kael_elementary_maps, f), of_pairs, {f##_double, f##_exact }, {               \
            f32_bound, f64_bound                                                                   \
        }                                                                                          \
    }

const elementary_function elementary_functions[] = {
    FUNCTION(exp, false, 1, 1),     FUNCTION(expm1, false, 1, 1),
    FUNCTION(log, false, 1, 1),     FUNCTION(log1p, false, 1, 1),
    FUNCTION(sin, false, 1, 1),     FUNCTION(cos, false, 1, 1),
    FUNCTION(tanh, false, 1, 1),    FUNCTION(erf, false, 1, 1),
    FUNCTION(sigmoid, false, 1, 1), FUNCTION(silu, false, 1, 1),
    FUNCTION(gelu, false, 6, 4),    FUNCTION(gelu_tanh, false, 1, 1),
    FUNCTION(pow, true, 0.51, 1),   {0},
};

const elementary_special_case elementary_special_cases[] = {
    {"exp", 0.0, 0, 1},
    {"exp", -0.0, 0, 1},
    {"exp", INFINITY, 0, INFINITY},
    {"exp", -INFINITY, 0, 0.0},
    {"exp", NAN, 0, NAN},
    {"exp", 1e30, 0, INFINITY},
    {"exp", -1e30, 0, 0.0},
    {"expm1", 0.0, 0, 0.0},
    {"expm1", -0.0, 0, -0.0},
    {"expm1", INFINITY, 0, INFINITY},
    {"expm1", -INFINITY, 0, -1},
    {"expm1", NAN, 0, NAN},
    {"expm1", 1e30, 0, INFINITY},
    {"log", 1, 0, 0.0},
    {"log", 0.0, 0, -INFINITY},
    {"log", -0.0, 0, -INFINITY},
    {"log", -1, 0, NAN},
    {"log", -INFINITY, 0, NAN},
    {"log", NAN, 0, NAN},
    {"log", INFINITY, 0, INFINITY},
    {"log1p", 0.0, 0, 0.0},
    {"log1p", -0.0, 0, -0.0},
    {"log1p", -1, 0, -INFINITY},
    {"log1p", -2, 0, NAN},
    {"log1p", -INFINITY, 0, NAN},
    {"log1p", INFINITY, 0, INFINITY},
    {"log1p", NAN, 0, NAN},
    {"sin", 0.0, 0, 0.0},
    {"sin", -0.0, 0, -0.0},
    {"sin", INFINITY, 0, NAN},
    {"sin", -INFINITY, 0, NAN},
    {"sin", NAN, 0, NAN},
    {"cos", 0.0, 0, 1},
    {"cos", -0.0, 0, 1},
    {"cos", INFINITY, 0, NAN},
    {"cos", -INFINITY, 0, NAN},
    {"cos", NAN, 0, NAN},
    {"tanh", 0.0, 0, 0.0},
    {"tanh", -0.0, 0, -0.0},
    {"tanh", INFINITY, 0, 1},
    {"tanh", -INFINITY, 0, -1},
    {"tanh", NAN, 0, NAN},
    {"tanh", -NAN, 0, NAN},
    {"erf", 0.0, 0, 0.0},
    {"erf", -0.0, 0, -0.0},
    {"erf", INFINITY, 0, 1},
    {"erf", -INFINITY, 0, -1},
    {"erf", NAN, 0, NAN},
    {"erf", -NAN, 0, NAN},
    {"sigmoid", 0.0, 0, 0.5},
    {"sigmoid", INFINITY, 0, 1},
    {"sigmoid", -INFINITY, 0, 0.0},
    {"sigmoid", NAN, 0, NAN},
    {"sigmoid", -NAN, 0, NAN},
    {"silu", 0.0, 0, 0.0},
    {"silu", -0.0, 0, -0.0},
    {"silu", INFINITY, 0, INFINITY},
    {"silu", -INFINITY, 0, -0.0},
    {"silu", NAN, 0, NAN},
    {"silu", -NAN, 0, NAN},
    {"gelu", 0.0, 0, 0.0},
    {"gelu", -0.0, 0, -0.0},
    {"gelu", INFINITY, 0, INFINITY},
    {"gelu", -INFINITY, 0, -0.0},
    {"gelu", NAN, 0, NAN},
    {"gelu", -NAN, 0, NAN},
    {"gelu_tanh", 0.0, 0, 0.0},
    {"gelu_tanh", -0.0, 0, -0.0},
    {"gelu_tanh", INFINITY, 0, INFINITY},
    {"gelu_tanh", -INFINITY, 0, -0.0},
    {"gelu_tanh", NAN, 0, NAN},
    {"gelu_tanh", -NAN, 0, NAN},
    {"pow", 0.0, -3, INFINITY},
    {"pow", -0.0, -3, -INFINITY},
    {"pow", -0.0, -2, INFINITY},
    {"pow", -0.0, -2.5, INFINITY},
    {"pow", -0.0, -INFINITY, INFINITY},
    {"pow", -0.0, 3, -0.0},
    {"pow", 0.0, 3, 0.0},
    {"pow", -0.0, 2, 0.0},
    {"pow", -0.0, 0.5, 0.0},
    {"pow", -1, INFINITY, 1},
    {"pow", -1, -INFINITY, 1},
    {"pow", -1, NAN, NAN},
    {"pow", 1, NAN, 1},
    {"pow", 1, INFINITY, 1},
    {"pow", 1, -INFINITY, 1},
    {"pow", NAN, 0.0, 1},
    {"pow", NAN, -0.0, 1},
    {"pow", NAN, 1, NAN},
    {"pow", 2, NAN, NAN},
    {"pow", INFINITY, 0.0, 1},
    {"pow", -INFINITY, -0.0, 1},
    {"pow", 0.0, 0.0, 1},
    {"pow", -2, 0.5, NAN},
    {"pow", -2, -1.5, NAN},
    {"pow", 0.5, -INFINITY, INFINITY},
    {"pow", -0.5, -INFINITY, INFINITY},
    {"pow", 2, -INFINITY, 0.0},
    {"pow", -2, -INFINITY, 0.0},
    {"pow", 0.5, INFINITY, 0.0},
    {"pow", 2, INFINITY, INFINITY},
    {"pow", -INFINITY, -3, -0.0},
    {"pow", -INFINITY, -2, 0.0},
    {"pow", -INFINITY, -0.5, 0.0},
    {"pow", -INFINITY, 3, -INFINITY},
    {"pow", -INFINITY, 2, INFINITY},
    {"pow", -INFINITY, 0.5, INFINITY},
    {"pow", INFINITY, -1, 0.0},
    {"pow", INFINITY, 1, INFINITY},
    {"pow", -2, 3, -8},
    {"pow", -2, -2, 0.25},
    {"pow", 3, 5, 243},
    {"pow", -1, 16777215, -1},
    {"pow", -1, 16777216, 1},
    {"pow", -2, 1e30, INFINITY},
    {0},
};
