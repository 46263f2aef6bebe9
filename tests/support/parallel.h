/* Seeing how many threads a parallel loop really has. */
#ifndef KAEL_TESTS_PARALLEL_H
#define KAEL_TESTS_PARALLEL_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "kael/parallel.h"

static inline double monotonic_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct meeting {
    int expected;
    double patience; /* seconds */
    atomic_int arrived;
} meeting;

/* Waits until all the expected bodies have arrived, which only threads of their own can. */
static inline kael_status arrive(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    meeting *const m = context;
    const double deadline = monotonic_seconds() + m->patience;
    atomic_fetch_add(&m->arrived, 1);
    while (atomic_load(&m->arrived) < m->expected) {
        if (monotonic_seconds() > deadline) {
            return KAEL_ERROR_STATE;
        }
        const struct timespec pause = {.tv_nsec = 100000};
        nanosleep(&pause, NULL);
    }
    return KAEL_OK;
}

/* Runs a loop of `threads` chunks that wait for each other, and returns how many met: all of them
 * if they ran at the same time, fewer after 10 seconds of waiting. */
static inline int threads_that_meet(int threads) {
    meeting m = {.expected = threads, .patience = 10.0};
    return kael_parallel_for(0, threads, 1, arrive, &m) == KAEL_OK ? atomic_load(&m.arrived) : 0;
}

#endif
