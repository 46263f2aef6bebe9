#define _POSIX_C_SOURCE 200809L

#include "io/byte_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "memory/block.h"

enum {
    BUFFER_SIZE = 65536,
    GZIP_WINDOW = 15 + 16,    /* zlib: the largest window, and gzip's header and trailer */
    LARGEST_EXPANSION = 1032, /* of deflate: 258 bytes from two bits */
    UNPACKER_BYTES = 16,      /* of input, at most, that zlib holds without their output */
    PATH_TAIL = 200           /* characters of a path that an error message shows */
};

struct kael_byte_stream {
    kael_block block; /* holds this struct */
    const char *path;
    int file;
    bool is_gzip;
    bool member_ended; /* of gzip: at the end of a member, another one may follow */
    int64_t unread;    /* bytes of the file that are not in the buffer yet */
    int64_t available; /* bytes in the buffer that are not used yet */
    unsigned char *next;
    z_stream inflater;
    unsigned char buffer[BUFFER_SIZE];
};

static kael_status path_error(const char *path, const char *text) {
    const size_t length = strlen(path);
    const bool whole = length <= PATH_TAIL;
    return kael_error(KAEL_ERROR_IO, "%s: '%s%s'", text, whole ? "" : "...",
                      whole ? path : path + length - PATH_TAIL);
}

static kael_status system_error(const char *path, const char *action, int error) {
    char reason[128];
    char text[192];
    if (strerror_r(error, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", error);
    }
    snprintf(text, sizeof text, "cannot %s the file (%s)", action, reason);
    return path_error(path, text);
}

kael_status kael_byte_stream_error(const kael_byte_stream *stream, const char *format, ...) {
    char text[288]; /* enough for the sizes of KAEL_MAX_DIMS dimensions */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return path_error(stream->path, text);
}

/* Refills the empty buffer; it stays empty at the end of the file. */
static kael_status fill_buffer(kael_byte_stream *stream) {
    ssize_t count;
    do {
        count = read(stream->file, stream->buffer, BUFFER_SIZE);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return system_error(stream->path, "read", errno);
    }
    stream->next = stream->buffer;
    stream->available = count;
    stream->unread = kael_max_i64(0, stream->unread - count);
    return KAEL_OK;
}

static kael_status start_inflating(kael_byte_stream *stream) {
    stream->is_gzip =
        stream->available >= 2 && stream->buffer[0] == 0x1f && stream->buffer[1] == 0x8b;
    if (stream->is_gzip && inflateInit2(&stream->inflater, GZIP_WINDOW) != Z_OK) {
        stream->is_gzip = false;
        return kael_error(KAEL_ERROR_MEMORY, "out of memory for unpacking a gzip file");
    }
    return KAEL_OK;
}

static kael_status open_regular_file(kael_byte_stream *stream) {
    /* Non-blocking, so that a pipe without a writer is refused rather than waited for. */
    stream->file = open(stream->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (stream->file < 0) {
        return system_error(stream->path, "open", errno);
    }
    struct stat information;
    if (fstat(stream->file, &information) != 0) {
        return system_error(stream->path, "inspect", errno);
    }
    if (!S_ISREG(information.st_mode)) {
        return path_error(stream->path, "not a regular file");
    }
    stream->unread = information.st_size;
    KAEL_TRY(fill_buffer(stream));
    return start_inflating(stream);
}

kael_status kael_byte_stream_open(kael_byte_stream **out, const char *path) {
    *out = NULL;
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, sizeof(kael_byte_stream)));
    kael_byte_stream *stream = block.data;
    *stream = (kael_byte_stream){.block = block, .path = path, .file = -1};
    const kael_status status = open_regular_file(stream);
    if (status != KAEL_OK) {
        kael_byte_stream_close(stream);
        return status;
    }
    *out = stream;
    return KAEL_OK;
}

void kael_byte_stream_close(kael_byte_stream *stream) {
    if (stream == NULL) {
        return;
    }
    if (stream->is_gzip) {
        inflateEnd(&stream->inflater);
    }
    if (stream->file >= 0) {
        close(stream->file);
    }
    kael_block block = stream->block;
    kael_block_release(&block);
}

