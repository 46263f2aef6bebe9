/* Parallel work on both sides of a fork. */
#include <pthread.h>
#include <semaphore.h>

#include "kael/parallel.h"
#include "support/child.h"
#include "support/parallel.h"
#include "support/product.h"
#include "support/tap.h"

enum { THREADS = 4 };

static kael_status add_range(int64_t first, int64_t last, void *context) {
    int64_t sum = 0;
    for (int64_t i = first; i < last; ++i) {
        sum += i;
    }
    atomic_fetch_add((_Atomic int64_t *)context, sum);
    return KAEL_OK;
}

static bool sum_is_right(void) {
    _Atomic int64_t sum = 0;
    return kael_parallel_for(0, 100000, 10, add_range, &sum) == KAEL_OK &&
           sum == INT64_C(4999950000);
}

static bool works_in_parallel(void) {
    return threads_that_meet(THREADS) == THREADS && sum_is_right();
}

static bool works_in_parallel_after_changing_the_count(void) {
    return kael_set_num_threads(THREADS + 2) == KAEL_OK &&
           threads_that_meet(THREADS + 2) == THREADS + 2 && sum_is_right();
}

static bool child_and_grandchild_work(void) {
    return child_succeeds(works_in_parallel) && works_in_parallel() &&
           child_succeeds(works_in_parallel);
}

static void ForkBeforeFirstUse(void) {
    CHECK(child_succeeds(works_in_parallel_after_changing_the_count));
}

static void ChildCanStillRunParallelWork(void) {
    CHECK(works_in_parallel());
    CHECK(child_succeeds(works_in_parallel));
    CHECK(works_in_parallel());
}

static void GrandchildCanStillRunParallelWork(void) {
    CHECK(works_in_parallel());
    CHECK(child_succeeds(child_and_grandchild_work));
    CHECK(works_in_parallel());
}

static void ChildMayChangeTheThreadCount(void) {
    CHECK(child_succeeds(works_in_parallel_after_changing_the_count));
    CHECK(works_in_parallel());
}

static void ParentAndChildSurviveManyForks(void) {
    for (int i = 0; i < 30; ++i) {
        CHECK(child_succeeds(works_in_parallel));
        CHECK(sum_is_right());
    }
}

static void on_another_thread(void *(*function)(void *)) {
    pthread_t thread;
    if (CHECK(pthread_create(&thread, NULL, function, NULL) == 0)) {
        pthread_join(thread, NULL);
    }
}

static void *fork_with_a_team(void *unused) {
    CHECK(works_in_parallel());
    CHECK(child_succeeds(child_and_grandchild_work));
    CHECK(works_in_parallel());
    return unused;
}

static void *fork_without_a_team(void *unused) {
    CHECK(child_succeeds(child_and_grandchild_work));
    CHECK(works_in_parallel());
    return unused;
}

static void ForkFromAnotherThread(void) {
    CHECK(works_in_parallel());
    on_another_thread(fork_with_a_team);
    on_another_thread(fork_without_a_team);
    CHECK(works_in_parallel());
}

/* A region of another thread that lasts until it is told to end. */
typedef struct long_region {
    sem_t running;
    sem_t end;
    pthread_t thread;
    kael_status status;
} long_region;

static kael_status last_until_told(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    long_region *const region = context;
    sem_post(&region->running);
    sem_wait(&region->end);
    return KAEL_OK;
}

static void *run_long_region(void *context) {
    long_region *const region = context;
    region->status = kael_parallel_for(0, THREADS, 1, last_until_told, region);
    return NULL;
}

static void start_long_region(long_region *region) {
    sem_init(&region->running, 0, 0);
    sem_init(&region->end, 0, 0);
    CHECK(pthread_create(&region->thread, NULL, run_long_region, region) == 0);
    for (int i = 0; i < THREADS; ++i) {
        sem_wait(&region->running);
    }
}

