#include "parallel/team.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "kael/parallel.h"

static atomic_bool team_busy;

/* The threads of the team that the OpenMP runtime keeps for the calling thread, itself included. */
static _Thread_local int team_threads = 1;

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

/* libgomp's workers do not exist in a forked child, which would wait for them for ever: end them
 * before the fork, and let parent and child start new ones. The call reaches the forking thread's
 * own team alone, the only one that can be used in the child, and refuses inside a region. */
static void rest_before_fork(void) {
    if (omp_pause_resource_all(omp_pause_soft) == 0) {
        team_threads = 1;
    }
}

/* The region that another thread was running has no threads here. */
static void reset_in_child(void) {
    team_threads = 1;
    atomic_store_explicit(&team_busy, false, memory_order_relaxed);
}

static void install_fork_handlers(void) {
    pthread_atfork(rest_before_fork, NULL, reset_in_child);
}

bool kael_team_try_acquire(void) {
    return !atomic_load_explicit(&team_busy, memory_order_relaxed) &&
           !atomic_exchange_explicit(&team_busy, true, memory_order_acquire);
}

void kael_team_release(void) {
    atomic_store_explicit(&team_busy, false, memory_order_release);
}

static void *wait_for_gate(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int kael_startable_threads(int count) {
    pthread_t threads[KAEL_MAX_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int started = 0;
    pthread_mutex_lock(&gate);
    while (started < min_int(count, (int)KAEL_MAX_THREADS) &&
           pthread_create(&threads[started], NULL, wait_for_gate, &gate) == 0) {
        ++started;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; ++i) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&gate);
    return started;
}

int kael_team_size(int tasks, int limit) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_fork_handlers);
    const int wanted = min_int(limit, max_int(tasks, team_threads));
    if (wanted > team_threads) {
        team_threads += kael_startable_threads(wanted - team_threads);
    } else {
        team_threads = wanted;
    }
    return team_threads;
}
