#include "cpu/cache.h"

#include <stdatomic.h>
#include <unistd.h>

/* A size that the system is asked for once. */
typedef struct cache_size {
    int name; /* of sysconf */
    int64_t common;
    int64_t smallest; /* a smaller one counts as unknown */
    int64_t largest;
    _Atomic int64_t known;
} cache_size;

#ifdef _SC_LEVEL2_CACHE_SIZE
enum { SECOND_LEVEL = _SC_LEVEL2_CACHE_SIZE, LAST_LEVEL = _SC_LEVEL3_CACHE_SIZE };
#else
enum { SECOND_LEVEL = -1, LAST_LEVEL = -1 };
#endif

static int64_t ask_system(const cache_size *cache) {
    const int64_t size = sysconf(cache->name);
    if (size < cache->smallest) {
        return cache->common;
    }
    return size < cache->largest ? size : cache->largest;
}

static int64_t size_of(cache_size *cache) {
    int64_t size = atomic_load_explicit(&cache->known, memory_order_relaxed);
    if (size == 0) {
        size = ask_system(cache);
        atomic_store_explicit(&cache->known, size, memory_order_relaxed);
    }
    return size;
}

int64_t kael_second_level_cache(void) {
    static cache_size cache = {SECOND_LEVEL, INT64_C(512) << 10, INT64_C(128) << 10,
                               INT64_C(4) << 20, 0};
    return size_of(&cache);
}

int64_t kael_streaming_threshold(void) {
    static cache_size cache = {LAST_LEVEL, INT64_C(16) << 20, INT64_C(1) << 20, INT64_C(32) << 20,
                               0};
    return size_of(&cache);
}