static void end_long_region(long_region *region) {
    for (int i = 0; i < THREADS; ++i) {
        sem_post(&region->end);
    }
    pthread_join(region->thread, NULL);
    CHECK(region->status == KAEL_OK);
}

static void ForkWhileAnotherThreadIsInsideARegion(void) {
    static long_region region;
    start_long_region(&region);
    CHECK(child_succeeds(child_and_grandchild_work));
    CHECK(sum_is_right());
    end_long_region(&region);
    CHECK(works_in_parallel());
}

static atomic_bool stop;

static void *run_regions_until_stopped(void *unused) {
    while (!atomic_load(&stop)) {
        CHECK(sum_is_right());
    }
    return unused;
}

static void ForkAmidTheRegionsOfAnotherThread(void) {
    pthread_t thread;
    atomic_store(&stop, false);
    CHECK(pthread_create(&thread, NULL, run_regions_until_stopped, NULL) == 0);
    for (int i = 0; i < 100; ++i) {
        CHECK(child_succeeds(works_in_parallel));
        CHECK(sum_is_right());
    }
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    CHECK(works_in_parallel());
}

static bool works(void) {
    int64_t count = 0;
    return sum_is_right() && kael_get_num_threads(&count) == KAEL_OK && count == THREADS;
}

/* A child has no other threads to end the region with: it works on inside the body, and exits. */
static kael_status fork_in_one_chunk(int64_t first, int64_t last, void *context) {
    (void)last;
    const int64_t forking = *(const int64_t *)context;
    if (first == forking && !child_succeeds(works)) {
        return KAEL_ERROR_STATE;
    }
    return KAEL_OK;
}

static void ForkInsideABody(void) {
    for (int64_t chunk = 0; chunk < THREADS; ++chunk) {
        CHECK(kael_parallel_for(0, THREADS, 1, fork_in_one_chunk, &chunk) == KAEL_OK);
        CHECK(works_in_parallel());
    }
}

static kael_status fork_everywhere(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    (void)context;
    return child_succeeds(works) ? KAEL_OK : KAEL_ERROR_STATE;
}

static void ForkInAllBodiesAtOnce(void) {
    CHECK(kael_parallel_for(0, 2 * THREADS, 1, fork_everywhere, NULL) == KAEL_OK);
    CHECK(works_in_parallel());
}

static product cube;

static bool product_is_right(void) {
    return product_repeats(&cube) && works_in_parallel();
}

static bool product_and_that_of_a_grandchild_are_right(void) {
    return product_is_right() && child_succeeds(product_is_right) && product_is_right();
}

static void *check_products(void *unused) {
    CHECK(child_succeeds(product_and_that_of_a_grandchild_are_right));
    CHECK(product_is_right());
    CHECK(child_succeeds(product_and_that_of_a_grandchild_are_right));
    return unused;
}

static void K02_ProductAfterFork(void) {
    CHECK(product_prepare(&cube, 256));
    check_products(NULL);
    on_another_thread(check_products);
    CHECK(product_is_right());
    product_free(&cube);
}

int main(void) {
    tap_time_limit(300);
    TAP_RUN(ForkBeforeFirstUse);
    CHECK(kael_set_num_threads(THREADS) == KAEL_OK);
    TAP_RUN(ChildCanStillRunParallelWork);
    TAP_RUN(GrandchildCanStillRunParallelWork);
    TAP_RUN(ChildMayChangeTheThreadCount);
    TAP_RUN(ParentAndChildSurviveManyForks);
    TAP_RUN(ForkFromAnotherThread);
    TAP_RUN(ForkWhileAnotherThreadIsInsideARegion);
    TAP_RUN(ForkAmidTheRegionsOfAnotherThread);
    TAP_RUN(ForkInsideABody);
    TAP_RUN(ForkInAllBodiesAtOnce);
    TAP_RUN(K02_ProductAfterFork);
    return tap_finish();
}
