#include "tensor/storage.h"

#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "memory/size_class.h"

_Static_assert(sizeof(kael_storage) <= KAEL_MEMORY_ALIGNMENT, "small tensors should stay small");

static int64_t aligned(int64_t bytes) {
    return (bytes + KAEL_MEMORY_ALIGNMENT - 1) & -KAEL_MEMORY_ALIGNMENT;
}

/* Up to the largest stepped size class one block costs less than two; above, the structs would push
 * data of a power of two into the next power. */
static bool is_small(int64_t head_bytes, int64_t bytes) {
    return bytes <= KAEL_LARGEST_STEPPED_CAPACITY - head_bytes;
}

static void release_struct(kael_storage *storage) {
    kael_block block = {storage, storage->capacity};
    kael_block_release(&block);
}

static void release_data(kael_storage *storage) {
    if (!storage->is_foreign) {
        if (storage->owned.block.data != NULL) {
            kael_block_release(&storage->owned.block);
        }
    } else if (storage->owned.foreign.free_function != NULL) {
        storage->owned.foreign.free_function(storage->owned.foreign.argument,
                                             storage->owned.foreign.context);
    }
}

/* Makes storage without data, in a block of `block_bytes`. */
static inline kael_status create_struct(kael_storage **storage, int64_t bytes,
                                        int64_t block_bytes) {
    *storage = NULL;
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, block_bytes));
    kael_storage *created = block.data;
    atomic_init(&created->references, 1);
    atomic_init(&created->version, 0);
    created->bytes = bytes;
    created->data = NULL;
    created->capacity = (int32_t)block.capacity; /* at most KAEL_LARGEST_STEPPED_CAPACITY */
    created->is_foreign = false;
    created->owned.block = (kael_block){NULL, 0};
    *storage = created;
    return KAEL_OK;
}

static int64_t head_bytes(int64_t room_bytes) {
    return aligned(sizeof(kael_storage)) + aligned(room_bytes);
}

/* Not inlined: its registers would cost small storages, of which there are more. */
__attribute__((noinline)) static kael_status create_large(kael_storage **storage, int64_t head,
                                                          int64_t bytes, bool zeroed) {
    KAEL_TRY(create_struct(storage, bytes, head));
    kael_block *block = &(*storage)->owned.block;
    const kael_status status =
        zeroed ? kael_block_allocate_zeroed(block, bytes) : kael_block_allocate(block, bytes);
    if (status != KAEL_OK) {
        release_struct(*storage);
        *storage = NULL;
        return status;
    }
    (*storage)->data = block->data;
    return KAEL_OK;
}

kael_status kael_storage_create(kael_storage **storage, int64_t room_bytes, int64_t bytes,
                                bool zeroed) {
    const int64_t head = head_bytes(room_bytes);
    if (!is_small(head, bytes)) {
        return create_large(storage, head, bytes, zeroed);
    }
    KAEL_TRY(create_struct(storage, bytes, head + bytes));
    if (bytes > 0) {
        (*storage)->data = (char *)*storage + head;
        if (zeroed) {
            memset((*storage)->data, 0, (size_t)bytes);
        }
    }
    return KAEL_OK;
}

kael_status kael_storage_wrap(kael_storage **storage, int64_t room_bytes, int64_t bytes, void *data,
                              const kael_foreign_memory *foreign) {
    KAEL_TRY(create_struct(storage, bytes, head_bytes(room_bytes)));
    (*storage)->data = data;
    (*storage)->is_foreign = true;
    (*storage)->owned.foreign = *foreign;
    return KAEL_OK;
}

void kael_storage_release(kael_storage *storage) {
    if (kael_reference_drop(&storage->references)) {
        release_data(storage);
        release_struct(storage);
    }
}
