#include "cpu/cache.h"

#include <stdatomic.h>
#include <unistd.h>

#define COMMON_SIZE (INT64_C(512) << 10)
#define SMALLEST_SIZE (INT64_C(128) << 10)
#define LARGEST_SIZE (INT64_C(4) << 20)

static int64_t ask_system(void) {
#ifdef _SC_LEVEL2_CACHE_SIZE
    const int64_t size = sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
    const int64_t size = 0;
#endif
    if (size < SMALLEST_SIZE) {
        return COMMON_SIZE;
    }
    return size < LARGEST_SIZE ? size : LARGEST_SIZE;
}

int64_t kael_second_level_cache(void) {
    static atomic_int_least64_t known;
    int64_t size = atomic_load_explicit(&known, memory_order_relaxed);
    if (size == 0) {
        size = ask_system();
        atomic_store_explicit(&known, size, memory_order_relaxed);
    }
    return size;
}
