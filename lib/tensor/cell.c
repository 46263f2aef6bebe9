/* The rules are NumPy's for floatmode 'unique': as few digits as tell a number from its neighbours,
 * points below each other, and exponents for all elements where magnitudes need them. */
#include "tensor/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tensor/decimal.h"
#include "tensor/dtype.h"
#include "tensor/element.h"

static const double largest_plain = 1e8;
static const double smallest_plain = 1e-4;
static const double widest_plain_ratio = 1000;

static void widen(size_t *width, size_t needed) {
    *width = needed > *width ? needed : *width;
}

void kael_cells_begin(kael_cells *cells, kael_dtype dtype, bool alone) {
    *cells = (kael_cells){.dtype = dtype, .alone = alone, .smallest = INFINITY};
}

/* Integers and bool. */

enum { INTEGER_SIZE = 24 };

static const char *bool_text(const void *element) {
    return *(const unsigned char *)element != 0 ? "True" : "False";
}

static const char *integer_text(char text[INTEGER_SIZE], kael_dtype dtype, const void *element) {
    if (dtype == KAEL_BOOL) {
        return bool_text(element);
    }
    const kael_integer value = kael_element_to_integer(element, dtype);
    snprintf(text, INTEGER_SIZE, "%s%" PRIu64, value.is_negative ? "-" : "", value.magnitude);
    return text;
}

static void write_padded(const char *characters, size_t width, kael_text *text) {
    const size_t length = strlen(characters);
    kael_text_add_spaces(text, width > length ? width - length : 0);
    kael_text_add(text, characters, length);
}

/* Floating point. */

/* A finite number: 0.d1 d2 ... * 10^point. */
typedef struct number {
    kael_decimal decimal;
    bool is_negative;
} number;

static number number_of(double value, kael_dtype dtype) {
    return (number){kael_shortest_decimal(value, dtype), signbit(value) != 0};
}

static int exponent_of(const number *n) {
    return n->decimal.count > 0 ? n->decimal.point - 1 : 0;
}

static size_t positive(int value) {
    return value > 0 ? (size_t)value : 0;
}

static size_t count_exponent_digits(int exponent) {
    return exponent > -100 && exponent < 100 ? 2 : 3;
}

static void measure_number(kael_cells *cells, double value) {
    const number n = number_of(value, cells->dtype);
    const int count = n.decimal.count;
    const int point = n.decimal.point;
    cells->has_finite = true;
    if (value != 0) {
        cells->largest = fmax(cells->largest, fabs(value));
        cells->smallest = fmin(cells->smallest, fabs(value));
    }
    widen(&cells->plain.left, n.is_negative + (point > 1 ? positive(point) : 1));
    widen(&cells->plain.right, positive(count - point));
    widen(&cells->scientific.left, n.is_negative + (size_t)1);
    widen(&cells->scientific.right, positive(count - 1));
    widen(&cells->scientific.exponent, count_exponent_digits(exponent_of(&n)));
}

static void measure_floating(kael_cells *cells, double value) {
    if (isfinite(value)) {
        measure_number(cells, value);
    } else {
        cells->has_special = true;
        cells->has_negative_infinity |= isinf(value) && value < 0;
    }
}

static void write_digits(const number *n, int first, int end, kael_text *text) {
    for (int i = first; i < end; ++i) {
        const bool given = i >= 0 && i < n->decimal.count;
        kael_text_add(text, given ? &n->decimal.digits[i] : "0", 1);
    }
}

static void write_sign(const number *n, size_t width, size_t digits, kael_text *text) {
    kael_text_add_spaces(text, width - n->is_negative - digits);
    kael_text_add(text, "-", n->is_negative);
}

static void write_plain(const kael_cells *cells, const number *n, kael_text *text) {
    const int point = n->decimal.point;
    const int count = n->decimal.count;
    write_sign(n, cells->plain.left, point > 1 ? positive(point) : 1, text);
    write_digits(n, point > 0 ? 0 : -1, point > 0 ? point : 0, text);
    kael_text_add(text, ".", 1);
    write_digits(n, point, count > point ? count : point, text);
    kael_text_add_spaces(text, cells->plain.right - positive(count - point));
}

static void write_scientific(const kael_cells *cells, const number *n, kael_text *text) {
    const int exponent = exponent_of(n);
    write_sign(n, cells->scientific.left, 1, text);
    write_digits(n, 0, 1, text);
    kael_text_add(text, ".", 1);
    write_digits(n, 1, 1 + (int)cells->scientific.right, text);
    char characters[16];
    const int length =
        snprintf(characters, sizeof characters, "e%c%0*d", exponent < 0 ? '-' : '+',
                 (int)cells->scientific.exponent, exponent < 0 ? -exponent : exponent);
    kael_text_add(text, characters, (size_t)length);
}

static void write_floating(const kael_cells *cells, double value, kael_text *text) {
    if (isnan(value)) {
        write_padded("nan", kael_cells_width(cells), text);
    } else if (isinf(value)) {
        write_padded(value < 0 ? "-inf" : "inf", kael_cells_width(cells), text);
    } else {
        const number n = number_of(value, cells->dtype);
        (cells->exponential ? write_scientific : write_plain)(cells, &n, text);
    }
}

/* Both. */

void kael_cells_measure(kael_cells *cells, const void *element) {
    if (kael_dtype_is_floating(cells->dtype)) {
        measure_floating(cells, kael_element_to_double(element, cells->dtype));
        return;
    }
    char text[INTEGER_SIZE];
    const bool is_bool_of_many = cells->dtype == KAEL_BOOL && !cells->alone;
    widen(&cells->plain.left,
          is_bool_of_many ? strlen("False") : strlen(integer_text(text, cells->dtype, element)));
}

void kael_cells_settle(kael_cells *cells) {
    cells->exponential = cells->largest >= largest_plain || cells->smallest < smallest_plain ||
                         cells->largest / cells->smallest > widest_plain_ratio;
    if (cells->has_special) {
        const size_t needed = cells->has_negative_infinity ? strlen("-inf") : strlen("nan");
        const size_t width = kael_cells_width(cells);
        size_t *left = cells->exponential ? &cells->scientific.left : &cells->plain.left;
        *left += needed > width ? needed - width : 0;
    }
}

size_t kael_cells_width(const kael_cells *cells) {
    if (!kael_dtype_is_floating(cells->dtype)) {
        return cells->plain.left;
    }
    return cells->exponential ? cells->scientific.left + 1 + cells->scientific.right + 2 +
                                    cells->scientific.exponent
                              : cells->plain.left + 1 + cells->plain.right;
}

void kael_cells_write(const kael_cells *cells, const void *element, kael_text *text) {
    if (kael_dtype_is_floating(cells->dtype)) {
        write_floating(cells, kael_element_to_double(element, cells->dtype), text);
        return;
    }
    char characters[INTEGER_SIZE];
    write_padded(integer_text(characters, cells->dtype, element), cells->plain.left, text);
}
