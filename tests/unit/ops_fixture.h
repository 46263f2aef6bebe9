/* Tensors of all layouts with values that matter, for tests of elementwise operations. */
#ifndef KAEL_TESTS_OPS_FIXTURE_H
#define KAEL_TESTS_OPS_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/tensor.h"
#include "oracle/elementwise_oracle.h"
#include "oracle/elementwise_values.h"

enum { DTYPE_COUNT = KAEL_F64 + 1 };

/* How a tensor of some rows and columns, or one that broadcasts to them, lies in memory. */
typedef enum ops_layout {
    LAYOUT_ROW_MAJOR,
    LAYOUT_TRANSPOSED,
    LAYOUT_WINDOW,   /* rows and columns out of the middle of more */
    LAYOUT_STEPS,    /* every second column and every third row */
    LAYOUT_REVERSED, /* both dimensions backwards */
    LAYOUT_ROW,      /* one dimension, of the columns */
    LAYOUT_COLUMN,   /* one column */
    LAYOUT_EXPANDED, /* one row, repeated with a stride of 0 */
    LAYOUT_NUMBER,   /* no dimensions */
    LAYOUT_COUNT,
    LAYOUT_FULL_COUNT = LAYOUT_ROW /* those before have distinct elements and the whole shape */
} ops_layout;

kael_tensor *ops_tensor(kael_dtype dtype, ops_layout layout, int64_t rows, int64_t columns,
                        uint64_t *seed);

/* Makes zero elements, or negative ones of a signed dtype, one. */
void ops_make_positive(kael_tensor *tensor, bool negative_too);

/* The address of an element of a tensor that broadcasts to a matrix. */
void *ops_element_at(const kael_tensor *tensor, int64_t row, int64_t column);

/* Compares each element of a matrix, NaN with any NaN, with the definition on these inputs. */
void ops_expect_definition(const elementwise_call *call, const kael_tensor *const *inputs,
                           const kael_tensor *out, const char *form);

#endif
