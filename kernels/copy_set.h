/* Defines the table kael_copy_<set> of one instruction set, whose copy.c includes the vectors of
 * interleave.h that it has, defines SET and includes this. */
#ifndef KAEL_KERNELS_COPY_SET_H
#define KAEL_KERNELS_COPY_SET_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/cast.h"
#include "kernels/copy.h"
#include "kernels/vectorize.h"
#define KAEL_STREAMS (parameters != NULL)
#include "kernels/elementwise_loops.h"

#define JOIN2_(a, b) a##b
#define JOIN2(a, b) JOIN2_(a, b)
#define JOIN3_(a, b, c) a##b##c
#define JOIN3(a, b, c) JOIN3_(a, b, c)
#define JOIN4_(a, b, c, d) a##b##c##d
#define JOIN4(a, b, c, d) JOIN4_(a, b, c, d)
#define CONVERT(from, to) JOIN4(convert_, from, _to_, to)
#define CAST(from, to) JOIN4(kael_cast_, from, _, to)
#define COPY(size) JOIN2(copy_, size)
#define STREAM(size) JOIN2(stream_, size)
#define INTERLEAVE_LOW(size) JOIN2(interleave_low_, size)
#define INTERLEAVE_HIGH(size) JOIN2(interleave_high_, size)

enum { VECTOR_BYTES = sizeof(interleave_vector), LINE_BYTES = 64 };

static KAEL_ALWAYS_INLINE interleave_vector load_vector(const char *in) {
    interleave_vector vector;
    memcpy(&vector, in, sizeof vector);
    return vector;
}

/* In and out may be the very same. */
static void copy_bytes(int64_t count, char *out, const char *in) {
    int64_t i = 0;
    for (; i + LINE_BYTES <= count; i += LINE_BYTES) {
        for (int64_t k = i; k < i + LINE_BYTES; k += VECTOR_BYTES) {
            interleave_store(out + k, load_vector(in + k));
        }
    }
    for (; i < count; ++i) {
        out[i] = in[i];
    }
}

/* Lines that are not written whole go through the caches. */
static void stream_bytes(int64_t count, char *out, const char *in) {
    const int64_t misaligned = (int64_t)(-(uintptr_t)out % LINE_BYTES);
    int64_t i = misaligned < count ? misaligned : count;
    copy_bytes(i, out, in);
    for (; i + LINE_BYTES <= count; i += LINE_BYTES) {
        for (int64_t k = i; k < i + LINE_BYTES; k += VECTOR_BYTES) {
            interleave_stream(out + k, load_vector(in + k));
        }
    }
    copy_bytes(count - i, out + i, in + i);
}

/* Asks for two cache lines of each row; such short runs are not fetched on their own. */
static KAEL_ALWAYS_INLINE void fetch_ahead(int rows, const char *in, int64_t row_stride) {
    for (int row = 0; row < rows; ++row) {
        __builtin_prefetch(in + row * row_stride, 0, 2);
        __builtin_prefetch(in + row * row_stride + LINE_BYTES, 0, 2);
    }
}

static void finish_streams(void) {
    interleave_finish_streams();
}

#define SIZE 1
#define T uint8_t
#include "kernels/copy_template.h"
#undef T
#undef SIZE
#define SIZE 2
#define T uint16_t
#include "kernels/copy_template.h"
#undef T
#undef SIZE
#define SIZE 4
#define T uint32_t
#include "kernels/copy_template.h"
#undef T
#undef SIZE
#define SIZE 8
#define T uint64_t
#include "kernels/copy_template.h"
#undef T
#undef SIZE

/* Integers of one size are one target, whatever their signedness. */
#define TARGETS(X)                                                                                 \
    KAEL_BOOL_DTYPE(X)                                                                             \
    KAEL_UNSIGNED_DTYPES(X)                                                                        \
    KAEL_FLOATING_DTYPES(X)
