#include "parallel/thread_count.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "kael/parallel.h"
#include "parallel/detect.h"
#include "parallel/region.h"
#include "parallel/thread_environment.h"

/* By kael_set_num_threads; 0 until then. */
static atomic_int chosen;

/* From the environment and the machine, read once; 0 if KAEL_NUM_THREADS is malformed, and then its
 * value, cut to the buffer. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int configured;
static char malformed[128];

/* What applies when nothing was set for kael alone. */
static int default_count(void) {
    const char *const text = getenv("OMP_NUM_THREADS");
    int count = 0;
    if (text == NULL || !kael_parse_omp_num_threads(text, &count)) {
        const kael_cpu_set allowed = kael_allowed_cpus();
        count = kael_detect_threads("", &allowed, omp_get_num_procs());
    }
    const int limit = omp_get_thread_limit();
    const int most = limit < KAEL_MAX_THREADS ? limit : (int)KAEL_MAX_THREADS;
    return count < most ? count : most;
}

static void configure(void) {
    const char *const text = getenv("KAEL_NUM_THREADS");
    int count = 0;
    if (text == NULL) {
        count = default_count();
    } else if (!kael_parse_num_threads(text, &count)) {
        count = 0;
        snprintf(malformed, sizeof malformed, "%s", text);
    }
    atomic_store_explicit(&configured, count, memory_order_relaxed);
}

kael_status kael_thread_count(int *count) {
    *count = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (*count > 0) {
        return KAEL_OK;
    }
    *count = atomic_load_explicit(&configured, memory_order_relaxed);
    if (*count > 0) {
        return KAEL_OK;
    }
    pthread_once(&once, configure);
    *count = atomic_load_explicit(&configured, memory_order_relaxed);
    if (*count > 0) {
        return KAEL_OK;
    }
    return kael_error(KAEL_ERROR_VALUE,
                      "KAEL_NUM_THREADS must be an integer between 1 and %d, got '%s'",
                      (int)KAEL_MAX_THREADS, malformed);
}

kael_status kael_set_num_threads(int64_t count) {
    if (kael_inside_parallel_body()) {
        return kael_error(KAEL_ERROR_STATE,
                          "the number of threads cannot change inside a parallel body");
    }
    if (count < 1 || count > KAEL_MAX_THREADS) {
        return kael_error(KAEL_ERROR_VALUE, "count must be between 1 and %d, got %lld",
                          (int)KAEL_MAX_THREADS, (long long)count);
    }
    atomic_store_explicit(&chosen, (int)count, memory_order_relaxed);
    return KAEL_OK;
}

kael_status kael_get_num_threads(int64_t *count) {
    if (count == NULL) {
        return kael_error(KAEL_ERROR_VALUE, "count must not be NULL");
    }
    int threads = 0;
    KAEL_TRY(kael_thread_count(&threads));
    *count = threads;
    return KAEL_OK;
}
