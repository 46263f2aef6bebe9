/* Defines the table kael_indexing_<set> of one instruction set, whose indexing.c defines SET and
 * includes this. */
#ifndef KAEL_KERNELS_INDEXING_SET_H
#define KAEL_KERNELS_INDEXING_SET_H

#include <stddef.h>
#include <string.h>

#include "kernels/element.h"
#include "kernels/indexing.h"
#include "kernels/vectorize.h"

#define KAEL_INDEXING_JOIN_(a, b) a##_##b
#define KAEL_INDEXING_JOIN(a, b) KAEL_INDEXING_JOIN_(a, b)

#define DEFINE_OUT_OF_RANGE(index)                                                                 \
    static bool out_of_range_##index(const void *indices, int64_t count, int64_t lowest,           \
                                     int64_t size) {                                               \
        const index *in = indices;                                                                 \
        uint32_t outside = 0;                                                                      \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            const int64_t position = in[i];                                                        \
            outside |= (uint32_t)(position < lowest) | (uint32_t)(position >= size);               \
        }                                                                                          \
        return outside != 0;                                                                       \
    }

/* The byte offset of the position that an index names. */
#define DEFINE_OFFSET(index)                                                                       \
    static KAEL_ALWAYS_INLINE int64_t offset_##index(const char *at, int64_t size,                 \
                                                     int64_t stride) {                             \
        const int64_t position = *(const index *)(const void *)at;                                 \
        return (position < 0 ? position + size : position) * stride;                               \
    }

DEFINE_OUT_OF_RANGE(int32_t)
DEFINE_OUT_OF_RANGE(int64_t)
DEFINE_OFFSET(int32_t)
DEFINE_OFFSET(int64_t)

/* One row of a gather. Where the row has one index, it is a copy; where it reads one line along dim
 * and writes densely, the strides of the loop are constants. */
#define DEFINE_GATHER(type, index)                                                                 \
    static KAEL_ALWAYS_INLINE void gather_row_##type##_##index(                                    \
        int64_t count, char *out, int64_t out_stride, const char *in, int64_t in_stride,           \
        const char *at, int64_t at_stride, int64_t dim_size, int64_t dim_stride) {                 \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            const int64_t offset = offset_##index(at + i * at_stride, dim_size, dim_stride);       \
            *(type *)(void *)(out + i * out_stride) =                                              \
                *(const type *)(const void *)(in + i * in_stride + offset);                        \
        }                                                                                          \
    }                                                                                              \
    static void gather_##type##_##index(const kael_loop *loop, const void *parameters) {           \
        const kael_gather_parameters dim = *(const kael_gather_parameters *)parameters;            \
        const int64_t count = loop->inner;                                                         \
        const int64_t size = sizeof(type);                                                         \
        const int64_t out_stride = loop->inner_strides[0];                                         \
        const int64_t in_stride = loop->inner_strides[1];                                          \
        const int64_t at_stride = loop->inner_strides[2];                                          \
        const bool reads_a_line =                                                                  \
            out_stride == size && in_stride == 0 && at_stride == sizeof(index);                    \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            char *out = loop->data[0] + row * loop->outer_strides[0];                              \
            const char *in = loop->data[1] + row * loop->outer_strides[1];                         \
            const char *at = loop->data[2] + row * loop->outer_strides[2];                         \
            if (out_stride == size && in_stride == size && at_stride == 0) {                       \
                memcpy(out, in + offset_##index(at, dim.size, dim.stride),                         \
                       (size_t)(count * size));                                                    \
            } else if (reads_a_line && dim.stride == size) {                                       \
                gather_row_##type##_##index(count, out, size, in, 0, at, sizeof(index), dim.size,  \
                                            size);                                                 \
            } else if (reads_a_line) {                                                             \
                gather_row_##type##_##index(count, out, size, in, 0, at, sizeof(index), dim.size,  \
                                            dim.stride);                                           \
            } else {                                                                               \
                gather_row_##type##_##index(count, out, out_stride, in, in_stride, at, at_stride,  \
                                            dim.size, dim.stride);                                 \
            }                                                                                      \
        }                                                                                          \
    }

/* Row after row of positions, or line after line along dim, whichever walks through the indices in
 * the order of memory: each line adds in the order of positions. */
