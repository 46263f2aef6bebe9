/* Validation of tensor arguments: each returns an error whose message names the argument, what it
 * must be and what it is. */
#ifndef KAEL_TENSOR_REQUIRE_H
#define KAEL_TENSOR_REQUIRE_H

#include <stddef.h>
#include <stdint.h>

#include "kael/tensor.h"
#include "tensor/shape.h"

/* A VALUE error for an argument that is NULL. */
kael_status kael_null_error(const char *name);

/* VALUE for NULL. */
KAEL_NODISCARD static inline kael_status kael_require_not_null(const void *argument,
                                                               const char *name) {
    return argument != NULL ? KAEL_OK : kael_null_error(name);
}

/* VALUE for NULL; else sets *out to NULL. */
KAEL_NODISCARD static inline kael_status kael_require_out(kael_tensor **out) {
    if (out == NULL) {
        return kael_null_error("out");
    }
    *out = NULL;
    return KAEL_OK;
}

/* DTYPE unless it is this dtype; unless it is f32 or f64. */
KAEL_NODISCARD kael_status kael_tensor_require_dtype(const kael_tensor *tensor, const char *name,
                                                     kael_dtype dtype);
KAEL_NODISCARD kael_status kael_tensor_require_f32_or_f64(const kael_tensor *tensor,
                                                          const char *name);

/* SHAPE unless it is this shape, where KAEL_ANY_SIZE stands for any size. */
KAEL_NODISCARD kael_status kael_tensor_require_shape(const kael_tensor *tensor, const char *name,
                                                     int64_t ndim, const int64_t *shape);

/* Finds the dimension that `dim` names: 0 is the first, -1 the last. INDEX when there is none. */
KAEL_NODISCARD kael_status kael_tensor_require_dim(const kael_tensor *tensor, int64_t dim,
                                                   int64_t *found);

/* Finds the position that an index of a dimension names: 0 is the first, -1 the last. INDEX when
 * there is none. */
KAEL_NODISCARD kael_status kael_tensor_require_index(const kael_tensor *tensor, int64_t dim,
                                                     int64_t index, int64_t *position);

/* UNSUPPORTED unless it is contiguous. */
KAEL_NODISCARD kael_status kael_tensor_require_contiguous(const kael_tensor *tensor,
                                                          const char *name);

/* All of these: not NULL, this dtype, this shape, contiguous. */
KAEL_NODISCARD kael_status kael_tensor_require(const kael_tensor *tensor, const char *name,
                                               kael_dtype dtype, int64_t ndim,
                                               const int64_t *shape);

/* VALUE if the address ranges of the two tensors' elements overlap. */
KAEL_NODISCARD kael_status kael_tensor_require_disjoint(const kael_tensor *tensor, const char *name,
                                                        const kael_tensor *other,
                                                        const char *other_name);

#endif
