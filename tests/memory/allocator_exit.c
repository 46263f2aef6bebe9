/* Tensors that outlive main and threads: the caches take their blocks until the very end. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "kael/allocator.h"
#include "kael/tensor.h"
#include "memory/thread_cache.h"
#include "support/tap.h"

static kael_tensor *kept_until_exit[2];
static kael_tensor *kept_until_destructors[2];

/* Without parallel loops, which an OpenMP runtime need not survive in a thread that is ending. */
static bool make_tensors(kael_tensor *tensors[2]) {
    const int64_t sizes[] = {3, 1000000}; /* one that a thread keeps, one that all share */
    const int64_t first = 0;
    for (int i = 0; i < 2; ++i) {
        if (kael_tensor_empty(&tensors[i], KAEL_F32, 1, &sizes[i]) != KAEL_OK ||
            kael_tensor_set(tensors[i], &first, 7) != KAEL_OK) {
            return false;
        }
    }
    return true;
}

static int64_t bytes_in_use(void) {
    kael_allocator_statistics now;
    return kael_allocator_stats(&now) == KAEL_OK &&
                   now.reserved_bytes == now.in_use_bytes + now.cached_bytes
               ? now.in_use_bytes
               : -1;
}

/* Releases them, and takes and releases others. */
static void release_tensors(kael_tensor *tensors[2]) {
    const int64_t before = bytes_in_use();
    CHECK(before > 0);
    for (int i = 0; i < 2; ++i) {
        CHECK(*(const float *)kael_tensor_data(tensors[i]) == 7);
        kael_tensor_release(tensors[i]);
    }
    const int64_t after = bytes_in_use();
    CHECK(after >= 0 && after < before);
    kael_tensor *others[2];
    CHECK(make_tensors(others));
    CHECK(bytes_in_use() == before);
    for (int i = 0; i < 2; ++i) {
        kael_tensor_release(others[i]);
    }
    CHECK(bytes_in_use() == after);
}

/* Thread-specific values are destroyed after the allocator has taken leave of the thread, or
 * before, and in several rounds. */
enum { KEYS = 4, ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };

typedef struct keyed {
    pthread_key_t key;
    int rounds;
    kael_tensor *tensors[2];
} keyed;

static keyed with_keys[KEYS];

static void destroy_value(void *value) {
    keyed *self = value;
    release_tensors(self->tensors);
    if (++self->rounds < ROUNDS) {
        CHECK(make_tensors(self->tensors));
        CHECK(pthread_setspecific(self->key, self) == 0);
    }
}

static void *set_values(void *unused) {
    for (int i = 0; i < KEYS; ++i) {
        with_keys[i].rounds = 0;
        CHECK(make_tensors(with_keys[i].tensors));
        CHECK(pthread_setspecific(with_keys[i].key, &with_keys[i]) == 0);
    }
    return unused;
}

/* Half of the keys are older than the allocator's own, whose destructor then runs later. */
static void create_keys(void) {
    for (int i = 0; i < KEYS; ++i) {
        if (i == KEYS / 2) {
            CHECK(make_tensors(kept_until_exit));
        }
        CHECK(pthread_key_create(&with_keys[i].key, destroy_value) == 0);
    }
}

static void DestructorsOfThreadsMayAllocateAndRelease(void) {
    create_keys();
    const int64_t before = bytes_in_use();
    for (int generation = 0; generation < 50; ++generation) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, set_values, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    CHECK(bytes_in_use() == before);
    CHECK(kael_thread_caches_count() <= 2); /* this thread's, and one that passes on */
    for (int i = 0; i < KEYS; ++i) {
        CHECK(with_keys[i].rounds == ROUNDS);
    }
}

static void ReleasedAtExit(void) {
    release_tensors(kept_until_exit);
}

static void ReleasedByDestructors(void) {
    release_tensors(kept_until_destructors);
    kael_empty_cache();
    kael_allocator_statistics now;
    CHECK(kael_allocator_stats(&now) == KAEL_OK && now.reserved_bytes == 0);
}

static void at_exit(void) {
    TAP_RUN(ReleasedAtExit);
}

/* Destructors run after what atexit has registered. */
__attribute__((destructor)) static void after_exit(void) {
    TAP_RUN(ReleasedByDestructors);
    const int result = tap_finish();
    fflush(stdout);
    _exit(result);
}

int main(void) {
    tap_time_limit(300);
    TAP_RUN(DestructorsOfThreadsMayAllocateAndRelease);
    CHECK(atexit(at_exit) == 0);
    CHECK(make_tensors(kept_until_destructors));
    return 0;
}