#define DEFINE_SCATTER_ADD(name, sum, storage, index, add)                                         \
    static KAEL_ALWAYS_INLINE void add_##name##_##index(char *out, const char *at, const char *in, \
                                                        const kael_scatter_parameters *dim) {      \
        sum *to = (sum *)(void *)(out + offset_##index(at, dim->size, dim->strides[0]));           \
        const storage value = *(const storage *)(const void *)in;                                  \
        *to = add(*to, value);                                                                     \
    }                                                                                              \
    static void scatter_add_##name##_##index(const kael_loop *loop, const void *parameters) {      \
        const kael_scatter_parameters dim = *(const kael_scatter_parameters *)parameters;          \
        const int64_t *strides = loop->inner_strides;                                              \
        const bool by_lines = KAEL_MAGNITUDE(dim.strides[1]) < KAEL_MAGNITUDE(strides[1]);         \
        const int64_t outer_count = by_lines ? loop->inner : dim.count;                            \
        const int64_t inner_count = by_lines ? dim.count : loop->inner;                            \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            char *out = loop->data[0] + row * loop->outer_strides[0];                              \
            const char *at = loop->data[1] + row * loop->outer_strides[1];                         \
            const char *in = loop->data[2] + row * loop->outer_strides[2];                         \
            for (int64_t i = 0; i < outer_count; ++i) {                                            \
                for (int64_t j = 0; j < inner_count; ++j) {                                        \
                    const int64_t position = by_lines ? j : i;                                     \
                    const int64_t line = by_lines ? i : j;                                         \
                    add_##name##_##index(out + line * strides[0],                                  \
                                         at + line * strides[1] + position * dim.strides[1],       \
                                         in + line * strides[2] + position * dim.strides[2],       \
                                         &dim);                                                    \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#define KAEL_MAGNITUDE(stride) ((stride) < 0 ? -(stride) : (stride))

#define ADD_BOOL(a, b) ((uint8_t)((a) | (b)))
#define DEFINE_FOR_BOOL(NAME, name, text, storage, kind, compute)                                  \
    DEFINE_SCATTER_ADD(name, storage, storage, int32_t, ADD_BOOL)                                  \
    DEFINE_SCATTER_ADD(name, storage, storage, int64_t, ADD_BOOL)
KAEL_BOOL_DTYPE(DEFINE_FOR_BOOL)

/* Integers are added as unsigned ones, where wrapping is defined. */
#define DEFINE_FOR_INTEGER(NAME, name, text, storage, kind, compute)                               \
    static KAEL_ALWAYS_INLINE storage sum_##name(storage a, storage b) {                           \
        return (storage)((uint64_t)a + (uint64_t)b);                                               \
    }                                                                                              \
    DEFINE_SCATTER_ADD(name, storage, storage, int32_t, sum_##name)                                \
    DEFINE_SCATTER_ADD(name, storage, storage, int64_t, sum_##name)
KAEL_INTEGER_DTYPES(DEFINE_FOR_INTEGER)

#define DEFINE_FOR_FLOATING(NAME, name, text, storage, kind, compute)                              \
    static KAEL_ALWAYS_INLINE compute sum_##name(compute a, storage b) {                           \
        return a + kael_decode_##name(b);                                                          \
    }                                                                                              \
    DEFINE_SCATTER_ADD(name, compute, storage, int32_t, sum_##name)                                \
    DEFINE_SCATTER_ADD(name, compute, storage, int64_t, sum_##name)
KAEL_FLOATING_DTYPES(DEFINE_FOR_FLOATING)

#define DEFINE_GATHERS(type)                                                                       \
    DEFINE_GATHER(type, int32_t)                                                                   \
    DEFINE_GATHER(type, int64_t)
DEFINE_GATHERS(uint8_t)
DEFINE_GATHERS(uint16_t)
DEFINE_GATHERS(uint32_t)
DEFINE_GATHERS(uint64_t)

#define BY_INDEX(name)                                                                             \
    { name##_int32_t, name##_int64_t }
#define BY_DTYPE_ROW(NAME, name, text, storage, kind, compute)                                     \
    [KAEL_DTYPE_##NAME] = BY_INDEX(scatter_add_##name),

extern const kael_indexing_kernels KAEL_INDEXING_JOIN(kael_indexing, SET);
const kael_indexing_kernels KAEL_INDEXING_JOIN(kael_indexing, SET) = {
    .out_of_range = BY_INDEX(out_of_range),
    .gather = {BY_INDEX(gather_uint8_t), BY_INDEX(gather_uint16_t), BY_INDEX(gather_uint32_t),
               BY_INDEX(gather_uint64_t)},
    .scatter_add = {KAEL_DTYPES(BY_DTYPE_ROW)},
};

#endif
