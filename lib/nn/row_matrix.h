/* A tensor as a matrix for kernels of rows: the elements along one dimension are a row, contiguous
 * and of dtype f32 or f64; rows come in the row-major order of the other dimensions. */
#ifndef KAEL_NN_ROW_MATRIX_H
#define KAEL_NN_ROW_MATRIX_H

#include "kael/tensor.h"

typedef struct kael_row_matrix {
    int64_t rows;
    int64_t count;
    int64_t row_stride; /* in elements, between the first ones of two rows */
    int64_t element_size;
    kael_dtype dtype;
    void *data;
    kael_tensor *view; /* the tensor with the dimension moved to the end */
    kael_tensor *copy; /* NULL where the tensor's own memory serves */
} kael_row_matrix;

/* Room for an element of either dtype. */
typedef union kael_row_number {
    float f32;
    double f64;
} kael_row_number;

/* f32 for the floats of 16 bits, which it holds exactly, and f32 and f64 themselves. */
kael_dtype kael_row_dtype(kael_dtype dtype);

/* DTYPE unless it is floating point; VALUE for NULL. */
KAEL_NODISCARD kael_status kael_require_floating(const kael_tensor *tensor, const char *name);

/* The rows of a tensor to read; a copy where its elements cannot be read where they are. `dim` is
 * from 0 on; a tensor without dimensions is one row of one element.
 * Errors: MEMORY and those of kael_parallel_for; there is nothing to close then. */
KAEL_NODISCARD kael_status kael_row_matrix_open(kael_row_matrix *matrix, const kael_tensor *tensor,
                                                int64_t dim);

/* The rows of a tensor to write, whose elements are distinct: where its own memory does not serve,
 * those of `spare` if that is a copy, whose row i may then be read until row i is written. */
KAEL_NODISCARD kael_status kael_row_matrix_open_out(kael_row_matrix *matrix, kael_tensor *tensor,
                                                    int64_t dim, const kael_row_matrix *spare);

/* The same where a row is all elements of the last `dims` dimensions. */
KAEL_NODISCARD kael_status kael_row_matrix_open_last(kael_row_matrix *matrix,
                                                     const kael_tensor *tensor, int64_t dims);
KAEL_NODISCARD kael_status kael_row_matrix_open_last_out(kael_row_matrix *matrix,
                                                         kael_tensor *tensor, int64_t dims,
                                                         const kael_row_matrix *spare);

/* Brings what was written to the tensor. */
KAEL_NODISCARD kael_status kael_row_matrix_commit(kael_row_matrix *matrix);

void kael_row_matrix_close(kael_row_matrix *matrix);

/* Elements of arrays of f32 or f64, which `put` rounds to. */
static inline double kael_row_get(kael_dtype dtype, const void *data, int64_t index) {
    return dtype == KAEL_F32 ? (double)((const float *)data)[index] : ((const double *)data)[index];
}

static inline void kael_row_put(kael_dtype dtype, void *data, int64_t index, double value) {
    if (dtype == KAEL_F32) {
        ((float *)data)[index] = (float)value;
    } else {
        ((double *)data)[index] = value;
    }
}

static inline void *kael_row_at(const kael_row_matrix *matrix, int64_t row) {
    return (char *)matrix->data + row * matrix->row_stride * matrix->element_size;
}

#endif
