/* Validation of the arrays that sparse matrices are made from. */
#ifndef KAEL_SPARSE_CHECK_H
#define KAEL_SPARSE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"

/* VALUE for NULL; SHAPE unless it has one dimension. */
KAEL_NODISCARD kael_status kael_check_array(const kael_tensor *array, const char *name);

/* Also DTYPE unless it is i32 or i64. */
KAEL_NODISCARD kael_status kael_check_index_array(const kael_tensor *array, const char *name);

/* SHAPE unless the array has so many elements, which `rule` explains. */
KAEL_NODISCARD kael_status kael_check_length(const kael_tensor *array, const char *name,
                                             int64_t length, const char *rule);

/* SHAPE for negative sizes, and for one whose pointers could not be counted. */
KAEL_NODISCARD kael_status kael_check_sizes(int64_t rows, int64_t columns);

/* INDEX for an element of an i32 or i64 array, in any layout, outside 0 .. size - 1. */
KAEL_NODISCARD kael_status kael_check_range(const kael_tensor *indices, const char *name,
                                            int64_t size);

/* VALUE unless the `count` + 1 pointers start at 0, never decrease (or, if `strictly`, ascend) and
 * end at `end`, which `what` names. */
KAEL_NODISCARD kael_status kael_check_pointers(const int64_t *ptr, const char *name, int64_t count,
                                               int64_t end, const char *what, bool strictly);

/* VALUE unless the indices ascend within each of the slices. */
KAEL_NODISCARD kael_status kael_check_ascending(const void *indices, int64_t index_size,
                                                const char *name, const int64_t *ptr,
                                                int64_t slices);

#endif