static kael_status copy_some(kael_byte_stream *stream, unsigned char *buffer, int64_t count,
                             int64_t *done) {
    *done = kael_min_i64(count, stream->available);
    memcpy(buffer, stream->next, (size_t)*done);
    stream->next += *done;
    stream->available -= *done;
    return KAEL_OK;
}

/* Between two members of a gzip file, which are unpacked as one. */
static kael_status start_next_member(kael_byte_stream *stream) {
    stream->member_ended = false;
    return inflateReset(&stream->inflater) == Z_OK
               ? KAEL_OK
               : kael_byte_stream_error(stream, "cannot unpack the gzip data");
}

static kael_status inflate_some(kael_byte_stream *stream, unsigned char *buffer, int64_t count,
                                int64_t *done) {
    *done = 0;
    if (stream->member_ended) {
        KAEL_TRY(start_next_member(stream));
    }
    z_stream *inflater = &stream->inflater;
    inflater->next_in = stream->next;
    inflater->avail_in = (uInt)stream->available;
    inflater->next_out = buffer;
    inflater->avail_out = (uInt)kael_min_i64(count, INT32_MAX);
    const int64_t room = inflater->avail_out;
    const int result = inflate(inflater, Z_NO_FLUSH);
    stream->available = inflater->avail_in;
    stream->next = inflater->next_in;
    *done = room - inflater->avail_out;
    switch (result) {
    case Z_STREAM_END:
        stream->member_ended = true;
        return KAEL_OK;
    case Z_OK:
    case Z_BUF_ERROR:
        return KAEL_OK;
    case Z_MEM_ERROR:
        return kael_error(KAEL_ERROR_MEMORY, "out of memory for unpacking a gzip file");
    default:
        return kael_byte_stream_error(stream, "corrupt gzip data (%s)",
                                      inflater->msg != NULL ? inflater->msg : "unknown reason");
    }
}

/* Zeros may pad a gzip file from the end of a member to the end of the file, as on tapes. */
static kael_status skip_padding(kael_byte_stream *stream) {
    while (stream->available > 0) {
        for (; stream->available > 0; --stream->available) {
            if (*stream->next++ != 0) {
                return kael_byte_stream_error(stream,
                                              "only zeros may follow the padding of the gzip data");
            }
        }
        KAEL_TRY(fill_buffer(stream));
    }
    return KAEL_OK;
}

/* Gives up to `count` bytes, and none only at the end of the data. */
static kael_status read_some(kael_byte_stream *stream, unsigned char *buffer, int64_t count,
                             int64_t *done) {
    do {
        if (stream->available == 0) {
            KAEL_TRY(fill_buffer(stream));
        }
        if (stream->member_ended && stream->available > 0 && *stream->next == 0) {
            KAEL_TRY(skip_padding(stream));
        }
        if (stream->available == 0) {
            *done = 0;
            return stream->is_gzip && !stream->member_ended
                       ? kael_byte_stream_error(stream, "the gzip data ends early")
                       : KAEL_OK;
        }
        KAEL_TRY(stream->is_gzip ? inflate_some(stream, buffer, count, done)
                                 : copy_some(stream, buffer, count, done));
    } while (*done == 0);
    return KAEL_OK;
}

kael_status kael_byte_stream_read(kael_byte_stream *stream, void *buffer, int64_t count) {
    unsigned char *bytes = buffer;
    for (int64_t total = 0, done = 0; total < count; total += done) {
        KAEL_TRY(read_some(stream, bytes + total, count - total, &done));
        if (done == 0) {
            return kael_byte_stream_error(stream, "the data ends early");
        }
    }
    return KAEL_OK;
}

kael_status kael_byte_stream_expect_end(kael_byte_stream *stream) {
    unsigned char byte;
    int64_t done = 0;
    KAEL_TRY(read_some(stream, &byte, 1, &done));
    return done == 0 ? KAEL_OK : kael_byte_stream_error(stream, "data follows the last element");
}

int64_t kael_byte_stream_capacity(const kael_byte_stream *stream) {
    int64_t capacity = stream->unread + stream->available;
    if (stream->is_gzip &&
        !kael_checked_multiply(capacity + UNPACKER_BYTES, LARGEST_EXPANSION, &capacity)) {
        return INT64_MAX;
    }
    return capacity;
}
