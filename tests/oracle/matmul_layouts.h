/* Ways to lay a matrix out in memory. */
#ifndef KAEL_TESTS_MATMUL_LAYOUTS_H
#define KAEL_TESTS_MATMUL_LAYOUTS_H

#include <stdint.h>

/* The first ones have distinct elements and so also suit an output. */
typedef enum matmul_layout {
    MATMUL_ROW_MAJOR,
    MATMUL_COLUMN_MAJOR,
    MATMUL_PADDED_ROWS,
    MATMUL_PADDED_COLUMNS,
    MATMUL_SPREAD,       /* neither stride is 1 */
    MATMUL_REVERSED,     /* both strides are negative */
    MATMUL_FLIPPED_ROWS, /* the last row first */
    MATMUL_INTERLEAVED,  /* rows begin inside one another: 3 and 2 apart, say */
    MATMUL_OUTPUT_LAYOUTS,
    MATMUL_REPEATED_ROW = MATMUL_OUTPUT_LAYOUTS,
    MATMUL_REPEATED_COLUMN,
    MATMUL_REPEATED_ELEMENT,
    MATMUL_INPUT_LAYOUTS
} matmul_layout;

/* In elements: the matrix lies in `count` of them, (0, 0) at `offset`. */
typedef struct matmul_strides {
    int64_t row;
    int64_t column;
    int64_t offset;
    int64_t count;
} matmul_strides;

matmul_strides matmul_lay_out(matmul_layout layout, int64_t rows, int64_t columns);
const char *matmul_layout_name(matmul_layout layout);

#endif
