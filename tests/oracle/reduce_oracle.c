#include "oracle/reduce_oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/elementary.h"
#include "kernels/half.h"
#include "oracle/nn_oracle.h"

static const char *const names[REDUCE_OPERATIONS] = {
    "sum", "prod", "mean",   "var",    "std", "norm", "logsumexp",
    "max", "min",  "argmax", "argmin", "any", "all",  "count_nonzero",
};

const char *reduce_name(reduce_operation operation) {
    return names[operation];
}

static bool is_float(kael_dtype dtype) {
    return dtype == KAEL_F16 || dtype == KAEL_BF16 || dtype == KAEL_F32 || dtype == KAEL_F64;
}

static bool is_unsigned(kael_dtype dtype) {
    return dtype == KAEL_U8 || dtype == KAEL_U16 || dtype == KAEL_U32 || dtype == KAEL_U64;
}

kael_dtype reduce_result_dtype(reduce_operation operation, kael_dtype dtype) {
    switch (operation) {
    case REDUCE_SUM:
    case REDUCE_PROD:
        return is_float(dtype) ? dtype : is_unsigned(dtype) ? KAEL_U64 : KAEL_I64;
    case REDUCE_MAX:
    case REDUCE_MIN:
        return dtype;
    case REDUCE_ARGMAX:
    case REDUCE_ARGMIN:
    case REDUCE_COUNT_NONZERO:
        return KAEL_I64;
    case REDUCE_ANY:
    case REDUCE_ALL:
        return KAEL_BOOL;
    default:
        return is_float(dtype) ? dtype : KAEL_F64;
    }
}

/* An integer, in 64 bits of its own or the other signedness. */
static uint64_t integer_at(kael_dtype dtype, const void *elements, int64_t i) {
    switch (dtype) {
    case KAEL_I8:
        return (uint64_t)((const int8_t *)elements)[i];
    case KAEL_I16:
        return (uint64_t)((const int16_t *)elements)[i];
    case KAEL_I32:
        return (uint64_t)((const int32_t *)elements)[i];
    case KAEL_U16:
        return ((const uint16_t *)elements)[i];
    case KAEL_U32:
        return ((const uint32_t *)elements)[i];
    case KAEL_I64:
    case KAEL_U64:
        return ((const uint64_t *)elements)[i];
    default:
        return ((const uint8_t *)elements)[i];
    }
}

static double number_at(kael_dtype dtype, const void *elements, int64_t i) {
    switch (dtype) {
    case KAEL_F16:
        return (double)kael_f16_to_f32(((const uint16_t *)elements)[i]);
    case KAEL_BF16:
        return (double)kael_bf16_to_f32(((const uint16_t *)elements)[i]);
    case KAEL_F32:
        return (double)((const float *)elements)[i];
    case KAEL_F64:
        return ((const double *)elements)[i];
    default: {
        const uint64_t integer = integer_at(dtype, elements, i);
        return is_unsigned(dtype) ? (double)integer : (double)(int64_t)integer;
    }
    }
}

static void store_number(kael_dtype dtype, void *result, double number) {
    switch (dtype) {
    case KAEL_F16:
        *(uint16_t *)result = kael_f64_to_f16(number);
        break;
    case KAEL_BF16:
        *(uint16_t *)result = kael_f64_to_bf16(number);
        break;
    case KAEL_F32:
        *(float *)result = (float)number;
        break;
    default:
        *(double *)result = number;
        break;
    }
}

static double *new_terms(kael_dtype dtype, const void *elements, int64_t count) {
    double *terms = malloc((size_t)count * sizeof *terms);
    if (terms == NULL) {
        fprintf(stderr, "the oracle has no memory\n");
        exit(1);
    }
    for (int64_t i = 0; i < count; ++i) {
        terms[i] = number_at(dtype, elements, i);
    }
    return terms;
}

