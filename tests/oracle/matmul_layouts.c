#include "oracle/matmul_layouts.h"

static int64_t magnitude(int64_t x) {
    return x < 0 ? -x : x;
}

static matmul_strides from_strides(int64_t rows, int64_t columns, int64_t row, int64_t column) {
    const int64_t down = rows > 0 ? (rows - 1) * row : 0;
    const int64_t across = columns > 0 ? (columns - 1) * column : 0;
    return (matmul_strides){
        .row = row,
        .column = column,
        .offset = (down < 0 ? -down : 0) + (across < 0 ? -across : 0),
        .count = rows > 0 && columns > 0 ? magnitude(down) + magnitude(across) + 1 : 0,
    };
}

matmul_strides matmul_lay_out(matmul_layout layout, int64_t rows, int64_t columns) {
    switch (layout) {
    case MATMUL_COLUMN_MAJOR:
        return from_strides(rows, columns, 1, rows);
    case MATMUL_PADDED_ROWS:
        return from_strides(rows, columns, columns + 3, 1);
    case MATMUL_PADDED_COLUMNS:
        return from_strides(rows, columns, 1, rows + 5);
    case MATMUL_SPREAD:
        return from_strides(rows, columns, 3 * columns + 1, 3);
    case MATMUL_REVERSED:
        return from_strides(rows, columns, -columns, -1);
    case MATMUL_FLIPPED_ROWS:
        return from_strides(rows, columns, -(columns + 1), 1);
    case MATMUL_INTERLEAVED:
        /* Coprime strides meet again only after `rows` columns. */
        return from_strides(rows, columns, rows + 1, rows);
    case MATMUL_REPEATED_ROW:
        return from_strides(rows, columns, 0, 1);
    case MATMUL_REPEATED_COLUMN:
        return from_strides(rows, columns, 1, 0);
    case MATMUL_REPEATED_ELEMENT:
        return from_strides(rows, columns, 0, 0);
    case MATMUL_ROW_MAJOR:
    case MATMUL_INPUT_LAYOUTS:
        break;
    }
    return from_strides(rows, columns, columns, 1);
}

const char *matmul_layout_name(matmul_layout layout) {
    static const char *const names[] = {
        [MATMUL_ROW_MAJOR] = "row-major",
        [MATMUL_COLUMN_MAJOR] = "column-major",
        [MATMUL_PADDED_ROWS] = "padded rows",
        [MATMUL_PADDED_COLUMNS] = "padded columns",
        [MATMUL_SPREAD] = "spread",
        [MATMUL_REVERSED] = "reversed",
        [MATMUL_FLIPPED_ROWS] = "flipped rows",
        [MATMUL_INTERLEAVED] = "interleaved",
        [MATMUL_REPEATED_ROW] = "repeated row",
        [MATMUL_REPEATED_COLUMN] = "repeated column",
        [MATMUL_REPEATED_ELEMENT] = "repeated element",
    };
    return names[layout];
}
