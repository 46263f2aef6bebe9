#include "oracle/elementwise_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/elementary.h"
#include "tensor/element.h"

__extension__ typedef __int128 wide_integer;

/* ---- the table ---- */

typedef enum row_rule {
    NUMERIC,
    FLOATING,
    MAPPED,
    ROUNDING,
    DIVISION,
    POWER,
    BITWISE,
    COMPARISON,
    TEST,
    LOGICAL,
    SELECT
} row_rule;

typedef enum bool_case { REJECT, SAME, WIDEN, BYTES, CONVERT, AND, OR, XOR, NOT } bool_case;

typedef struct row {
    const char *name;
    row_rule rule;
    bool_case on_bool;
} row;

#define ROW(name, rule, on_bool, on_floats, on_integers) {#name, rule, on_bool},
static const row unary_rows[] = {KAEL_UNARY_OPERATIONS(ROW)};
static const row binary_rows[] = {KAEL_ALL_BINARY_OPERATIONS(ROW)};
static const row ternary_rows[] = {KAEL_ALL_TERNARY_OPERATIONS(ROW)};

static const row *row_of(const elementwise_call *call) {
    return call->inputs == 1   ? &unary_rows[call->number]
           : call->inputs == 2 ? &binary_rows[call->number]
                               : &ternary_rows[call->number];
}

const char *elementwise_name(const elementwise_call *call) {
    return row_of(call)->name;
}

/* A row that this program does not know yet. */
static float unknown_operation(int number) {
    fprintf(stderr, "the oracle does not know operation %d\n", number);
    exit(1);
}

/* ---- dtypes ---- */

static bool is_floating(kael_dtype dtype) {
    return dtype >= KAEL_F16;
}

static bool is_half(kael_dtype dtype) {
    return dtype == KAEL_F16 || dtype == KAEL_BF16;
}

static kael_dtype common_dtype(const elementwise_call *call) {
    const int first = row_of(call)->rule == SELECT ? 1 : 0;
    kael_dtype common = call->dtypes[first];
    for (int i = first + 1; i < call->inputs; ++i) {
        if (kael_promote_dtypes(&common, common, call->dtypes[i]) != KAEL_OK) {
            unknown_operation(call->number);
        }
    }
    return common;
}

/* The dtype that the inputs are converted to and the result is rounded to. */
static bool computed_dtype(const elementwise_call *call, kael_dtype *computed) {
    const row *r = row_of(call);
    *computed = common_dtype(call);
    if (r->rule == SELECT) {
        return call->dtypes[0] == KAEL_BOOL;
    }
    if (r->rule == LOGICAL) {
        *computed = KAEL_BOOL;
        return true;
    }
    if ((r->rule == FLOATING || r->rule == MAPPED) && !is_floating(*computed)) {
        *computed = KAEL_F64;
    }
    if (r->rule == BITWISE && is_floating(*computed)) {
        return false;
    }
    if (*computed == KAEL_BOOL) {
        *computed = r->on_bool == WIDEN ? KAEL_I8 : KAEL_BOOL;
        return r->on_bool != REJECT;
    }
    return true;
}

bool elementwise_result(const elementwise_call *call, kael_dtype *result) {
    const row_rule r = row_of(call)->rule;
    const bool valid = computed_dtype(call, result);
    if (r == COMPARISON || r == TEST || r == LOGICAL) {
        *result = KAEL_BOOL;
    }
    return valid;
}

static bool is_integer_rule(const elementwise_call *call, row_rule rule) {
    kael_dtype computed;
    return row_of(call)->rule == rule && computed_dtype(call, &computed) && !is_floating(computed);
}

bool elementwise_divides_integers(const elementwise_call *call) {
    return is_integer_rule(call, DIVISION);
}

bool elementwise_raises_integers(const elementwise_call *call) {
    return is_integer_rule(call, POWER);
}

/* ---- numbers: integers and bool exactly, floating point ones as the double that they are ---- */

typedef struct exact_number {
    bool is_integer;
    wide_integer integer;
    double real;
} exact_number;

static exact_number read_number(kael_dtype dtype, const void *element) {
    exact_number n = {.is_integer = !is_floating(dtype)};
    if (n.is_integer) {
        const kael_integer integer = kael_element_to_integer(element, dtype);
        n.integer = integer.is_negative ? -(wide_integer)integer.magnitude
                                        : (wide_integer)integer.magnitude;
    } else {
        n.real = kael_element_to_double(element, dtype);
    }
    return n;
}

static double to_double(exact_number n) {
    return n.is_integer ? (double)n.integer : n.real;
}

static bool is_not_zero(exact_number n) {
    return n.is_integer ? n.integer != 0 : n.real != 0;
}

static void write_real(kael_dtype dtype, double value, void *element) {
    if (kael_element_from_double(element, dtype, value) != KAEL_OK) {
        unknown_operation(-1);
    }
}

