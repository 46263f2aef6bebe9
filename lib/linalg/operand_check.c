#include "linalg/operand_check.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"

kael_status kael_check_size(const char *name, int64_t size) {
    if (size < 0) {
        return kael_error(KAEL_ERROR_VALUE, "%s must not be negative, got %" PRId64, name, size);
    }
    return KAEL_OK;
}

/* Bytes from an end of a row or column to its other end. */
static bool reach(int64_t count, int64_t stride, int64_t element_size, int64_t *bytes) {
    int64_t elements = 0;
    *bytes = 0;
    if (count == 1) {
        return true;
    }
    return stride != INT64_MIN &&
           kael_checked_multiply(count - 1, stride < 0 ? -stride : stride, &elements) &&
           kael_checked_multiply(elements, element_size, bytes);
}

kael_status kael_check_matrix(const kael_matrix_argument *matrix, int64_t element_size) {
    if (matrix->rows == 0 || matrix->columns == 0) {
        return KAEL_OK;
    }
    if (matrix->data == NULL) {
        return kael_error(KAEL_ERROR_VALUE,
                          "%s must not be NULL, it has %" PRId64 " x %" PRId64 " elements",
                          matrix->name, matrix->rows, matrix->columns);
    }
    if ((uintptr_t)matrix->data % (uintptr_t)element_size != 0) {
        return kael_error(KAEL_ERROR_VALUE,
                          "%s must lie at a multiple of %" PRId64
                          " bytes, the size of an element, got address %#" PRIxPTR,
                          matrix->name, element_size, (uintptr_t)matrix->data);
    }
    int64_t down = 0;
    int64_t across = 0;
    int64_t total = 0;
    int64_t count = 0;
    if (!reach(matrix->rows, matrix->row_stride, element_size, &down) ||
        !reach(matrix->columns, matrix->column_stride, element_size, &across) ||
        !kael_checked_add(down, across, &total) || !kael_checked_add(total, element_size, &total) ||
        !kael_checked_multiply(matrix->rows, matrix->columns, &count)) {
        return kael_error(KAEL_ERROR_SHAPE,
                          "%s of %" PRId64 " x %" PRId64 " elements with strides %" PRId64
                          " and %" PRId64 " is larger than the address space",
                          matrix->name, matrix->rows, matrix->columns, matrix->row_stride,
                          matrix->column_stride);
    }
    return KAEL_OK;
}

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Steps of (row_stride, column_stride) meet again after column_stride / g rows and row_stride / g
 * columns, g being the greatest common divisor. */
static bool elements_overlap(const kael_matrix_argument *matrix) {
    if ((matrix->rows > 1 && matrix->row_stride == 0) ||
        (matrix->columns > 1 && matrix->column_stride == 0)) {
        return true;
    }
    if (matrix->rows <= 1 || matrix->columns <= 1) {
        return false;
    }
    const int64_t row = matrix->row_stride < 0 ? -matrix->row_stride : matrix->row_stride;
    const int64_t column =
        matrix->column_stride < 0 ? -matrix->column_stride : matrix->column_stride;
    const int64_t divisor = greatest_common_divisor(row, column);
    return column / divisor < matrix->rows && row / divisor < matrix->columns;
}

kael_status kael_check_distinct_elements(const kael_matrix_argument *matrix) {
    if (matrix->rows == 0 || matrix->columns == 0 || !elements_overlap(matrix)) {
        return KAEL_OK;
    }
    return kael_error(KAEL_ERROR_SHAPE,
                      "%s must not hold an element twice: %" PRId64 " x %" PRId64
                      " elements with strides %" PRId64 " and %" PRId64 " share memory",
                      matrix->name, matrix->rows, matrix->columns, matrix->row_stride,
                      matrix->column_stride);
}
