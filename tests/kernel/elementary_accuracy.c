/* Usage: elementary_accuracy [--all | --quick] [FUNCTION...]
 *
 * Measures the elementary functions against references of more precision: for f32 a part of all
 * values in even steps, with --all every one of them (a few minutes for each function), for f64 and
 * for pow a sample of random numbers and hard places. Exits 0 if no result is further from the
 * exact value than the bound of its function, special values are right, and all instruction sets
 * agree in every bit; with --all these are compared on a part of the values. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "elementary_reference.h"
#include "oracle/matmul_compare.h"
#include "oracle/matmul_values.h"

enum { BATCH = 4096, BATCHES_PER_COMPARISON = 64 };

typedef struct sample_sizes {
    uint64_t f32_step;
    int64_t f32_pairs;
    int64_t f64_count;
    int64_t batches_per_comparison; /* of instruction sets */
} sample_sizes;

static const sample_sizes ordinary = {4093, 300000, 20000, 1};
static const sample_sizes quick = {99991, 20000, 2000, 1};
static const sample_sizes all = {1, INT64_C(1) << 28, 2000000, BATCHES_PER_COMPARISON};

typedef struct format {
    int mantissa_bits;  /* the hidden one included */
    int least_exponent; /* of a normal number in [1/2, 1) * 2^e */
    int most_exponent;
} format;

static const format formats[MATMUL_TYPE_COUNT] = {
    [MATMUL_F32] = {FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP},
    [MATMUL_F64] = {DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP},
};

/* The distance in units of the exact value's last place; an infinity counts as the number that
 * would follow the largest one. */
static double distance(const format *f, long double result, long double exact) {
    const long double beyond = ldexpl(1, f->most_exponent);
    if (isnan(exact) || isnan(result)) {
        return isnan(exact) && isnan(result) ? 0 : INFINITY;
    }
    if (fabsl(exact) >= beyond) {
        return result == copysignl(INFINITY, exact) ? 0 : INFINITY;
    }
    int exponent = f->least_exponent;
    if (exact != 0) {
        frexpl(exact, &exponent);
    }
    exponent = exponent < f->least_exponent ? f->least_exponent : exponent;
    const long double value = isinf(result) ? copysignl(beyond, result) : result;
    return (double)ldexpl(fabsl(value - exact), f->mantissa_bits - exponent);
}

typedef struct measurement {
    matmul_type type;
    const elementary_function *function;
    double worst;
    double worst_x;
    double worst_y;
    int64_t count;
    int64_t batches;
    int64_t failures;
} measurement;

static void run_kernel(const measurement *m, const kael_kernels *set, int64_t count, const void *x,
                       const void *y, void *out) {
    const kael_elementary_maps *maps =
        m->type == MATMUL_F32 ? set->elementary_f32 : set->elementary_f64;
    const char *entry = (const char *)maps + m->function->kernel;
    if (m->function->of_pairs) {
        kael_map_pairs_function *kernel = NULL;
        memcpy(&kernel, entry, sizeof kernel);
        kernel(count, x, y, out);
    } else {
        kael_map_function *kernel = NULL;
        memcpy(&kernel, entry, sizeof kernel);
        kernel(count, x, out);
    }
}

static void print_failure(const measurement *m, double x, double y, const char *text) {
    printf("FAILED %s %s of %a", m->function->name, matmul_type_name(m->type), x);
    if (m->function->of_pairs) {
        printf(", %a", y);
    }
    printf(": %s\n", text);
}

static bool is_rounded(matmul_type type, double result, long double exact) {
    return type == MATMUL_F32 ? (float)result == (float)exact : result == (double)exact;
}

static void measure_distances(measurement *m, const void *x, const void *y, const void *results,
                              int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const double at_x = matmul_get(m->type, x, i);
        const double at_y = matmul_get(m->type, y, i);
        const double result = matmul_get(m->type, results, i);
        const long double exact = m->function->reference[m->type](at_x, at_y);
        if (is_rounded(m->type, result, exact)) {
            continue; /* most are: saves time */
        }
        const double error = distance(&formats[m->type], result, exact);
        if (error > m->worst) {
            m->worst = error;
            m->worst_x = at_x;
            m->worst_y = at_y;
        }
        m->failures += error > m->function->bound[m->type];
    }
    m->count += count;
}

