/* Blocks of 64-byte aligned memory from the caching allocator. */
#ifndef KAEL_MEMORY_BLOCK_H
#define KAEL_MEMORY_BLOCK_H

#include <stdint.h>

#include "kael/status.h"

#define KAEL_MEMORY_ALIGNMENT 64

/* A block remembers its capacity, which finds its free list again. */
typedef struct kael_block {
    void *data; /* NULL when the block has no bytes */
    int64_t capacity;
} kael_block;

/* Takes a block of at least `bytes` bytes; zero bytes give data NULL and reach no allocator.
 * Errors: VALUE for a negative count; MEMORY, also when the size class cannot be represented. On an
 * error the block is empty. */
KAEL_NODISCARD kael_status kael_block_allocate(kael_block *block, int64_t bytes);

/* Gives a block back and empties it. */
void kael_block_release(kael_block *block);

#endif