/* oracle_sum with products for sums. */
static double block_product(const double *terms, int64_t count) {
    double lanes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int64_t whole = count / 8 * 8;
    for (int64_t i = 0; i < whole; ++i) {
        lanes[i % 8] = lanes[i % 8] * terms[i];
    }
    double total = 1;
    for (int lane = 0; lane < 8; ++lane) {
        total = total * lanes[lane];
    }
    for (int64_t i = whole; i < count; ++i) {
        total = total * terms[i];
    }
    return total;
}

static double product(double *terms, int64_t count) {
    const int64_t blocks = (count + 16383) / 16384;
    for (int64_t b = 0; b < blocks; ++b) {
        const int64_t rest = count - b * 16384;
        terms[b] = block_product(terms + b * 16384, rest < 16384 ? rest : 16384);
    }
    for (int64_t width = blocks; width > 1; width = (width + 1) / 2) {
        for (int64_t i = 0; i < width / 2; ++i) {
            terms[i] = terms[2 * i] * terms[2 * i + 1];
        }
        if (width % 2 == 1) {
            terms[width / 2] = terms[width - 1];
        }
    }
    return terms[0];
}

/* oracle_sum of squares of deviations, added by fma. */
static double block_deviations(const double *terms, int64_t count, double mean) {
    double lanes[8] = {0};
    const int64_t whole = count / 8 * 8;
    for (int64_t i = 0; i < whole; ++i) {
        lanes[i % 8] = fma(terms[i] - mean, terms[i] - mean, lanes[i % 8]);
    }
    double total = 0;
    for (int lane = 0; lane < 8; ++lane) {
        total = total + lanes[lane];
    }
    for (int64_t i = whole; i < count; ++i) {
        total = fma(terms[i] - mean, terms[i] - mean, total);
    }
    return total;
}

static double variance(double *terms, int64_t count, double correction) {
    const double mean = oracle_sum(terms, count) / (double)count;
    const int64_t blocks = (count + 16383) / 16384;
    for (int64_t b = 0; b < blocks; ++b) {
        const int64_t rest = count - b * 16384;
        terms[b] = block_deviations(terms + b * 16384, rest < 16384 ? rest : 16384, mean);
    }
    for (int64_t width = blocks; width > 1; width = (width + 1) / 2) {
        for (int64_t i = 0; i < width / 2; ++i) {
            terms[i] = terms[2 * i] + terms[2 * i + 1];
        }
        if (width % 2 == 1) {
            terms[width / 2] = terms[width - 1];
        }
    }
    const double freedom = (double)count - correction;
    return terms[0] / (freedom > 0 ? freedom : 0.0);
}

static double largest_term(const double *terms, int64_t count) {
    double largest = terms[0];
    for (int64_t i = 1; i < count; ++i) {
        if (isnan(terms[i]) || terms[i] > largest) {
            largest = terms[i];
        }
        if (isnan(largest)) {
            break;
        }
    }
    return largest;
}

/* f64 is scaled by a power of two whose inverse is a normal number too. */
static double norm(kael_dtype dtype, double *terms, int64_t count) {
    int exponent = 0;
    if (dtype == KAEL_F64) {
        for (int64_t i = 0; i < count; ++i) {
            terms[i] = fabs(terms[i]);
        }
        const double largest = largest_term(terms, count);
        if (isfinite(largest) && largest != 0) {
            exponent = ilogb(largest);
            exponent = exponent < -1022 ? -1022 : exponent > 1022 ? 1022 : exponent;
        }
    }
    for (int64_t i = 0; i < count; ++i) {
        const double scaled = ldexp(terms[i], -exponent);
        terms[i] = scaled * scaled;
    }
    return ldexp(sqrt(oracle_sum(terms, count)), exponent);
}

static double logsumexp(double *terms, int64_t count) {
    const double largest = largest_term(terms, count);
    if (!isfinite(largest)) {
        return largest;
    }
    for (int64_t i = 0; i < count; ++i) {
        terms[i] = kael_exp_f64(terms[i] - largest);
    }
    return largest + kael_log_f64(oracle_sum(terms, count));
}

/* Whether element a comes before b, `sign` 1 for the largest and -1 for the smallest; with
 * `signed_zeros`, -0 is less than +0. */
