/* Single elements as text, lined up with others. */
#ifndef KAEL_TENSOR_CELL_H
#define KAEL_TENSOR_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "kael/dtype.h"
#include "tensor/text.h"

/* Widths of the parts of a number, each the largest among the elements. */
typedef struct kael_cell_widths {
    size_t left;     /* the sign and what comes before the point */
    size_t right;    /* the digits behind the point */
    size_t exponent; /* the digits of the exponent */
} kael_cell_widths;

/* What elements have in common that are to line up. */
typedef struct kael_cells {
    kael_dtype dtype;
    bool alone; /* a single element, which need not line up */
    bool exponential;
    bool has_finite;
    bool has_negative_infinity;
    bool has_special; /* infinities and NaN */
    double largest;   /* magnitudes of finite elements but zero */
    double smallest;
    kael_cell_widths plain;      /* of integers, bool and numbers without exponents */
    kael_cell_widths scientific; /* of numbers with exponents */
} kael_cells;

/* First tell every element, then settle, then write. */
void kael_cells_begin(kael_cells *cells, kael_dtype dtype, bool alone);
void kael_cells_measure(kael_cells *cells, const void *element);
void kael_cells_settle(kael_cells *cells);

/* Every element is written as so many characters. */
size_t kael_cells_width(const kael_cells *cells);
void kael_cells_write(const kael_cells *cells, const void *element, kael_text *text);

#endif
