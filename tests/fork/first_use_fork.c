/* Forks around the first use of the library, each in a process of its own. */
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "kael/parallel.h"
#include "kael/tensor.h"
#include "support/child.h"
#include "support/parallel.h"
#include "support/respawn.h"
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

/* The program's own region comes first: its threads are not in the child, which then calls the
 * library for the first time. */
static void after_a_region_of_the_program(void) {
    int threads = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : threads)
    ++threads;
    CHECK(threads == THREADS);
    CHECK(child_succeeds(works_in_parallel));
    CHECK(works_in_parallel());
    CHECK(child_succeeds(works_in_parallel));
}

static pthread_key_t kept;

static void release_kept(void *tensor) {
    kael_tensor_release(tensor);
}

static kael_status keep_a_tensor(int64_t first, int64_t last, void *context) {
    static const int64_t size = 1 << 20;
    kael_tensor *tensor = pthread_getspecific(kept);
    (void)first;
    (void)last;
    (void)context;
    if (tensor != NULL) {
        return KAEL_OK;
    }
    const kael_status status = kael_tensor_empty(&tensor, KAEL_F32, 1, &size);
    pthread_setspecific(kept, tensor);
    return status;
}

static bool keeps_tensors(void) {
    return kael_parallel_for(0, 64, 1, keep_a_tensor, NULL) == KAEL_OK;
}

/* Workers release tensors when they end, for which they need the allocator. */
static void with_tensors_that_workers_keep(void) {
    CHECK(pthread_key_create(&kept, release_kept) == 0);
    CHECK(keeps_tensors());
    for (int i = 0; i < 3; ++i) {
        CHECK(child_succeeds(keeps_tensors));
        CHECK(keeps_tensors());
    }
    kael_tensor_release(pthread_getspecific(kept));
    pthread_setspecific(kept, NULL);
}

static pthread_barrier_t starting_line;

static void *use_first(void *unused) {
    pthread_barrier_wait(&starting_line);
    CHECK(sum_is_right());
    return unused;
}

/* Other threads let the runtime start meanwhile. */
static void beside_the_first_use(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&starting_line, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_create(&threads[i], NULL, use_first, NULL) == 0);
    }
    pthread_barrier_wait(&starting_line);
    for (int i = 0; i < 10; ++i) {
        CHECK(child_succeeds(sum_is_right));
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&starting_line);
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"after_a_region_of_the_program", after_a_region_of_the_program},
    {"with_tensors_that_workers_keep", with_tensors_that_workers_keep},
    {"beside_the_first_use", beside_the_first_use},
};

/* Plays a scene in this process, which has not used the library yet. */
static int play(const char *name) {
    enum { SCENE_SECONDS = 60 };
    alarm(SCENE_SECONDS);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        if (strcmp(scenes[i].name, name) == 0) {
            scenes[i].run();
        }
    }
    return atomic_load(&tap_failed_checks) == 0 ? 0 : 1;
}

static bool scene_succeeds(const char *name) {
    static const char *const environment[] = {"KAEL_NUM_THREADS=4", "OMP_THREAD_LIMIT", NULL};
    char output[1024];
    const bool good = respawn(name, environment, NULL, output, sizeof output);
    if (!good) {
        printf("%s\n", output);
    }
    return good;
}

static void ForkAfterARegionOfTheProgram(void) {
    CHECK(scene_succeeds("after_a_region_of_the_program"));
}

static void ForkWithTensorsThatWorkersKeep(void) {
    CHECK(scene_succeeds("with_tensors_that_workers_keep"));
}

static void ForkBesideTheFirstUse(void) {
    for (int i = 0; i < 30; ++i) {
        if (!CHECK(scene_succeeds("beside_the_first_use"))) {
            return;
        }
    }
}

int main(int argc, char **argv) {
    if (argc > 1) {
        return play(argv[1]);
    }
    tap_time_limit(300);
    TAP_RUN(ForkAfterARegionOfTheProgram);
    TAP_RUN(ForkWithTensorsThatWorkersKeep);
    TAP_RUN(ForkBesideTheFirstUse);
    return tap_finish();
}