/* The best instruction set is measured, the others must agree with it. */
static void measure(measurement *m, const sample_sizes *sizes, const void *x, const void *y,
                    int64_t count) {
    static double measured[BATCH];
    static double other[BATCH];
    const kael_kernels *const *sets = kael_kernels_supported();
    int best = 0;
    while (sets[best + 1] != NULL) {
        ++best;
    }
    run_kernel(m, sets[best], count, x, y, measured);
    measure_distances(m, x, y, measured, count);
    if (m->batches++ % sizes->batches_per_comparison != 0) {
        return;
    }
    for (int i = 0; i < best; ++i) {
        run_kernel(m, sets[i], count, x, y, other);
        const int64_t index = matmul_first_difference(m->type, other, measured, count);
        if (index >= 0) {
            char text[MATMUL_TEXT_SIZE];
            matmul_describe_difference(text, m->type, other, measured, index);
            print_failure(m, matmul_get(m->type, x, index), matmul_get(m->type, y, index), text);
            ++m->failures;
        }
    }
}

/* ---- inputs ---- */

/* Every step-th bit pattern. */
static void measure_patterns(measurement *m, const sample_sizes *sizes) {
    static uint32_t inputs[BATCH];
    int64_t count = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += sizes->f32_step) {
        inputs[count++] = (uint32_t)bits;
        if (count == BATCH || bits + sizes->f32_step > UINT32_MAX) {
            measure(m, sizes, inputs, inputs, count);
            count = 0;
        }
    }
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Within 1 of 0. */
static double unit(uint64_t word) {
    return (double)(int64_t)(word << 3) * 0x1p-63;
}

/* Limits of ranges and formulas, and doubles that are close to multiples of pi / 2. */
static const double hard[] = {1,
                              0.7071067811865476,
                              1.4142135623730951,
                              709.782712893384,
                              -708.3964185322641,
                              -745.1332191019411,
                              0.34657359027997264,
                              2,
                              -0.3,
                              -0.2928932188134524,
                              -37,
                              6,
                              15,
                              18.7,
                              0x1p30,
                              0x1.921fb54442d18p0,
                              0x1.921fb54442d18p1,
                              0x1.921fb54442d18p20,
                              0x1.6ac5b262ca1ffp849,
                              6381956970095103 * 0x1p797,
                              0x1p-26,
                              0x1p-54,
                              0x1p1023,
                              DBL_MIN};

/* Any bit pattern; the ranges of exp and erf; small numbers; numbers near hard ones, near
 * multiples of pi / 2 and near 1; every order of magnitude that matters. */
static double sample(uint64_t index) {
    const uint64_t word = matmul_random(5, index);
    const double u = unit(word);
    switch (index % 8) {
    case 0:
        return from_bits(word);
    case 1:
        return u * 750;
    case 2:
        return u;
    case 3:
        return hard[word % (sizeof hard / sizeof hard[0])] * (1 + u * 0x1p-20);
    case 4:
        return (double)(word % 4096) * 1.5707963267948966 * (1 + u * 0x1p-50);
    case 5:
        return u * 6;
    case 6:
        return from_bits((word >> 12) | ((uint64_t)(1023 - 3 + word % 6) << 52));
    default:
        return from_bits((word >> 12) | ((uint64_t)(1023 - 60 + word % 64) << 52)) * copysign(1, u);
    }
}

/* Any two; integer exponents of numbers of both signs; results of every size, also near the limits
 * of the type and from bases near 1. */
