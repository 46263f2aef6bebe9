/* Forks while other threads are inside the allocator. */
#define _GNU_SOURCE /* barriers */
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/block_exchange.h"
#include "support/tap.h"

enum { CHILD_SECONDS = 20, FORKS = 20 };

/* In a child: every class can be used, and what the other threads have kept can be given back. */
static bool allocator_works(void) {
    for (int64_t bytes = 1; bytes < 1000000; bytes = bytes * 5 / 4 + 1) {
        kael_block blocks[20];
        for (int i = 0; i < 20; ++i) {
            if (kael_block_allocate(&blocks[i], bytes) != KAEL_OK) {
                return false;
            }
            ((char *)blocks[i].data)[bytes - 1] = 1;
        }
        for (int i = 0; i < 20; ++i) {
            kael_block_release(&blocks[i]);
        }
    }
    kael_empty_cache();
    kael_allocator_statistics now;
    return kael_allocator_stats(&now) == KAEL_OK && now.cached_bytes == 0 && books_balance();
}

static bool child_succeeds(bool (*function)(void)) {
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(CHILD_SECONDS);
        _exit(function() ? 0 : 1);
    }
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static bool child_and_grandchild_work(void) {
    return allocator_works() && child_succeeds(allocator_works) && allocator_works();
}

static void ForkBeforeFirstUse(void) {
    CHECK(child_succeeds(child_and_grandchild_work));
}

static void ForkWhileOtherThreadsAllocate(void) {
    static block_exchange exchange = {.rounds = INT64_MAX};
    pthread_t threads[EXCHANGE_THREADS];
    CHECK(exchange_start(&exchange, threads));
    for (int i = 0; i < FORKS; ++i) {
        CHECK(child_succeeds(child_and_grandchild_work));
    }
    atomic_store(&exchange.stop, true);
    exchange_join(threads);
    exchange_clear(&exchange);
    CHECK(atomic_load(&exchange.errors) == 0);
    CHECK(atomic_load(&exchange.requests) > FORKS);
    CHECK(allocator_works());
}

static void *fork_in_thread(void *unused) {
    CHECK(allocator_works());
    CHECK(child_succeeds(child_and_grandchild_work));
    CHECK(allocator_works());
    return unused;
}

static void ForkFromAnotherThread(void) {
    pthread_t thread;
    CHECK(allocator_works());
    if (CHECK(pthread_create(&thread, NULL, fork_in_thread, NULL) == 0)) {
        pthread_join(thread, NULL);
    }
    CHECK(allocator_works());
}

/* A thread that has released one block, and so keeps it, until it is told to end. */
typedef struct keeper {
    pthread_barrier_t barrier;
    pthread_t thread;
} keeper;

static bool allocate_and_release(void) {
    kael_block block;
    const bool allocated = kael_block_allocate(&block, 100) == KAEL_OK;
    kael_block_release(&block);
    return allocated;
}

static void *keep_a_block(void *argument) {
    keeper *with_main = argument;
    CHECK(allocate_and_release());
    pthread_barrier_wait(&with_main->barrier);
    pthread_barrier_wait(&with_main->barrier);
    return NULL;
}

static void *request_a_block(void *allocated) {
    *(bool *)allocated = allocate_and_release();
    return NULL;
}

static bool new_thread_gets_the_kept_block(void) {
    kael_allocator_statistics before;
    kael_allocator_statistics after;
    pthread_t thread;
    bool allocated = false;
    return kael_allocator_stats(&before) == KAEL_OK && before.cached_bytes == 512 &&
           pthread_create(&thread, NULL, request_a_block, &allocated) == 0 &&
           pthread_join(thread, NULL) == 0 && allocated &&
           kael_allocator_stats(&after) == KAEL_OK && after.hits == before.hits + 1 &&
           after.misses == before.misses;
}

static void ChildInheritsWhatOtherThreadsKept(void) {
    static keeper with_thread;
    kael_empty_cache();
    CHECK(pthread_barrier_init(&with_thread.barrier, NULL, 2) == 0);
    CHECK(pthread_create(&with_thread.thread, NULL, keep_a_block, &with_thread) == 0);
    pthread_barrier_wait(&with_thread.barrier);
    CHECK(child_succeeds(new_thread_gets_the_kept_block));
    CHECK(!new_thread_gets_the_kept_block());
    pthread_barrier_wait(&with_thread.barrier);
    pthread_join(with_thread.thread, NULL);
}

int main(void) {
    tap_time_limit(300);
    TAP_RUN(ForkBeforeFirstUse);
    TAP_RUN(ForkWhileOtherThreadsAllocate);
    TAP_RUN(ForkFromAnotherThread);
    TAP_RUN(ChildInheritsWhatOtherThreadsKept);
    return tap_finish();
}
