/* Usage: elementary_accuracy [--all | --quick]
 *
 * Measures the elementary functions of every instruction set against references of more precision:
 * f32 against the C library's double functions, f64 against its long double ones. Takes a part of
 * all f32 values in even steps, with --all every one of them (a few minutes), and for f64 a random
 * sample with the hard places. Exits 0 if no result is further than one unit in the last place from
 * the exact value, special values are right, and all instruction sets agree in every bit. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "oracle/matmul_compare.h"
#include "oracle/matmul_values.h"

_Static_assert(LDBL_MANT_DIG >= 64, "the reference of f64 needs more precision than f64");

enum { BATCH = 4096 };

typedef long double reference_function(long double x);

/* A double is precise enough a reference for f32, and much faster. */
static long double exp_double(long double x) {
    return exp((double)x);
}

static long double log_double(long double x) {
    return log((double)x);
}

typedef struct function {
    const char *name;
    reference_function *reference[MATMUL_TYPE_COUNT];
    size_t kernel; /* where the table has it */
} function;

static const function functions[] = {
    {"exp", {exp_double, expl}, offsetof(kael_elementary_maps, exp)},
    {"log", {log_double, logl}, offsetof(kael_elementary_maps, log)},
};

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
    double worst;
    double worst_input;
    int64_t count;
    int64_t failures;
} measurement;

static kael_map_function *kernel_of(const kael_kernels *set, matmul_type type, const function *f) {
    const kael_elementary_maps *table =
        type == MATMUL_F32 ? set->elementary_f32 : set->elementary_f64;
    kael_map_function *kernel = NULL;
    memcpy(&kernel, (const char *)table + f->kernel, sizeof kernel);
    return kernel;
}

static void measure_distances(measurement *m, matmul_type type, const function *f,
                              const void *inputs, const void *results, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const double x = matmul_get(type, inputs, i);
        const double error =
            distance(&formats[type], matmul_get(type, results, i), f->reference[type](x));
        if (error > m->worst) {
            m->worst = error;
            m->worst_input = x;
        }
        m->failures += error > 1;
    }
    m->count += count;
}

/* All instruction sets on one batch: the first is measured, the others must agree with it. */
static void measure(measurement *m, matmul_type type, const function *f, const void *inputs,
                    int64_t count) {
    static double first[BATCH];
    static double other[BATCH];
    const kael_kernels *const *sets = kael_kernels_supported();
    kernel_of(sets[0], type, f)(count, inputs, first);
    measure_distances(m, type, f, inputs, first, count);
    for (int i = 1; sets[i] != NULL; ++i) {
        kernel_of(sets[i], type, f)(count, inputs, other);
        const int64_t index = matmul_first_difference(type, other, first, count);
        if (index >= 0) {
            char text[MATMUL_TEXT_SIZE];
            printf("FAILED %s %s on %s at %a: %s\n", f->name, matmul_type_name(type), sets[i]->name,
                   matmul_get(type, inputs, index),
                   matmul_describe_difference(text, type, other, first, index));
            ++m->failures;
        }
    }
}

/* Every step-th bit pattern. */
static void measure_f32(measurement *m, const function *f, uint64_t step) {
    static uint32_t inputs[BATCH];
    int64_t count = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        inputs[count++] = (uint32_t)bits;
        if (count == BATCH || bits + step > UINT32_MAX) {
            measure(m, MATMUL_F32, f, inputs, count);
            count = 0;
        }
    }
}

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Any bit pattern; the range of exp; small numbers; numbers near 1 and near the limits of exp. */
static double sample_f64(uint64_t index) {
    static const double near[] = {1,
                                  0.7071067811865476,
                                  1.4142135623730951,
                                  709.782712893384,
                                  -708.3964185322641,
                                  -745.1332191019411,
                                  0.34657359027997264,
                                  2};
    const uint64_t word = matmul_random(5, index);
    const double unit = (double)(int64_t)(word << 3) * 0x1p-63;
    switch (index % 5) {
    case 0:
        return from_bits(word);
    case 1:
        return unit * 750;
    case 2:
        return unit;
    case 3:
        return near[word % 8] * (1 + unit * 0x1p-20);
    default:
        return from_bits((word >> 12) | ((uint64_t)(1023 - 3 + word % 6) << 52));
    }
}

static void measure_f64(measurement *m, const function *f, int64_t total) {
    static double inputs[BATCH];
    for (int64_t done = 0; done < total; done += BATCH) {
        for (int64_t i = 0; i < BATCH; ++i) {
            inputs[i] = sample_f64((uint64_t)(done + i));
        }
        measure(m, MATMUL_F64, f, inputs, BATCH);
    }
}

typedef struct special_case {
    const char *name;
    double input;
    double result;
} special_case;

static const special_case special_cases[] = {
    {"exp", 0.0, 1},
    {"exp", -0.0, 1},
    {"exp", INFINITY, INFINITY},
    {"exp", -INFINITY, 0.0},
    {"exp", NAN, NAN},
    {"exp", 1e30, INFINITY},
    {"exp", -1e30, 0.0},
    {"log", 1, 0.0},
    {"log", 0.0, -INFINITY},
    {"log", -0.0, -INFINITY},
    {"log", -1, NAN},
    {"log", -INFINITY, NAN},
    {"log", NAN, NAN},
    {"log", INFINITY, INFINITY},
};

static int64_t check_special_cases(matmul_type type, const function *f) {
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof special_cases / sizeof special_cases[0]; ++i) {
        const special_case *c = &special_cases[i];
        double input;
        double expected;
        double result;
        if (strcmp(c->name, f->name) != 0) {
            continue;
        }
        matmul_set(type, &input, 0, c->input);
        matmul_set(type, &expected, 0, c->result);
        kernel_of(kael_kernels_supported()[0], type, f)(1, &input, &result);
        if (matmul_first_difference(type, &result, &expected, 1) >= 0) {
            printf("FAILED %s %s of %g: got %g\n", f->name, matmul_type_name(type), c->input,
                   matmul_get(type, &result, 0));
            ++failures;
        }
    }
    return failures;
}

static int64_t check(matmul_type type, const function *f, uint64_t f32_step, int64_t f64_count) {
    measurement m = {0};
    if (type == MATMUL_F32) {
        measure_f32(&m, f, f32_step);
    } else {
        measure_f64(&m, f, f64_count);
    }
    m.failures += check_special_cases(type, f);
    printf("%s %s: %" PRId64 " inputs, at most %.4f ulp (at %a)%s\n", f->name,
           matmul_type_name(type), m.count, m.worst, m.worst_input,
           m.failures > 0 ? " FAILED" : "");
    fflush(stdout);
    return m.failures;
}

int main(int count, char **arguments) {
    const bool all = count == 2 && strcmp(arguments[1], "--all") == 0;
    const bool quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    if (count > 1 && !all && !quick) {
        fprintf(stderr, "usage: elementary_accuracy [--all | --quick]\n");
        return 2;
    }
    const uint64_t f32_step = all ? 1 : quick ? 99991 : 1009;
    const int64_t f64_count = all ? 100000000 : quick ? 20000 : 2000000;
    int64_t failures = 0;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        failures += check(MATMUL_F32, &functions[i], f32_step, f64_count);
        failures += check(MATMUL_F64, &functions[i], f32_step, f64_count);
    }
    return failures == 0 ? 0 : 1;
}
