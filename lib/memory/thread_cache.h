/* Small free blocks that each thread keeps for itself, so that taking and giving one back needs no
 * lock.
 *
 * Only its owner puts blocks into a cache, but any thread may take them out, with one atomic
 * exchange. So the shared cache can count and empty all of them at any time, and what a thread
 * leaves behind when it ends, or when a fork leaves it out of the child, is not lost. */
#ifndef KAEL_MEMORY_THREAD_CACHE_H
#define KAEL_MEMORY_THREAD_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/single_threaded.h"
#include "memory/size_class.h"

enum {
    KAEL_THREAD_CLASSES = 8, /* the size classes up to 4 KiB */
    KAEL_THREAD_DEPTH = 16,  /* blocks of each */
    KAEL_THREAD_BATCH = KAEL_THREAD_DEPTH / 2
};

#define KAEL_LARGEST_THREAD_CAPACITY (KAEL_THREAD_CLASSES * KAEL_CLASS_STEP)

/* The most that one thread keeps: 288 KiB. */
#define KAEL_THREAD_CACHE_BYTES                                                                    \
    (KAEL_THREAD_DEPTH * KAEL_CLASS_STEP * KAEL_THREAD_CLASSES * (KAEL_THREAD_CLASSES + 1) / 2)

typedef struct kael_thread_cache {
    _Atomic(void *) blocks[KAEL_THREAD_CLASSES][KAEL_THREAD_DEPTH];
    int count[KAEL_THREAD_CLASSES]; /* the owner's: slots from here on are empty */
    _Atomic int64_t hits;           /* written by the owner alone */
    atomic_bool owned;
    struct kael_thread_cache *next;
} kael_thread_cache;

/* NULL until the thread first needs the shared cache. The model saves a call per access and holds
 * one pointer alone, little enough for libraries that are loaded late. */
extern _Thread_local kael_thread_cache *kael_own_thread_cache
    __attribute__((tls_model("initial-exec")));

/* Whether threads may put blocks into their caches. */
extern atomic_bool kael_thread_caches_open;

/* Empties a slot, from which another thread may be taking the block too. */
static inline void *kael_thread_cache_empty_slot(_Atomic(void *) *slot) {
    if (kael_is_single_threaded()) {
        void *block = atomic_load_explicit(slot, memory_order_relaxed);
        atomic_store_explicit(slot, NULL, memory_order_relaxed);
        return block;
    }
    return atomic_exchange_explicit(slot, NULL, memory_order_acquire);
}

/* Takes a block of one of these classes from the calling thread's cache; NULL if it has none. */
static inline void *kael_thread_cache_take(int size_class) {
    kael_thread_cache *own = kael_own_thread_cache;
    if (own == NULL) {
        return NULL;
    }
    while (own->count[size_class] > 0) {
        void *block =
            kael_thread_cache_empty_slot(&own->blocks[size_class][--own->count[size_class]]);
        if (block != NULL) {
            return block;
        }
    }
    return NULL;
}

/* Counts a request that the calling thread's cache has served. */
static inline void kael_thread_cache_count_hit(void) {
    _Atomic int64_t *hits = &kael_own_thread_cache->hits;
    atomic_store_explicit(hits, atomic_load_explicit(hits, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* Puts a block of one of these classes into the calling thread's cache; false if it cannot. */
static inline bool kael_thread_cache_give(int size_class, void *block) {
    kael_thread_cache *own = kael_own_thread_cache;
    if (own == NULL || own->count[size_class] == KAEL_THREAD_DEPTH ||
        !atomic_load_explicit(&kael_thread_caches_open, memory_order_relaxed)) {
        return false;
    }
    atomic_store_explicit(&own->blocks[size_class][own->count[size_class]++], block,
                          memory_order_release);
    return true;
}

/* Called once, before the functions below, which the holder of the shared cache's lock calls. */
void kael_thread_caches_set_up(void);

/* Gives the calling thread a cache if it has none, one can be had, and the thread is not ending. */
void kael_thread_cache_attach(void);

/* How many threads have had a cache at the same time. */
int64_t kael_thread_caches_count(void);

typedef struct kael_thread_cache_totals {
    int64_t bytes;
    int64_t hits;
} kael_thread_cache_totals;

kael_thread_cache_totals kael_thread_caches_sum(void);

/* Takes every block out of every cache and hands it to `sink`. */
void kael_thread_caches_drain(void (*sink)(int size_class, void *block));

/* In a forked child: the other threads' caches have no owner any more. */
void kael_thread_caches_disown_others(void);

#endif
