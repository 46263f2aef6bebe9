/* c = beta * c, before a product adds to it. */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "kael/parallel.h"
#include "linalg/problem.h"

typedef struct scale_job {
    const kael_product *product; /* rows are denser than columns */
    int64_t element_size;
} scale_job;

#define KAEL_DEFINE_FILL_ROW(type, bits)                                                           \
    static void zero_row_##bits(type *row, int64_t count, int64_t stride) {                        \
        for (int64_t j = 0; j < count; ++j) {                                                      \
            row[j * stride] = 0;                                                                   \
        }                                                                                          \
    }

KAEL_DEFINE_FILL_ROW(uint32_t, 32)
KAEL_DEFINE_FILL_ROW(uint64_t, 64)

static void zero_rows(const kael_product *product, int64_t element_size, int64_t first,
                      int64_t last) {
    const int64_t columns = product->columns;
    const int64_t stride = product->c_column_stride;
    for (int64_t i = first; i < last; ++i) {
        void *row = kael_product_c_at(product, element_size, i, 0);
        if (stride == 1) {
            memset(row, 0, (size_t)(columns * element_size));
        } else if (element_size == sizeof(uint32_t)) {
            zero_row_32(row, columns, stride);
        } else {
            zero_row_64(row, columns, stride);
        }
    }
}

#define KAEL_DEFINE_SCALE_ROWS(type, suffix)                                                       \
    static void scale_rows_##suffix(const kael_product *product, int64_t first, int64_t last) {    \
        const type beta = *(const type *)product->beta;                                            \
        for (int64_t i = first; i < last; ++i) {                                                   \
            type *row = (type *)product->c + i * product->c_row_stride;                            \
            for (int64_t j = 0; j < product->columns; ++j) {                                       \
                row[j * product->c_column_stride] *= beta;                                         \
            }                                                                                      \
        }                                                                                          \
    }

KAEL_DEFINE_SCALE_ROWS(float, f32)
KAEL_DEFINE_SCALE_ROWS(double, f64)

static kael_status scale_rows(int64_t first, int64_t last, void *context) {
    const scale_job *job = context;
    if (job->product->beta == NULL) {
        zero_rows(job->product, job->element_size, first, last);
    } else if (job->element_size == sizeof(float)) {
        scale_rows_f32(job->product, first, last);
    } else {
        scale_rows_f64(job->product, first, last);
    }
    return KAEL_OK;
}

static bool is_one(const void *beta, int64_t element_size) {
    return element_size == sizeof(float) ? *(const float *)beta == 1.0F
                                         : *(const double *)beta == 1.0;
}

kael_status kael_product_scale_c(const kael_product *product, int64_t element_size,
                                 int64_t threads) {
    if (product->beta != NULL && is_one(product->beta, element_size)) {
        return KAEL_OK;
    }
    kael_product transposed;
    scale_job job = {product, element_size};
    if (product->columns == 1 ||
        (product->rows > 1 && llabs(product->c_row_stride) < llabs(product->c_column_stride))) {
        transposed = kael_product_transposed(product);
        job.product = &transposed;
    }
    const int64_t rows = job.product->rows;
    if (threads == 1 || rows * job.product->columns <= KAEL_ELEMENT_GRAIN) {
        return scale_rows(0, rows, &job);
    }
    const int64_t grain = kael_max_i64(1, KAEL_ELEMENT_GRAIN / job.product->columns);
    return kael_parallel_for(0, rows, grain, scale_rows, &job);
}