/* Modulo 2^bits. */
static void write_integer(kael_dtype dtype, wide_integer value, void *element) {
    const uint64_t low = (uint64_t)value;
    const uint8_t as_8 = (uint8_t)low;
    const uint16_t as_16 = (uint16_t)low;
    const uint32_t as_32 = (uint32_t)low;
    switch (kael_dtype_size(dtype)) {
    case 1:
        memcpy(element, &as_8, 1);
        break;
    case 2:
        memcpy(element, &as_16, 2);
        break;
    case 4:
        memcpy(element, &as_32, 4);
        break;
    default:
        memcpy(element, &low, 8);
    }
}

static void write_bool(bool value, void *element) {
    memcpy(element, &(const uint8_t){value}, 1);
}

/* ---- integers ---- */

static wide_integer floor_quotient(wide_integer a, wide_integer b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static wide_integer integer_unary(int number, wide_integer x) {
    switch (number) {
    case KAEL_UNARY_neg:
        return -x;
    case KAEL_UNARY_abs:
        return x < 0 ? -x : x;
    case KAEL_UNARY_sign:
        return (x > 0) - (x < 0);
    case KAEL_UNARY_sqr:
        return (wide_integer)((uint64_t)x * (uint64_t)x);
    case KAEL_UNARY_relu:
        return x > 0 ? x : 0;
    case KAEL_UNARY_floor:
    case KAEL_UNARY_ceil:
    case KAEL_UNARY_round:
    case KAEL_UNARY_trunc:
        return x;
    case KAEL_UNARY_bitwise_not:
        return -x - 1;
    default:
        return (wide_integer)unknown_operation(number);
    }
}

/* Modulo 2^64. */
static wide_integer integer_power(wide_integer a, wide_integer b) {
    uint64_t power = 1;
    uint64_t square = (uint64_t)a;
    for (uint64_t left = (uint64_t)b; left > 0; left /= 2) {
        if (left % 2 == 1) {
            power *= square;
        }
        square *= square;
    }
    return (wide_integer)power;
}

static wide_integer integer_binary(int number, wide_integer a, wide_integer b) {
    switch (number) {
    case KAEL_BINARY_add:
        return a + b;
    case KAEL_BINARY_sub:
        return a - b;
    case KAEL_BINARY_mul:
        return (wide_integer)((uint64_t)a * (uint64_t)b);
    case KAEL_BINARY_floor_divide:
        return floor_quotient(a, b);
    case KAEL_BINARY_remainder:
        return a - floor_quotient(a, b) * b;
    case KAEL_BINARY_pow:
        return integer_power(a, b);
    case KAEL_BINARY_maximum:
        return a > b ? a : b;
    case KAEL_BINARY_minimum:
        return a < b ? a : b;
    case KAEL_BINARY_bitwise_and:
        return a & b;
    case KAEL_BINARY_bitwise_or:
        return a | b;
    case KAEL_BINARY_bitwise_xor:
        return a ^ b;
    default:
        return (wide_integer)unknown_operation(number);
    }
}

static wide_integer integer_ternary(int number, wide_integer a, wide_integer b, wide_integer c) {
    const wide_integer larger = a > b ? a : b;
    switch (number) {
    case KAEL_TERNARY_clamp:
        return larger < c ? larger : c;
    case KAEL_TERNARY_fma:
        return (wide_integer)((uint64_t)a * (uint64_t)b + (uint64_t)c);
    default:
        return (wide_integer)unknown_operation(number);
    }
}

static wide_integer integer_compute(int inputs, int number, const wide_integer *x) {
    return inputs == 1   ? integer_unary(number, x[0])
           : inputs == 2 ? integer_binary(number, x[0], x[1])
                         : integer_ternary(number, x[0], x[1], x[2]);
}

/* ---- bool ---- */

static bool bool_compute(const elementwise_call *call, const bool *x) {
    switch (row_of(call)->on_bool) {
    case AND:
        return x[0] && x[1];
    case OR:
        return x[0] || x[1];
    case XOR:
        return x[0] != x[1];
    case NOT:
        return !x[0];
    case SAME:
        return x[0];
    default:
        break;
    }
    return integer_compute(call->inputs, call->number, (const wide_integer[]){x[0], x[1]}) != 0;
}

/* ---- floating point ---- */

/* The elementary functions are their own definition. */
#define CASE_OF_RULE(name, rule, on_bool, on_floats, on_integers) CASE_##rule(name)
#define CASE_NUMERIC(name)
#define CASE_FLOATING(name)
#define CASE_ROUNDING(name)
#define CASE_TEST(name)
#define CASE_BITWISE(name)

#define T float
#define NAME(name) name##_f32
#define F(name) name##f
#define E(name) kael_##name##_f32
#include "oracle/elementwise_float_template.h"
#undef E
#undef F
#undef NAME
#undef T

#define T double
#define NAME(name) name##_f64
#define F(name) name
#define E(name) kael_##name##_f64
#include "oracle/elementwise_float_template.h"
#undef E
#undef F
#undef NAME
#undef T

static uint16_t half_bits(kael_dtype dtype, double value) {
    uint16_t bits;
    write_real(dtype, value, &bits);
    return bits;
}

/* The number of these bits; in place of infinity the power of two where it begins. */
static double half_value(kael_dtype dtype, uint16_t bits) {
    const double value = kael_element_to_double(&bits, dtype);
    return isinf(value) ? copysign(ldexp(1, dtype == KAEL_F16 ? 16 : 128), value) : value;
}

/* a * b is exact in double, the sum nearly: what it lost decides where it lies in the middle
 * between two numbers of 16 bits. */
static void half_fma(kael_dtype dtype, const double *x, void *element) {
    const double product = x[0] * x[1];
    const double sum = product + x[2];
    const double part = sum - product;
    const double lost = (product - (sum - part)) + (x[2] - part);
    const uint16_t above = half_bits(dtype, nextafter(sum, INFINITY));
    const uint16_t below = half_bits(dtype, nextafter(sum, -INFINITY));
    const double middle = (half_value(dtype, above) + half_value(dtype, below)) / 2;
    uint16_t bits = half_bits(dtype, sum);
    if (above != below && sum == middle) {
        bits = lost > 0 ? above : lost < 0 ? below : bits;
    }
    memcpy(element, &bits, sizeof bits);
}

static void real_compute(const elementwise_call *call, kael_dtype computed, const double *x,
                         void *element) {
    if (is_half(computed) && call->inputs == 3 && call->number == KAEL_TERNARY_fma) {
        half_fma(computed, x, element);
    } else if (computed == KAEL_F64) {
        write_real(computed, compute_f64(call->inputs, call->number, x), element);
    } else {
        write_real(computed, (double)compute_f32(call->inputs, call->number, x), element);
    }
}

/* ---- results of bool ---- */

/* -1, 0 or 1; 2 where either is NaN. */
static int order(exact_number a, exact_number b) {
    if (a.is_integer && b.is_integer) {
        return (a.integer > b.integer) - (a.integer < b.integer);
    }
    const double x = to_double(a);
    const double y = to_double(b);
    return isnan(x) || isnan(y) ? 2 : (x > y) - (x < y);
}

/* Numbers of different kinds are compared in their common dtype, integers as they are. */
static bool compare(const elementwise_call *call, const exact_number *x) {
    exact_number converted[2];
    const kael_dtype common = common_dtype(call);
    const bool as_they_are = x[0].is_integer && x[1].is_integer;
    for (int i = 0; i < 2; ++i) {
        uint64_t element = 0;
        if (!as_they_are) {
            write_real(common, to_double(x[i]), &element);
        }
        converted[i] = as_they_are ? x[i] : read_number(common, &element);
    }
    const int o = order(converted[0], converted[1]);
    switch (call->number) {
    case KAEL_BINARY_eq:
        return o == 0;
    case KAEL_BINARY_ne:
        return o != 0;
    case KAEL_BINARY_lt:
        return o == -1;
    case KAEL_BINARY_le:
        return o == -1 || o == 0;
    case KAEL_BINARY_gt:
        return o == 1;
    case KAEL_BINARY_ge:
        return o == 1 || o == 0;
    default:
        return unknown_operation(call->number) != 0;
    }
}

static bool test_number(const elementwise_call *call, exact_number x) {
    switch (call->number) {
    case KAEL_UNARY_isnan:
        return !x.is_integer && isnan(x.real);
    case KAEL_UNARY_isinf:
        return !x.is_integer && isinf(x.real);
    case KAEL_UNARY_isfinite:
        return x.is_integer || isfinite(x.real);
    case KAEL_UNARY_logical_not:
        return !is_not_zero(x);
    default:
        return unknown_operation(call->number) != 0;
    }
}

/* ---- all ---- */

void elementwise_element(const elementwise_call *call, const void *const *elements, void *result) {
    exact_number x[ELEMENTWISE_INPUTS];
    wide_integer integers[ELEMENTWISE_INPUTS] = {0};
    double reals[ELEMENTWISE_INPUTS] = {0};
    bool bools[ELEMENTWISE_INPUTS] = {0};
    kael_dtype computed;
    if (!computed_dtype(call, &computed)) {
        unknown_operation(call->number);
    }
    for (int i = 0; i < call->inputs; ++i) {
        x[i] = read_number(call->dtypes[i], elements[i]);
        integers[i] = x[i].is_integer ? x[i].integer : 0;
        reals[i] = to_double(x[i]);
        bools[i] = is_not_zero(x[i]);
    }
    switch (row_of(call)->rule) {
    case COMPARISON:
        write_bool(compare(call, x), result);
        return;
    case TEST:
        write_bool(test_number(call, x[0]), result);
        return;
    case SELECT:
        if (is_floating(computed)) {
            write_real(computed, reals[bools[0] ? 1 : 2], result);
        } else {
            write_integer(computed, integers[bools[0] ? 1 : 2], result);
        }
        return;
    default:
        break;
    }
    if (computed == KAEL_BOOL) {
        write_bool(bool_compute(call, bools), result);
    } else if (is_floating(computed)) {
        real_compute(call, computed, reals, result);
    } else {
        write_integer(computed, integer_compute(call->inputs, call->number, integers), result);
    }
}
