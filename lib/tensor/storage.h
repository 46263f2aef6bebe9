/* Counted memory that tensors share. */
#ifndef KAEL_TENSOR_STORAGE_H
#define KAEL_TENSOR_STORAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/checked.h"
#include "core/reference.h"
#include "core/single_threaded.h"
#include "kael/status.h"
#include "kael/tensor.h"
#include "memory/block.h"

/* Memory that the library did not allocate, and what gives it back: called once with `argument` and
 * `context`, unless it is NULL. */
typedef struct kael_foreign_memory {
    kael_tensor_free_function *free_function;
    void *argument;
    void *context;
} kael_foreign_memory;

/* The block of a storage holds this struct, then room for the tensor that it was made for, then
 * data that are small. So most tensors cost one block. */
typedef struct kael_storage {
    _Atomic int64_t references;
    _Atomic uint64_t version; /* how often the library wrote elements after they were made */
    int64_t bytes;
    void *data;       /* NULL when bytes is 0; KAEL_MEMORY_ALIGNMENT-aligned unless foreign */
    int32_t capacity; /* of the struct's own block */
    bool is_foreign;
    union {
        kael_block block; /* data that are large; else empty */
        kael_foreign_memory foreign;
    } owned;
} kael_storage;

/* Makes storage of `bytes` >= 0 bytes with one reference, filled with zeros if `zeroed`, and room
 * for `room_bytes` bytes behind its struct. Errors: MEMORY; *storage is then NULL. */
KAEL_NODISCARD kael_status kael_storage_create(kael_storage **storage, int64_t room_bytes,
                                               int64_t bytes, bool zeroed);

/* The same on foreign memory of `bytes` bytes from `data` on, which the last release gives back. On
 * an error, nothing gives it back. */
KAEL_NODISCARD kael_status kael_storage_wrap(kael_storage **storage, int64_t room_bytes,
                                             int64_t bytes, void *data,
                                             const kael_foreign_memory *foreign);

/* The room behind a storage's struct, aligned to KAEL_MEMORY_ALIGNMENT; it lives as long. */
static inline void *kael_storage_room(kael_storage *storage) {
    return (char *)storage + kael_round_up(sizeof *storage, KAEL_MEMORY_ALIGNMENT);
}

static inline void kael_storage_retain(kael_storage *storage) {
    kael_reference_add(&storage->references);
}

static inline uint64_t kael_storage_version(const kael_storage *storage) {
    return atomic_load_explicit(&storage->version, memory_order_relaxed);
}

static inline void kael_storage_mark_written(kael_storage *storage) {
    if (kael_is_single_threaded()) {
        atomic_store_explicit(&storage->version, kael_storage_version(storage) + 1,
                              memory_order_relaxed);
    } else {
        atomic_fetch_add_explicit(&storage->version, 1, memory_order_relaxed);
    }
}

void kael_storage_release(kael_storage *storage);

#endif
