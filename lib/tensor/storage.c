#include "tensor/storage.h"

#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "core/reference.h"
#include "memory/size_class.h"

static int64_t aligned(int64_t bytes) {
    return (bytes + KAEL_MEMORY_ALIGNMENT - 1) & -KAEL_MEMORY_ALIGNMENT;
}

/* Up to the largest stepped size class one block costs less than two; above, the structs would push
 * data of a power of two into the next power. */
static bool is_small(int64_t head_bytes, int64_t bytes) {
    return bytes <= KAEL_LARGEST_STEPPED_CAPACITY - head_bytes;
}

static kael_status allocate_data(kael_storage *storage, bool zeroed) {
    KAEL_TRY(zeroed ? kael_block_allocate_zeroed(&storage->data_block, storage->bytes)
                    : kael_block_allocate(&storage->data_block, storage->bytes));
    storage->data = storage->data_block.data;
    return KAEL_OK;
}

static void release_blocks(kael_storage *storage) {
    kael_block_release(&storage->data_block);
    kael_block block = {storage, storage->capacity};
    kael_block_release(&block);
}

kael_status kael_storage_create(kael_storage **storage, int64_t room_bytes, int64_t bytes,
                                bool zeroed) {
    *storage = NULL;
    const int64_t head_bytes = aligned(sizeof(kael_storage)) + aligned(room_bytes);
    const bool small = is_small(head_bytes, bytes);
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, head_bytes + (small ? bytes : 0)));
    kael_storage *created = block.data;
    atomic_init(&created->references, 1);
    created->bytes = bytes;
    created->capacity = block.capacity;
    created->data = NULL;
    created->data_block.data = NULL;
    created->data_block.capacity = 0;
    if (!small) {
        const kael_status status = allocate_data(created, zeroed);
        if (status != KAEL_OK) {
            release_blocks(created);
            return status;
        }
    } else if (bytes > 0) {
        created->data = (char *)block.data + head_bytes;
        if (zeroed) {
            memset(created->data, 0, (size_t)bytes);
        }
    }
    *storage = created;
    return KAEL_OK;
}

void *kael_storage_room(kael_storage *storage) {
    return (char *)storage + aligned(sizeof *storage);
}

void kael_storage_retain(kael_storage *storage) {
    kael_reference_add(&storage->references);
}

void kael_storage_release(kael_storage *storage) {
    if (kael_reference_drop(&storage->references)) {
        release_blocks(storage);
    }
}
