#include "memory/block.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/allocator.h"
#include "memory/sanitizer.h"
#include "memory/size_class.h"
#include "memory/system.h"
#include "memory/thread_cache.h"

static const int64_t largest_cache = INT64_C(1) << 30;

/* A free block holds the link to the next one of its class, so that keeping a block cannot fail. */
typedef struct free_block {
    struct free_block *next;
} free_block;

/* The cache that threads share. Its bytes and hits leave out those of the thread caches. Never
 * destroyed, since tensors may outlive main. */
static struct {
    pthread_mutex_t lock;
    bool enabled;
    free_block *free_blocks[KAEL_SIZE_CLASSES];
    int64_t cached_bytes;
    int64_t reserved_bytes; /* by all: in use, here, and in thread caches */
    int64_t hits;
    int64_t misses;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t setup_once = PTHREAD_ONCE_INIT;
static pthread_once_t fork_handlers_once = PTHREAD_ONCE_INIT;
static bool fork_handlers_registered;

static void lock_shared(void) {
    pthread_mutex_lock(&shared.lock);
}

static void unlock_shared(void) {
    pthread_mutex_unlock(&shared.lock);
}

/* Nobody adds up what threads keep while they keep more, so they stop before it could matter. */
static void open_or_close_thread_caches(void) {
    const int64_t kept_by_threads = kael_thread_caches_count() * KAEL_THREAD_CACHE_BYTES;
    atomic_store_explicit(&kael_thread_caches_open,
                          shared.enabled && shared.cached_bytes + kept_by_threads <= largest_cache,
                          memory_order_relaxed);
}

static void unlock_in_child(void) {
    kael_thread_caches_disown_others();
    unlock_shared();
}

/* The lock is held across a fork, so that the child finds consistent lists and a free lock. */
static void register_fork_handlers(void) {
    fork_handlers_registered = pthread_atfork(lock_shared, unlock_shared, unlock_in_child) == 0;
}

bool kael_block_survive_forks(void) {
    pthread_once(&fork_handlers_once, register_fork_handlers);
    return fork_handlers_registered;
}

static void set_up(void) {
    kael_thread_caches_set_up();
    shared.enabled = !KAEL_MEMORY_SANITIZED && getenv("KAEL_NO_CACHING_ALLOCATOR") == NULL;
    open_or_close_thread_caches();
}

static bool ensure_set_up(void) {
    pthread_once(&setup_once, set_up);
    return kael_block_survive_forks();
}

static void push_shared(int size_class, void *memory) {
    free_block *block = memory;
    block->next = shared.free_blocks[size_class];
    shared.free_blocks[size_class] = block;
    shared.cached_bytes += kael_capacity_of_class(size_class);
}

static void *pop_shared(int size_class) {
    free_block *block = shared.free_blocks[size_class];
    if (block != NULL) {
        shared.free_blocks[size_class] = block->next;
        shared.cached_bytes -= kael_capacity_of_class(size_class);
    }
    return block;
}

/* Takes all blocks out of both kinds of cache. */
static void detach_all(free_block *detached[KAEL_SIZE_CLASSES]) {
    lock_shared();
    kael_thread_caches_drain(push_shared);
    memcpy(detached, shared.free_blocks, sizeof shared.free_blocks);
    memset(shared.free_blocks, 0, sizeof shared.free_blocks);
    shared.reserved_bytes -= shared.cached_bytes;
    shared.cached_bytes = 0;
    open_or_close_thread_caches();
    unlock_shared();
}

/* Returns whether there was anything to give back. */
static bool empty_caches(void) {
    free_block *detached[KAEL_SIZE_CLASSES];
    detach_all(detached);
    bool any = false;
    for (int size_class = 0; size_class < KAEL_SIZE_CLASSES; ++size_class) {
        for (free_block *block = detached[size_class]; block != NULL;) {
            free_block *next = block->next;
            kael_system_release(block, kael_capacity_of_class(size_class));
            block = next;
            any = true;
        }
    }
    return any;
}

/* Moves blocks to the calling thread's cache, so that its next requests need no lock. */
static void refill_thread_cache(int size_class) {
    for (int i = 0; i < KAEL_THREAD_BATCH; ++i) {
        free_block *block = shared.free_blocks[size_class];
        if (block == NULL || !kael_thread_cache_give(size_class, block)) {
            return;
        }
        pop_shared(size_class);
    }
}

/* Moves blocks out of the calling thread's cache, so that its next releases need no lock. */
static void spill_thread_cache(int size_class) {
    for (int i = 0; i < KAEL_THREAD_BATCH; ++i) {
        void *block = kael_thread_cache_take(size_class);
        if (block == NULL) {
            return;
        }
        push_shared(size_class, block);
    }
}

/* A thread that has no cache yet may get one that an ended thread has left with blocks. */
static void *take_small(int size_class) {
    kael_thread_cache_attach();
    refill_thread_cache(size_class);
    void *block = kael_thread_cache_take(size_class);
    return block != NULL ? block : pop_shared(size_class);
}

static void *take_shared(int size_class) {
    lock_shared();
    void *block = size_class < KAEL_THREAD_CLASSES && shared.enabled ? take_small(size_class)
                                                                     : pop_shared(size_class);
    if (block != NULL) {
        ++shared.hits;
    }
    open_or_close_thread_caches();
    unlock_shared();
    return block;
}

/* Cached blocks of other classes must not be the reason for a failure: they go back before a second
 * try. */
static void *take_from_system(int64_t capacity, int64_t bytes, bool *zeroed) {
    const int64_t size = KAEL_MEMORY_SANITIZED ? bytes : capacity;
    void *memory = kael_system_allocate(size, zeroed);
    if (memory == NULL && empty_caches()) {
        memory = kael_system_allocate(size, zeroed);
    }
    if (memory != NULL) {
        lock_shared();
        shared.reserved_bytes += capacity;
        ++shared.misses;
        unlock_shared();
    }
    return memory;
}

/* What remains when the calling thread's cache has no block of the class. Not inlined, because its
 * registers would cost the fast path more than the call. */
__attribute__((noinline)) static kael_status allocate_slowly(kael_block *block, int64_t bytes,
                                                             bool *zeroed) {
    *block = (kael_block){NULL, 0};
    if (bytes == 0) {
        return KAEL_OK;
    }
    if (bytes < 0) {
        return kael_error(KAEL_ERROR_VALUE, "bytes must not be negative, got %" PRId64, bytes);
    }
    if (bytes > KAEL_LARGEST_CAPACITY) {
        return kael_error(KAEL_ERROR_MEMORY, "cannot reserve %" PRId64 " bytes: more than 2^62",
                          bytes);
    }
    if (!ensure_set_up()) {
        return kael_error(KAEL_ERROR_MEMORY, "cannot register the allocator's fork handlers");
    }
    const int64_t capacity = kael_class_capacity(bytes);
    void *memory = take_shared(kael_class_of_capacity(capacity));
    if (memory == NULL) {
        memory = take_from_system(capacity, bytes, zeroed);
    }
    if (memory == NULL) {
        return kael_error(KAEL_ERROR_MEMORY, "cannot reserve %" PRId64 " bytes", bytes);
    }
    block->data = memory;
    block->capacity = capacity;
    return KAEL_OK;
}

static kael_status allocate(kael_block *block, int64_t bytes, bool *zeroed) {
    *zeroed = false;
    if (bytes > 0 && bytes <= KAEL_LARGEST_THREAD_CAPACITY) {
        const int64_t capacity = kael_class_capacity(bytes);
        block->data = kael_thread_cache_take(kael_class_of_capacity(capacity));
        block->capacity = capacity;
        if (block->data != NULL) {
            kael_thread_cache_count_hit();
            return KAEL_OK;
        }
    }
    return allocate_slowly(block, bytes, zeroed);
}

kael_status kael_block_allocate(kael_block *block, int64_t bytes) {
    bool zeroed;
    return allocate(block, bytes, &zeroed);
}

kael_status kael_block_allocate_zeroed(kael_block *block, int64_t bytes) {
    bool zeroed;
    KAEL_TRY(allocate(block, bytes, &zeroed));
    if (bytes > 0 && !zeroed) {
        memset(block->data, 0, (size_t)bytes);
    }
    return KAEL_OK;
}

/* Whether all cached bytes stay within the limit with `capacity` more of them; the exact sum is
 * only taken when the thread caches could matter. */
static bool fits(int64_t capacity) {
    const int64_t room = largest_cache - shared.cached_bytes - capacity;
    return room >= kael_thread_caches_count() * KAEL_THREAD_CACHE_BYTES ||
           (room >= 0 && room >= kael_thread_caches_sum().bytes);
}

/* Returns false when the block must go back to the system. */
static bool keep_shared(int size_class, void *memory) {
    const int64_t capacity = kael_capacity_of_class(size_class);
    lock_shared();
    const bool kept = shared.enabled && fits(capacity);
    if (kept) {
        push_shared(size_class, memory);
        if (size_class < KAEL_THREAD_CLASSES) {
            kael_thread_cache_attach();
            spill_thread_cache(size_class);
        }
    } else {
        shared.reserved_bytes -= capacity;
    }
    open_or_close_thread_caches();
    unlock_shared();
    return kept;
}

/* What remains when the calling thread's cache does not take the block. */
__attribute__((noinline)) static void release_slowly(const kael_block *block) {
    if (!keep_shared(kael_class_of_capacity(block->capacity), block->data)) {
        kael_system_release(block->data, block->capacity);
    }
}

void kael_block_release(kael_block *block) {
    if (block->data == NULL) {
        return;
    }
    if (block->capacity > KAEL_LARGEST_THREAD_CAPACITY ||
        !kael_thread_cache_give(kael_class_of_capacity(block->capacity), block->data)) {
        release_slowly(block);
    }
    block->data = NULL;
    block->capacity = 0;
}

kael_status kael_allocator_stats(kael_allocator_statistics *statistics) {
    if (statistics == NULL) {
        return kael_error(KAEL_ERROR_VALUE, "statistics must not be NULL");
    }
    lock_shared();
    const kael_thread_cache_totals threads = kael_thread_caches_sum();
    /* A block that moves from one thread's cache to another's during the sum may count twice. */
    const int64_t cached_bytes =
        kael_min_i64(shared.cached_bytes + threads.bytes, shared.reserved_bytes);
    *statistics = (kael_allocator_statistics){
        .reserved_bytes = shared.reserved_bytes,
        .in_use_bytes = shared.reserved_bytes - cached_bytes,
        .cached_bytes = cached_bytes,
        .hits = shared.hits + threads.hits,
        .misses = shared.misses,
    };
    unlock_shared();
    return KAEL_OK;
}

void kael_empty_cache(void) {
    (void)empty_caches();
}

void kael_set_caching_allocator_enabled(bool enabled) {
    (void)ensure_set_up();
    lock_shared();
    shared.enabled = enabled && !KAEL_MEMORY_SANITIZED;
    open_or_close_thread_caches();
    unlock_shared();
    if (!enabled) {
        kael_empty_cache();
    }
}

bool kael_caching_allocator_enabled(void) {
    (void)ensure_set_up();
    lock_shared();
    const bool enabled = shared.enabled;
    unlock_shared();
    return enabled;
}