static bool beats(kael_dtype dtype, const void *elements, int64_t a, int64_t b, int sign,
                  bool signed_zeros) {
    if (!is_float(dtype)) {
        const uint64_t x = integer_at(dtype, elements, sign > 0 ? a : b);
        const uint64_t y = integer_at(dtype, elements, sign > 0 ? b : a);
        return is_unsigned(dtype) || dtype == KAEL_BOOL ? x > y : (int64_t)x > (int64_t)y;
    }
    const double x = sign * number_at(dtype, elements, a);
    const double y = sign * number_at(dtype, elements, b);
    if (isnan(x) || isnan(y)) {
        return isnan(x) && !isnan(y);
    }
    return x > y || (signed_zeros && x == 0 && y == 0 && !signbit(x) && signbit(y));
}

static int64_t extreme(kael_dtype dtype, const void *elements, int64_t count, int sign,
                       bool signed_zeros) {
    int64_t best = 0;
    for (int64_t i = 1; i < count; ++i) {
        if (beats(dtype, elements, i, best, sign, signed_zeros)) {
            best = i;
        }
    }
    return best;
}

static int64_t count_nonzero(kael_dtype dtype, const void *elements, int64_t count) {
    int64_t nonzero = 0;
    for (int64_t i = 0; i < count; ++i) {
        nonzero += is_float(dtype) ? number_at(dtype, elements, i) != 0
                                   : integer_at(dtype, elements, i) != 0;
    }
    return nonzero;
}

static uint64_t fold_integers(reduce_operation operation, kael_dtype dtype, const void *elements,
                              int64_t count) {
    uint64_t total = operation == REDUCE_SUM ? 0 : 1;
    for (int64_t i = 0; i < count; ++i) {
        const uint64_t integer = integer_at(dtype, elements, i);
        total = operation == REDUCE_SUM ? total + integer : total * integer;
    }
    return total;
}

static double reduce_numbers(reduce_operation operation, kael_dtype dtype, double *terms,
                             int64_t count, double correction) {
    switch (operation) {
    case REDUCE_SUM:
        return oracle_sum(terms, count);
    case REDUCE_PROD:
        return product(terms, count);
    case REDUCE_MEAN:
        return oracle_sum(terms, count) / (double)count;
    case REDUCE_VAR:
        return variance(terms, count, correction);
    case REDUCE_STD:
        return sqrt(variance(terms, count, correction));
    case REDUCE_NORM:
        return norm(dtype, terms, count);
    default:
        return logsumexp(terms, count);
    }
}

void oracle_reduce(reduce_operation operation, kael_dtype dtype, const void *elements,
                   int64_t count, double correction, void *result) {
    const size_t size = (size_t)kael_dtype_size(dtype);
    const int sign = operation == REDUCE_MAX || operation == REDUCE_ARGMAX ? 1 : -1;
    switch (operation) {
    case REDUCE_MAX:
    case REDUCE_MIN:
        memcpy(result,
               (const char *)elements + (size_t)extreme(dtype, elements, count, sign, true) * size,
               size);
        return;
    case REDUCE_ARGMAX:
    case REDUCE_ARGMIN:
        *(int64_t *)result = extreme(dtype, elements, count, sign, false);
        return;
    case REDUCE_ANY:
        *(uint8_t *)result = count_nonzero(dtype, elements, count) > 0;
        return;
    case REDUCE_ALL:
        *(uint8_t *)result = count_nonzero(dtype, elements, count) == count;
        return;
    case REDUCE_COUNT_NONZERO:
        *(int64_t *)result = count_nonzero(dtype, elements, count);
        return;
    default:
        break;
    }
    if (!is_float(dtype) && (operation == REDUCE_SUM || operation == REDUCE_PROD)) {
        *(uint64_t *)result = fold_integers(operation, dtype, elements, count);
        return;
    }
    double *terms = new_terms(dtype, elements, count);
    store_number(reduce_result_dtype(operation, dtype), result,
                 reduce_numbers(operation, dtype, terms, count, correction));
    free(terms);
}
