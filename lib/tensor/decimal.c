/* Free-format printing after Steele and White, and Burger and Dybvig ("Printing Floating-Point
 * Numbers Quickly and Accurately", 1996), with exact integers. */
#include "tensor/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A natural number below 2^1280; the largest here is about 10^324 * 2^56. */
enum { WORDS = 40 };

typedef struct natural {
    int count; /* of words in use */
    uint32_t words[WORDS];
} natural;

static natural natural_of(uint64_t value) {
    natural n = {.count = 0};
    for (; value != 0; value >>= 32) {
        n.words[n.count++] = (uint32_t)value;
    }
    return n;
}

static void multiply(natural *n, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < n->count; ++i) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        n->words[n->count++] = (uint32_t)carry;
    }
}

static void multiply_power_of_two(natural *n, int power) {
    for (; power >= 31; power -= 31) {
        multiply(n, UINT32_C(1) << 31);
    }
    multiply(n, UINT32_C(1) << power);
}

static void multiply_power_of_ten(natural *n, int power) {
    for (; power > 0; --power) {
        multiply(n, 10);
    }
}

/* -1, 0 or 1 as a < b, a == b or a > b. */
static int compare(const natural *a, const natural *b) {
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; --i) {
        if (a->words[i] != b->words[i]) {
            return a->words[i] < b->words[i] ? -1 : 1;
        }
    }
    return 0;
}

static natural sum(const natural *a, const natural *b) {
    natural result = {.count = 0};
    uint64_t carry = 0;
    for (int i = 0; i < a->count || i < b->count || carry != 0; ++i) {
        carry += (uint64_t)(i < a->count ? a->words[i] : 0) + (i < b->count ? b->words[i] : 0);
        result.words[result.count++] = (uint32_t)carry;
        carry >>= 32;
    }
    return result;
}

/* a -= b, where b <= a. */
static void subtract(natural *a, const natural *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        const uint64_t take = (i < b->count ? b->words[i] : 0) + borrow;
        borrow = a->words[i] < take;
        a->words[i] = (uint32_t)(a->words[i] - take);
    }
    while (a->count > 0 && a->words[a->count - 1] == 0) {
        --a->count;
    }
}

/* A number and how far it reaches: value = rest / scale; any number between (rest - below) / scale
 * and (rest + above) / scale rounds to it, and the ends do too if they are included. */
typedef struct range {
    natural rest;
    natural scale;
    natural below;
    natural above;
    bool ends_included;
} range;

static bool reaches_start(const range *r) {
    return compare(&r->rest, &r->below) < (r->ends_included ? 1 : 0);
}

static bool reaches_end(const range *r) {
    const natural end = sum(&r->rest, &r->above);
    return compare(&end, &r->scale) > (r->ends_included ? -1 : 0);
}

typedef struct float_format {
    int precision;       /* bits of the significand, the leading one included */
    int lowest_exponent; /* of the last bit */
} float_format;

static float_format format_of(kael_dtype dtype) {
    switch ((int)dtype) {
    case KAEL_F16:
        return (float_format){11, -24};
    case KAEL_BF16:
        return (float_format){8, -133};
    case KAEL_F32:
        return (float_format){24, -149};
    default:
        return (float_format){53, -1074};
    }
}

/* In units of a quarter of the last place, so that the half gap below a power of two, which is half
 * of the one above, is an integer. */
static range range_of(double magnitude, float_format format) {
    int exponent;
    frexp(magnitude, &exponent);
    exponent -= format.precision;
    if (exponent < format.lowest_exponent) {
        exponent = format.lowest_exponent;
    }
    const uint64_t significand = (uint64_t)ldexp(magnitude, -exponent);
    const bool lower_gap_is_half =
        significand == UINT64_C(1) << (format.precision - 1) && exponent > format.lowest_exponent;
    range r = {
        .rest = natural_of(4 * significand),
        .scale = natural_of(4),
        .below = natural_of(lower_gap_is_half ? 1 : 2),
        .above = natural_of(2),
        .ends_included = significand % 2 == 0,
    };
    if (exponent >= 0) {
        multiply_power_of_two(&r.rest, exponent);
        multiply_power_of_two(&r.below, exponent);
        multiply_power_of_two(&r.above, exponent);
    } else {
        multiply_power_of_two(&r.scale, -exponent);
    }
    return r;
}

static void multiply_by_ten(range *r, int power) {
    multiply_power_of_ten(&r->rest, power);
    multiply_power_of_ten(&r->below, power);
    multiply_power_of_ten(&r->above, power);
}

/* Scales the range so that it ends between 0.1 and 1; returns the power of ten taken out. */
static int take_out_power_of_ten(range *r, double magnitude) {
    int point = (int)ceil(log10(magnitude) - 1e-10); /* right, or one too small */
    if (point >= 0) {
        multiply_power_of_ten(&r->scale, point);
    } else {
        multiply_by_ten(r, -point);
    }
    if (reaches_end(r)) {
        multiply_power_of_ten(&r->scale, 1);
        ++point;
    }
    return point;
}

static int next_digit(range *r) {
    multiply_by_ten(r, 1);
    int digit = 0;
    while (compare(&r->rest, &r->scale) >= 0) {
        subtract(&r->rest, &r->scale);
        ++digit;
    }
    return digit;
}

/* Whether the last digit must be one more: towards the nearer of both candidates, if both are in
 * the range, and to the even one from the middle. */
static bool rounds_up(const range *r, int digit, bool down_is_inside, bool up_is_inside) {
    if (down_is_inside != up_is_inside) {
        return up_is_inside;
    }
    const natural twice = sum(&r->rest, &r->rest);
    const int order = compare(&twice, &r->scale);
    return order > 0 || (order == 0 && digit % 2 == 1);
}

kael_decimal kael_shortest_decimal(double value, kael_dtype dtype) {
    kael_decimal decimal = {.count = 0, .point = 0};
    const double magnitude = fabs(value);
    if (magnitude == 0) {
        return decimal;
    }
    range r = range_of(magnitude, format_of(dtype));
    decimal.point = take_out_power_of_ten(&r, magnitude);
    bool down_is_inside;
    bool up_is_inside;
    do {
        int digit = next_digit(&r);
        down_is_inside = reaches_start(&r);
        up_is_inside = reaches_end(&r);
        if (down_is_inside || up_is_inside) {
            digit += rounds_up(&r, digit, down_is_inside, up_is_inside);
        }
        decimal.digits[decimal.count++] = (char)('0' + digit);
    } while (!down_is_inside && !up_is_inside);
    return decimal;
}
