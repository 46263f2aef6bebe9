/* Reading data files. */
#ifndef KAEL_IO_H
#define KAEL_IO_H

#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* Reads a tensor from a file in the IDX format of the MNIST data sets, plain or gzip-compressed:
 * two zero bytes, a type byte, the number of dimensions, that many big-endian 32-bit sizes, then
 * the elements, big-endian and row-major. The result has the file's own dtype: u8 (type 0x08), i8
 * (0x09), i16 (0x0B), i32 (0x0C), f32 (0x0D) or f64 (0x0E). As with gzip(1), a compressed file may
 * have several members, and zeros after the last one.
 *
 * Errors: VALUE for NULL; IO, naming the file and the rule, when it cannot be read or is no IDX
 * file, when it ends early or goes on after its last element, or when its compressed data is
 * corrupt; MEMORY. On an error *out is NULL. */
KAEL_API KAEL_NODISCARD kael_status kael_idx_load(kael_tensor **out, const char *path);

KAEL_END_DECLS

#endif
