/* Blocks of 64-byte aligned memory from the caching allocator. All memory of the library comes from
 * here, which keeps the statistics true and lets tests fail any allocation. */
#ifndef KAEL_MEMORY_BLOCK_H
#define KAEL_MEMORY_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"

#define KAEL_MEMORY_ALIGNMENT 64

/* A block remembers its capacity, which finds its free list again. Only the bytes that were asked
 * for may be used: sanitizer builds reserve no more. */
typedef struct kael_block {
    void *data; /* NULL when the block has no bytes */
    int64_t capacity;
} kael_block;

/* Takes a block of at least `bytes` bytes; zero bytes give data NULL and reach no allocator.
 * Errors: VALUE for a negative count; MEMORY, also when the size class cannot be represented. On an
 * error the block is empty. */
KAEL_NODISCARD kael_status kael_block_allocate(kael_block *block, int64_t bytes);

/* The same with the first `bytes` bytes zero, for free where the system's pages come zeroed. */
KAEL_NODISCARD kael_status kael_block_allocate_zeroed(kael_block *block, int64_t bytes);

/* Gives a block back and empties it. An empty block is fine. */
void kael_block_release(kael_block *block);

/* Makes sure that the allocator's lock is held across forks, which is false where the system cannot
 * arrange it. Handlers that run before a fork and wait for threads which release blocks must be
 * registered after this. */
bool kael_block_survive_forks(void);

#endif
