/* The allocator's caches, built in whatever the sanitizer, under many threads. */
#include "memory/sanitizer.h"
#include "support/block_exchange.h"
#include "support/tap.h"

#if KAEL_MEMORY_SANITIZED
#error "this program tests the caches, which this build leaves out"
#endif

static bool nothing_is_left(void) {
    kael_allocator_statistics now;
    kael_empty_cache();
    return kael_allocator_stats(&now) == KAEL_OK && now.reserved_bytes == 0;
}

static void CachingIsOn(void) {
    CHECK(kael_caching_allocator_enabled());
}

static void ThreadsExchangeBlocks(void) {
    static block_exchange exchange = {.rounds = 4000};
    pthread_t threads[EXCHANGE_THREADS];
    CHECK(exchange_start(&exchange, threads));
    exchange_join(threads);
    exchange_clear(&exchange);
    CHECK(atomic_load(&exchange.requests) == EXCHANGE_THREADS * exchange.rounds);
    CHECK(atomic_load(&exchange.errors) == 0);
    CHECK(nothing_is_left());
}

static void ThreadsComeAndGo(void) {
    static block_exchange exchange = {.rounds = 50};
    for (int generation = 0; generation < 50; ++generation) {
        pthread_t threads[EXCHANGE_THREADS];
        CHECK(exchange_start(&exchange, threads));
        exchange_join(threads);
    }
    exchange_clear(&exchange);
    CHECK(atomic_load(&exchange.errors) == 0);
    CHECK(nothing_is_left());
}

/* Each thread takes and releases one block over and over, so that it is nearly always in the middle
 * of it when the cache is emptied. */
typedef struct taker {
    pthread_t thread;
    atomic_bool *stop;
    unsigned char mark;
} taker;

static void *take_and_release(void *argument) {
    const taker *self = argument;
    while (!atomic_load_explicit(self->stop, memory_order_relaxed)) {
        kael_block block;
        if (!CHECK(kael_block_allocate(&block, 1) == KAEL_OK)) {
            return NULL;
        }
        volatile unsigned char *data = block.data;
        *data = self->mark;
        CHECK(*data == self->mark); /* or another thread has the same block */
        kael_block_release(&block);
    }
    return NULL;
}

static void EmptyingMeetsThreadsThatTakeBlocks(void) {
    enum { TAKERS = 3 };
    atomic_bool stop = false;
    taker takers[TAKERS];
    for (unsigned char i = 0; i < TAKERS; ++i) {
        takers[i].stop = &stop;
        takers[i].mark = i;
        CHECK(pthread_create(&takers[i].thread, NULL, take_and_release, &takers[i]) == 0);
    }
    for (int i = 0; i < 20000; ++i) {
        kael_empty_cache();
        CHECK(books_balance());
    }
    atomic_store(&stop, true);
    for (int i = 0; i < TAKERS; ++i) {
        pthread_join(takers[i].thread, NULL);
    }
    CHECK(nothing_is_left());
}

static void CachingMayBeSwitchedMeanwhile(void) {
    static block_exchange exchange = {.rounds = INT64_MAX};
    pthread_t threads[EXCHANGE_THREADS];
    CHECK(exchange_start(&exchange, threads));
    for (int i = 0; i < 200; ++i) {
        kael_set_caching_allocator_enabled(i % 2 == 1);
        CHECK(kael_caching_allocator_enabled() == (i % 2 == 1));
        CHECK(books_balance());
    }
    atomic_store(&exchange.stop, true);
    exchange_join(threads);
    exchange_clear(&exchange);
    CHECK(atomic_load(&exchange.errors) == 0);
    CHECK(nothing_is_left());
}

int main(void) {
    tap_time_limit(300);
    TAP_RUN(CachingIsOn);
    TAP_RUN(ThreadsExchangeBlocks);
    TAP_RUN(ThreadsComeAndGo);
    TAP_RUN(EmptyingMeetsThreadsThatTakeBlocks);
    TAP_RUN(CachingMayBeSwitchedMeanwhile);
    return tap_finish();
}
