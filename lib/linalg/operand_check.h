/* Checks of the arguments of matrix products. */
#ifndef KAEL_LINALG_OPERAND_CHECK_H
#define KAEL_LINALG_OPERAND_CHECK_H

#include <stdint.h>

#include "kael/status.h"

/* A strided matrix as an argument called `name`. */
typedef struct kael_matrix_argument {
    const char *name;
    const void *data;
    int64_t rows;
    int64_t columns;
    int64_t row_stride;
    int64_t column_stride;
} kael_matrix_argument;

/* VALUE for a NULL or misaligned pointer to elements; SHAPE when the bytes from the first to the
 * last element overflow. */
KAEL_NODISCARD kael_status kael_check_matrix(const kael_matrix_argument *matrix,
                                             int64_t element_size);

/* SHAPE when two elements share memory. */
KAEL_NODISCARD kael_status kael_check_distinct_elements(const kael_matrix_argument *matrix);

/* VALUE when a size called `name` is negative. */
KAEL_NODISCARD kael_status kael_check_size(const char *name, int64_t size);

#endif