#define FROM i8
#define FROM_TYPE int8_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM i16
#define FROM_TYPE int16_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM i32
#define FROM_TYPE int32_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM i64
#define FROM_TYPE int64_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM u8
#define FROM_TYPE uint8_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM u16
#define FROM_TYPE uint16_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM u32
#define FROM_TYPE uint32_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM u64
#define FROM_TYPE uint64_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#undef TARGETS

#define TARGETS(X) KAEL_DTYPES(X)
#define FROM f16
#define FROM_TYPE uint16_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM bf16
#define FROM_TYPE uint16_t
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM f32
#define FROM_TYPE float
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#define FROM f64
#define FROM_TYPE double
#include "kernels/convert_template.h"
#undef FROM_TYPE
#undef FROM
#undef TARGETS

#define INTEGER_ENTRIES(NUMBER, from)                                                              \
    .convert[KAEL_DTYPE_BOOL][NUMBER] = CONVERT(from, b8),                                         \
    .convert[KAEL_DTYPE_I8][NUMBER] = CONVERT(from, u8),                                           \
    .convert[KAEL_DTYPE_U8][NUMBER] = CONVERT(from, u8),                                           \
    .convert[KAEL_DTYPE_I16][NUMBER] = CONVERT(from, u16),                                         \
    .convert[KAEL_DTYPE_U16][NUMBER] = CONVERT(from, u16),                                         \
    .convert[KAEL_DTYPE_I32][NUMBER] = CONVERT(from, u32),                                         \
    .convert[KAEL_DTYPE_U32][NUMBER] = CONVERT(from, u32),                                         \
    .convert[KAEL_DTYPE_I64][NUMBER] = CONVERT(from, u64),                                         \
    .convert[KAEL_DTYPE_U64][NUMBER] = CONVERT(from, u64),                                         \
    .convert[KAEL_DTYPE_F16][NUMBER] = CONVERT(from, f16),                                         \
    .convert[KAEL_DTYPE_BF16][NUMBER] = CONVERT(from, bf16),                                       \
    .convert[KAEL_DTYPE_F32][NUMBER] = CONVERT(from, f32),                                         \
    .convert[KAEL_DTYPE_F64][NUMBER] = CONVERT(from, f64),

#define INTEGER_COLUMN(NAME, name, text, storage, kind, compute)                                   \
    INTEGER_ENTRIES(KAEL_DTYPE_##NAME, name)

#define FROM_F16(NAME, name, text, storage, kind, compute)                                         \
    .convert[KAEL_DTYPE_##NAME][KAEL_DTYPE_F16] = CONVERT(f16, name),
#define FROM_BF16(NAME, name, text, storage, kind, compute)                                        \
    .convert[KAEL_DTYPE_##NAME][KAEL_DTYPE_BF16] = CONVERT(bf16, name),
#define FROM_F32(NAME, name, text, storage, kind, compute)                                         \
    .convert[KAEL_DTYPE_##NAME][KAEL_DTYPE_F32] = CONVERT(f32, name),
#define FROM_F64(NAME, name, text, storage, kind, compute)                                         \
    .convert[KAEL_DTYPE_##NAME][KAEL_DTYPE_F64] = CONVERT(f64, name),

extern const kael_copy_kernels JOIN2(kael_copy_, SET);
const kael_copy_kernels JOIN2(kael_copy_, SET) = {
    .copy = {COPY(1), COPY(2), COPY(4), COPY(8)},
    .stream = {STREAM(1), STREAM(2), STREAM(4), STREAM(8)},
    .finish_streams = finish_streams,
    INTEGER_ENTRIES(KAEL_DTYPE_BOOL, u8) /* a bool is a byte, 0 or 1 */
    KAEL_INTEGER_DTYPES(INTEGER_COLUMN) KAEL_DTYPES(FROM_F16) KAEL_DTYPES(FROM_BF16)
        KAEL_DTYPES(FROM_F32) KAEL_DTYPES(FROM_F64)};

#endif
