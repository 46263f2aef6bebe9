/* c = beta * c, before a product adds to it. */

#include <stdlib.h>

#include "core/checked.h"
#include "kael/parallel.h"
#include "linalg/problem.h"

#define KAEL_DEFINE_SCALE_ROWS(type, suffix)                                                       \
    static kael_status scale_rows_##suffix(int64_t first, int64_t last, void *context) {           \
        const kael_product *product = context;                                                     \
        const type beta = *(const type *)product->beta;                                            \
        for (int64_t i = first; i < last; ++i) {                                                   \
            type *row = (type *)product->c + i * product->c_row_stride;                            \
            for (int64_t j = 0; j < product->columns; ++j) {                                       \
                type *element = row + j * product->c_column_stride;                                \
                *element = beta == 0 ? 0 : beta * *element;                                        \
            }                                                                                      \
        }                                                                                          \
        return KAEL_OK;                                                                            \
    }

KAEL_DEFINE_SCALE_ROWS(float, f32)
KAEL_DEFINE_SCALE_ROWS(double, f64)

kael_status kael_product_scale_c(const kael_product *product, int64_t element_size, bool threaded) {
    const bool is_f32 = element_size == sizeof(float);
    const bool unchanged =
        is_f32 ? *(const float *)product->beta == 1.0f : *(const double *)product->beta == 1.0;
    if (unchanged) {
        return KAEL_OK;
    }
    kael_product rows_first = *product;
    if (llabs(product->c_row_stride) < llabs(product->c_column_stride)) {
        rows_first = kael_product_transposed(product);
    }
    kael_parallel_body *body = is_f32 ? scale_rows_f32 : scale_rows_f64;
    const int64_t grain = kael_max(1, KAEL_ELEMENT_GRAIN / rows_first.columns);
    if (!threaded || rows_first.rows <= grain) {
        return body(0, rows_first.rows, &rows_first);
    }
    return kael_parallel_for(0, rows_first.rows, grain, body, &rows_first);
}