static void sample_pair(matmul_type type, uint64_t index, double *x, double *y) {
    const double most = type == MATMUL_F32 ? 104 : 745;
    const uint64_t word = matmul_random(6, index);
    const double u = unit(word);
    *x = sample(index / 4);
    switch (index % 4) {
    case 0:
        *y = sample(word);
        break;
    case 1:
        *y = (double)(word % 65) - 32;
        break;
    case 2:
        *x = index % 3 == 0 ? 1 + u * 0x1p-12 : fabs(*x);
        *y = most * unit(matmul_random(7, index)) / log(*x);
        break;
    default:
        *x = from_bits((word >> 12) | ((uint64_t)(1023 - 1 + word % 2) << 52));
        *y = copysign(most - fabs(u) * most / 8, u) / log(*x);
    }
}

static void measure_sample(measurement *m, const sample_sizes *sizes, int64_t total) {
    static double x[BATCH];
    static double y[BATCH];
    for (int64_t done = 0; done < total; done += BATCH) {
        for (int64_t i = 0; i < BATCH; ++i) {
            double at_x = sample((uint64_t)(done + i));
            double at_y = 0;
            if (m->function->of_pairs) {
                sample_pair(m->type, (uint64_t)(done + i), &at_x, &at_y);
            }
            matmul_set(m->type, x, i, at_x);
            matmul_set(m->type, y, i, at_y);
        }
        measure(m, sizes, x, y, BATCH);
    }
}

/* ---- checks ---- */

static void check_special_cases(measurement *m) {
    for (const elementary_special_case *c = elementary_special_cases; c->name != NULL; ++c) {
        double x;
        double y;
        double expected;
        double result;
        if (strcmp(c->name, m->function->name) != 0) {
            continue;
        }
        matmul_set(m->type, &x, 0, c->x);
        matmul_set(m->type, &y, 0, c->y);
        matmul_set(m->type, &expected, 0, c->result);
        run_kernel(m, kael_kernels_supported()[0], 1, &x, &y, &result);
        if (matmul_first_difference(m->type, &result, &expected, 1) >= 0) {
            char text[MATMUL_TEXT_SIZE];
            print_failure(m, c->x, c->y,
                          matmul_describe_difference(text, m->type, &result, &expected, 0));
            ++m->failures;
        }
    }
}

static int64_t check(const elementary_function *function, matmul_type type,
                     const sample_sizes *sizes) {
    measurement m = {.type = type, .function = function, .worst = 0.5};
    if (type == MATMUL_F64) {
        measure_sample(&m, sizes, sizes->f64_count);
    } else if (function->of_pairs) {
        measure_sample(&m, sizes, sizes->f32_pairs);
    } else {
        measure_patterns(&m, sizes);
    }
    check_special_cases(&m);
    printf("%s %s: %" PRId64 " inputs, at most %.4f ulp (at %a", function->name,
           matmul_type_name(type), m.count, m.worst, m.worst_x);
    if (function->of_pairs) {
        printf(", %a", m.worst_y);
    }
    printf("), bound %g%s\n", function->bound[type], m.failures > 0 ? " FAILED" : "");
    fflush(stdout);
    return m.failures;
}

static bool is_chosen(const char *name, int count, char **names) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return count == 0;
}

int main(int count, char **arguments) {
    const sample_sizes *sizes = &ordinary;
    --count;
    ++arguments;
    if (count > 0 && arguments[0][0] == '-') {
        const bool is_all = strcmp(arguments[0], "--all") == 0;
        if (!is_all && strcmp(arguments[0], "--quick") != 0) {
            fprintf(stderr, "usage: elementary_accuracy [--all | --quick] [FUNCTION...]\n");
            return 2;
        }
        sizes = is_all ? &all : &quick;
        --count;
        ++arguments;
    }
    int64_t failures = 0;
    int64_t checks = 0;
    for (const elementary_function *f = elementary_functions; f->name != NULL; ++f) {
        if (is_chosen(f->name, count, arguments)) {
            failures += check(f, MATMUL_F32, sizes);
            failures += check(f, MATMUL_F64, sizes);
            ++checks;
        }
    }
    return checks > 0 && failures == 0 ? 0 : 1;
}
