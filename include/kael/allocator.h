/* The caching allocator that holds tensors and scratch memory.
 *
 * Freed blocks are kept, up to 1 GiB, and handed out again for the next request of the same size
 * class: multiples of 512 bytes up to 64 KiB, powers of two above. It is on by default; the
 * environment variable KAEL_NO_CACHING_ALLOCATOR, with any value, starts the process with it off.
 * A library built under the address or thread sanitizer never caches, since reused blocks would
 * hide errors. Every function may be called by any thread at any time, also after a fork.
 */
#ifndef KAEL_ALLOCATOR_H
#define KAEL_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"

KAEL_BEGIN_DECLS

/* Bytes are those of whole blocks; reserved_bytes = in_use_bytes + cached_bytes at every moment. */
typedef struct kael_allocator_statistics {
    int64_t reserved_bytes; /* held from the system */
    int64_t in_use_bytes;   /* held by live tensors and scratch memory */
    int64_t cached_bytes;   /* kept for later requests */
    int64_t hits;           /* requests served from the cache */
    int64_t misses;         /* requests served by the system */
} kael_allocator_statistics;

/* Errors: VALUE if statistics is NULL. */
KAEL_API KAEL_NODISCARD kael_status kael_allocator_stats(kael_allocator_statistics *statistics);

/* Gives every cached block back to the system, whichever thread has released it. */
KAEL_API void kael_empty_cache(void);

/* Turns caching on, or off, which also empties the cache. */
KAEL_API void kael_set_caching_allocator_enabled(bool enabled);
KAEL_API bool kael_caching_allocator_enabled(void);

KAEL_END_DECLS

#endif
