#include "memory/thread_cache.h"

#include <pthread.h>

#include "memory/system.h"

_Thread_local kael_thread_cache *kael_own_thread_cache;
atomic_bool kael_thread_caches_open;

/* All caches there are; one without an owner waits, with its blocks, for the next thread. */
static kael_thread_cache *caches;
static int64_t cache_count;

static pthread_key_t exit_key;
static bool has_exit_key;

/* Set once a thread's cache has been given up: nothing would give up another one after the last
 * round of its destructors. */
static _Thread_local bool leaving;

/* Takes no lock: while a fork holds them, its handlers may wait for threads to end. */
static void disown_at_exit(void *cache) {
    kael_own_thread_cache = NULL;
    leaving = true;
    atomic_store_explicit(&((kael_thread_cache *)cache)->owned, false, memory_order_release);
}

void kael_thread_caches_set_up(void) {
    has_exit_key = pthread_key_create(&exit_key, disown_at_exit) == 0;
}

/* A thread that a fork cut off may have left its counts behind its slots. */
static void recount(kael_thread_cache *cache) {
    for (int size_class = 0; size_class < KAEL_THREAD_CLASSES; ++size_class) {
        int count = KAEL_THREAD_DEPTH;
        while (count > 0 && atomic_load_explicit(&cache->blocks[size_class][count - 1],
                                                 memory_order_relaxed) == NULL) {
            --count;
        }
        cache->count[size_class] = count;
    }
}

static kael_thread_cache *adopt(void) {
    kael_thread_cache *cache = caches;
    while (cache != NULL && atomic_load_explicit(&cache->owned, memory_order_acquire)) {
        cache = cache->next;
    }
    if (cache != NULL) {
        recount(cache);
    }
    return cache;
}

static kael_thread_cache *create(void) {
    bool zeroed;
    kael_thread_cache *cache = kael_system_allocate(sizeof *cache, &zeroed);
    if (cache != NULL) {
        for (int size_class = 0; size_class < KAEL_THREAD_CLASSES; ++size_class) {
            for (int i = 0; i < KAEL_THREAD_DEPTH; ++i) {
                atomic_init(&cache->blocks[size_class][i], NULL);
            }
            cache->count[size_class] = 0;
        }
        atomic_init(&cache->hits, 0);
        atomic_init(&cache->owned, false);
        cache->next = caches;
        caches = cache;
        ++cache_count;
    }
    return cache;
}

void kael_thread_cache_attach(void) {
    if (kael_own_thread_cache != NULL || leaving || !has_exit_key) {
        return;
    }
    kael_thread_cache *cache = adopt();
    if (cache == NULL) {
        cache = create();
    }
    if (cache != NULL && pthread_setspecific(exit_key, cache) == 0) {
        atomic_store_explicit(&cache->owned, true, memory_order_relaxed);
        kael_own_thread_cache = cache;
    }
}

int64_t kael_thread_caches_count(void) {
    return cache_count;
}

kael_thread_cache_totals kael_thread_caches_sum(void) {
    kael_thread_cache_totals totals = {0, 0};
    for (kael_thread_cache *cache = caches; cache != NULL; cache = cache->next) {
        totals.hits += atomic_load_explicit(&cache->hits, memory_order_relaxed);
        for (int size_class = 0; size_class < KAEL_THREAD_CLASSES; ++size_class) {
            for (int i = 0; i < KAEL_THREAD_DEPTH; ++i) {
                if (atomic_load_explicit(&cache->blocks[size_class][i], memory_order_relaxed) !=
                    NULL) {
                    totals.bytes += kael_capacity_of_class(size_class);
                }
            }
        }
    }
    return totals;
}

void kael_thread_caches_drain(void (*sink)(int size_class, void *block)) {
    for (kael_thread_cache *cache = caches; cache != NULL; cache = cache->next) {
        for (int size_class = 0; size_class < KAEL_THREAD_CLASSES; ++size_class) {
            for (int i = 0; i < KAEL_THREAD_DEPTH; ++i) {
                void *block = atomic_exchange_explicit(&cache->blocks[size_class][i], NULL,
                                                       memory_order_acquire);
                if (block != NULL) {
                    sink(size_class, block);
                }
            }
        }
    }
}

void kael_thread_caches_disown_others(void) {
    for (kael_thread_cache *cache = caches; cache != NULL; cache = cache->next) {
        if (cache != kael_own_thread_cache) {
            atomic_store_explicit(&cache->owned, false, memory_order_relaxed);
        }
    }
}
