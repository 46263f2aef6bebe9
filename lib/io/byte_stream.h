/* Reading the bytes of a regular file, unpacked if it is gzip-compressed. */
#ifndef KAEL_IO_BYTE_STREAM_H
#define KAEL_IO_BYTE_STREAM_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"

typedef struct kael_byte_stream kael_byte_stream;

/* Opens a file; one that begins with gzip's two magic bytes is unpacked as it is read.
 * Errors: IO, naming the file, if it cannot be opened or read or is not a regular file; MEMORY. On
 * an error *stream is NULL. */
KAEL_NODISCARD kael_status kael_byte_stream_open(kael_byte_stream **stream, const char *path);

/* Closes the file; NULL is fine. */
void kael_byte_stream_close(kael_byte_stream *stream);

/* Reads exactly `count` bytes. Errors: IO if the data ends before, cannot be read, or is corrupt.
 */
KAEL_NODISCARD kael_status kael_byte_stream_read(kael_byte_stream *stream, void *buffer,
                                                 int64_t count);

/* Checks that no data follows, and that all of the compressed data was sound. Errors: IO. */
KAEL_NODISCARD kael_status kael_byte_stream_expect_end(kael_byte_stream *stream);

/* The most bytes that the rest of the stream can hold, judged by the file's size. */
int64_t kael_byte_stream_capacity(const kael_byte_stream *stream);

/* An IO error whose message is the text followed by the file's name. */
__attribute__((format(printf, 2, 3))) kael_status
kael_byte_stream_error(const kael_byte_stream *stream, const char *format, ...);

#endif
