/* Compressed slices: the indices and values of all entries, slice after slice. The form between
 * users' arrays and value-compressed ones. */
#ifndef KAEL_SPARSE_COMPRESSED_H
#define KAEL_SPARSE_COMPRESSED_H

#include <stdint.h>

#include "sparse/vcs.h"

/* All zero is an empty one. `ptr` is i64 and has major + 1 elements; the dtype of `indices` is that
 * of kael_index_dtype(minor). */
typedef struct kael_compressed {
    int64_t major;
    int64_t minor;
    kael_tensor *ptr;
    kael_tensor *indices;
    kael_tensor *values;
} kael_compressed;

void kael_compressed_release(kael_compressed *compressed);

/* Makes arrays for `entries` entries. On an error *out is empty. */
KAEL_NODISCARD kael_status kael_compressed_create(kael_compressed *out, int64_t major,
                                                  int64_t minor, kael_dtype dtype, int64_t entries);

/* Groups entries by what was their index: slices of `out` ascend, whatever the order within the
 * slices of `in`; entries of one position keep their order. */
KAEL_NODISCARD kael_status kael_compressed_transpose(kael_compressed *out,
                                                     const kael_compressed *in);

/* The entries of a matrix in the order in which it stores them. */
KAEL_NODISCARD kael_status kael_compressed_expand(kael_compressed *out, const kael_vcs *matrix);

/* The entries of a matrix in ascending slices of an orientation. */
KAEL_NODISCARD kael_status kael_compressed_from_vcs(kael_compressed *out, const kael_vcs *matrix,
                                                    kael_vcs_orientation orientation);

/* Finds the distinct values of slices whose indices ascend. */
KAEL_NODISCARD kael_status kael_vcs_group(kael_vcs **out, kael_vcs_orientation orientation,
                                          const kael_compressed *slices);

/* The first position in ptr[0 .. count] whose value is at least `entry`. */
int64_t kael_find_slice(const int64_t *ptr, int64_t count, int64_t entry);

/* The first of the slices that piece `piece` of `pieces` covers, so that pieces have about the same
 * number of entries; piece `pieces` begins behind the last slice. */
int64_t kael_slice_of_piece(const int64_t *ptr, int64_t major, int64_t piece, int64_t pieces);

static inline int64_t kael_load_index(const void *indices, int64_t i, int64_t size) {
    return size == 4 ? ((const int32_t *)indices)[i] : ((const int64_t *)indices)[i];
}

static inline void kael_store_index(void *indices, int64_t i, int64_t size, int64_t value) {
    if (size == 4) {
        ((int32_t *)indices)[i] = (int32_t)value;
    } else {
        ((int64_t *)indices)[i] = value;
    }
}

/* The bits of an element. */
static inline uint64_t kael_load_bits(const void *values, int64_t i, int64_t size) {
    switch (size) {
    case 1:
        return ((const uint8_t *)values)[i];
    case 2:
        return ((const uint16_t *)values)[i];
    case 4:
        return ((const uint32_t *)values)[i];
    default:
        return ((const uint64_t *)values)[i];
    }
}

static inline void kael_store_bits(void *values, int64_t i, int64_t size, uint64_t bits) {
    switch (size) {
    case 1:
        ((uint8_t *)values)[i] = (uint8_t)bits;
        break;
    case 2:
        ((uint16_t *)values)[i] = (uint16_t)bits;
        break;
    case 4:
        ((uint32_t *)values)[i] = (uint32_t)bits;
        break;
    default:
        ((uint64_t *)values)[i] = bits;
        break;
    }
}

#endif
