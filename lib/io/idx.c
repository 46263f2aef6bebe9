/* The IDX format of the MNIST data sets. */
#include <inttypes.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "io/byte_stream.h"
#include "kael/io.h"
#include "tensor/require.h"
#include "tensor/shape.h"

typedef struct idx_type {
    unsigned char code;
    kael_dtype dtype;
} idx_type;

static const idx_type idx_types[] = {
    {0x08, KAEL_U8},  {0x09, KAEL_I8},  {0x0B, KAEL_I16},
    {0x0C, KAEL_I32}, {0x0D, KAEL_F32}, {0x0E, KAEL_F64},
};

typedef struct idx_header {
    kael_dtype dtype;
    int64_t ndim;
    int64_t shape[KAEL_MAX_DIMS];
} idx_header;

static kael_status find_dtype(kael_dtype *dtype, unsigned char code,
                              const kael_byte_stream *stream) {
    for (size_t i = 0; i < sizeof idx_types / sizeof idx_types[0]; ++i) {
        if (idx_types[i].code == code) {
            *dtype = idx_types[i].dtype;
            return KAEL_OK;
        }
    }
    return kael_byte_stream_error(
        stream, "an IDX type must be 0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e, got 0x%02x", code);
}

static kael_status read_header(idx_header *header, kael_byte_stream *stream) {
    unsigned char start[4];
    KAEL_TRY(kael_byte_stream_read(stream, start, sizeof start));
    if (start[0] != 0 || start[1] != 0) {
        return kael_byte_stream_error(
            stream, "an IDX file must begin with two zero bytes, got 0x%02x 0x%02x", start[0],
            start[1]);
    }
    KAEL_TRY(find_dtype(&header->dtype, start[2], stream));
    header->ndim = start[3];
    if (header->ndim > KAEL_MAX_DIMS) {
        return kael_byte_stream_error(stream,
                                      "an IDX file may have at most %d dimensions, got %" PRId64,
                                      KAEL_MAX_DIMS, header->ndim);
    }
    for (int64_t i = 0; i < header->ndim; ++i) {
        unsigned char size[4];
        KAEL_TRY(kael_byte_stream_read(stream, size, sizeof size));
        header->shape[i] = (int64_t)size[0] << 24 | size[1] << 16 | size[2] << 8 | size[3];
    }
    return KAEL_OK;
}

/* Refuses sizes that the file cannot hold before memory is taken for them. */
static kael_status check_sizes(int64_t *bytes, const idx_header *header,
                               const kael_byte_stream *stream) {
    int64_t numel = 0;
    const int64_t capacity = kael_byte_stream_capacity(stream);
    if (kael_shape_measure(&numel, bytes, header->dtype, header->ndim, header->shape) == KAEL_OK &&
        *bytes <= capacity) {
        return KAEL_OK;
    }
    char text[KAEL_SHAPE_TEXT_SIZE];
    return kael_byte_stream_error(
        stream, "the data ends early: %" PRId64 " bytes cannot hold %s of shape %s", capacity,
        kael_dtype_name(header->dtype), kael_shape_text(text, header->ndim, header->shape));
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SWAP_BYTES(bits, data, count)                                                              \
    do {                                                                                           \
        uint##bits##_t *elements = data;                                                           \
        for (int64_t i = 0; i < count; ++i) {                                                      \
            elements[i] = __builtin_bswap##bits(elements[i]);                                      \
        }                                                                                          \
    } while (0)
#else
#define SWAP_BYTES(bits, data, count) ((void)(data), (void)(count))
#endif

static void big_endian_to_native(void *data, int64_t count, int64_t element_size) {
    switch (element_size) {
    case 2:
        SWAP_BYTES(16, data, count);
        break;
    case 4:
        SWAP_BYTES(32, data, count);
        break;
    case 8:
        SWAP_BYTES(64, data, count);
        break;
    default:
        break;
    }
}

static kael_status load(kael_tensor **out, kael_byte_stream *stream) {
    idx_header header = {0};
    int64_t bytes = 0;
    KAEL_TRY(read_header(&header, stream));
    KAEL_TRY(check_sizes(&bytes, &header, stream));
    KAEL_TRY(kael_tensor_empty(out, header.dtype, header.ndim, header.shape));
    KAEL_TRY(kael_byte_stream_read(stream, kael_tensor_data(*out), bytes));
    KAEL_TRY(kael_byte_stream_expect_end(stream));
    big_endian_to_native(kael_tensor_data(*out), kael_tensor_numel(*out),
                         kael_dtype_size(header.dtype));
    return KAEL_OK;
}

kael_status kael_idx_load(kael_tensor **out, const char *path) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(path, "path"));
    kael_byte_stream *stream = NULL;
    KAEL_TRY(kael_byte_stream_open(&stream, path));
    const kael_status status = load(out, stream);
    kael_byte_stream_close(stream);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}
