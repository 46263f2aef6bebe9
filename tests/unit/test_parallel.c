#include <criterion/criterion.h>
#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/autograd.h"
#include "kael/parallel.h"
#include "parallel/float_mode.h"
#include "parallel/region.h"
#include "support/parallel.h"

enum { THREAD_COUNTS = 6 };

static void set_threads(int count) {
    cr_assert_eq(kael_set_num_threads(count), KAEL_OK);
}

/* Configures one of several numbers of threads and returns it. */
static int use_threads(int choice) {
    static const int counts[THREAD_COUNTS] = {1, 2, 3, 5, 8, 16};
    set_threads(counts[choice]);
    return counts[choice];
}

/* The ranges that bodies were called with, in any order. */
enum { MOST_CALLS = 2048 };

typedef struct range {
    int64_t first;
    int64_t last;
    pthread_t thread;
} range;

typedef struct recorder {
    atomic_int count;
    range calls[MOST_CALLS];
} recorder;

static kael_status record(int64_t first, int64_t last, void *context) {
    recorder *const calls = context;
    const int index = atomic_fetch_add(&calls->count, 1);
    if (index < MOST_CALLS) {
        calls->calls[index] = (range){first, last, pthread_self()};
    }
    return KAEL_OK;
}

static int compare_ranges(const void *a, const void *b) {
    const int64_t first = ((const range *)a)->first;
    const int64_t second = ((const range *)b)->first;
    return (first > second) - (first < second);
}

/* Runs the loop and returns its calls in ascending order. */
static const recorder *record_loop(int64_t begin, int64_t end, int64_t grain) {
    static recorder calls;
    atomic_store(&calls.count, 0);
    cr_assert_eq(kael_parallel_for(begin, end, grain, record, &calls), KAEL_OK);
    cr_assert_leq(calls.count, MOST_CALLS);
    qsort(calls.calls, (size_t)calls.count, sizeof calls.calls[0], compare_ranges);
    return &calls;
}

static void expect_partition(const recorder *calls, int64_t begin, int64_t end) {
    int64_t next = begin;
    for (int i = 0; i < calls->count; ++i) {
        cr_assert_eq(calls->calls[i].first, next);
        cr_assert_gt(calls->calls[i].last, next);
        next = calls->calls[i].last;
    }
    cr_assert_eq(next, end);
}

static kael_status count_visits(int64_t first, int64_t last, void *context) {
    atomic_int *const visits = context;
    for (int64_t i = first; i < last; ++i) {
        atomic_fetch_add(&visits[i], 1);
    }
    return KAEL_OK;
}

Test(ParallelThreads, VisitsEveryIndexOnce) {
    enum { LONGEST = 5000 };
    static atomic_int visits[LONGEST];
    static const int64_t lengths[] = {1, 2, 7, 10, 1023, 1024, 1025, LONGEST};
    static const int64_t grains[] = {1, 2, 3, 64, 1000, LONGEST};
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        use_threads(choice);
        for (int l = 0; l < 8; ++l) {
            for (int g = 0; g < 6; ++g) {
                memset(visits, 0, sizeof visits);
                const kael_status status =
                    kael_parallel_for(0, lengths[l], grains[g], count_visits, visits);
                cr_assert_eq(status, KAEL_OK);
                for (int64_t i = 0; i < LONGEST; ++i) {
                    cr_assert_eq(visits[i], i < lengths[l]);
                }
            }
        }
    }
}

Test(ParallelThreads, NonZeroBegin) {
    static const int64_t begins[] = {-7, 100, INT64_MIN, INT64_MAX - 100, -(INT64_C(1) << 40)};
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        use_threads(choice);
        for (int i = 0; i < 5; ++i) {
            expect_partition(record_loop(begins[i], begins[i] + 100, 1), begins[i],
                             begins[i] + 100);
        }
    }
}

Test(ParallelThreads, GrainRespected) {
    set_threads(4);
    for (int64_t grain = 1; grain < 200; ++grain) {
        const recorder *const calls = record_loop(0, 1000, grain);
        expect_partition(calls, 0, 1000);
        for (int i = 0; i < calls->count - 1; ++i) {
            cr_assert_geq(calls->calls[i].last - calls->calls[i].first, grain);
        }
    }
}

Test(ParallelThreads, SmallRangesInline) {
    set_threads(4);
    for (int64_t length = 1; length <= 64; ++length) {
        const recorder *const calls = record_loop(5, 5 + length, 64);
        cr_assert_eq(calls->count, 1);
        cr_assert_eq(calls->calls[0].first, 5);
        cr_assert_eq(calls->calls[0].last, 5 + length);
        cr_assert(pthread_equal(calls->calls[0].thread, pthread_self()));
    }
    cr_assert_gt(record_loop(5, 70, 64)->count, 1);
}

typedef struct trace {
    int64_t length;
    int64_t grain;
    int chunks;
    int64_t chunk;
    int64_t last_chunk;
} trace;

Test(ParallelThreads, ChunksFollowLengthAndGrainAlone) {
    static const trace traces[] = {
        {100, KAEL_ELEMENT_GRAIN, 1, 100, 100},
        {KAEL_ELEMENT_GRAIN, KAEL_ELEMENT_GRAIN, 1, KAEL_ELEMENT_GRAIN, KAEL_ELEMENT_GRAIN},
        {KAEL_ELEMENT_GRAIN + 1, KAEL_ELEMENT_GRAIN, 2, KAEL_ELEMENT_GRAIN, 1},
        {1000000, KAEL_ELEMENT_GRAIN, 2, KAEL_ELEMENT_GRAIN, 475712},
        {4000000, KAEL_ELEMENT_GRAIN, 8, KAEL_ELEMENT_GRAIN, 329984},
        {3000000, KAEL_ELEMENT_GRAIN, 6, KAEL_ELEMENT_GRAIN, 378560},
        {10, 1, 10, 1, 1},
        {1024, 1, 1024, 1, 1},
        {1025, 1, 513, 2, 1},
        {5000, 1, 1000, 5, 5},
        {5000, 4, 1000, 5, 5},
        {5000, 6, 834, 6, 2},
        {INT64_C(1) << 40, 1, 1024, INT64_C(1) << 30, INT64_C(1) << 30},
        {INT64_MAX, 1, 1024, INT64_C(1) << 53, (INT64_C(1) << 53) - 1},
        {INT64_MAX, INT64_MAX - 1, 2, INT64_MAX - 1, 1},
    };
    for (int choice = 1; choice < THREAD_COUNTS; ++choice) {
        use_threads(choice);
        for (size_t t = 0; t < sizeof traces / sizeof traces[0]; ++t) {
            const recorder *const calls = record_loop(0, traces[t].length, traces[t].grain);
            expect_partition(calls, 0, traces[t].length);
            cr_assert_eq(calls->count, traces[t].chunks);
            for (int i = 0; i < calls->count; ++i) {
                const bool last = i == calls->count - 1;
                cr_assert_eq(calls->calls[i].last - calls->calls[i].first,
                             last ? traces[t].last_chunk : traces[t].chunk);
            }
        }
    }
}

Test(ParallelThreads, ChunksAreAStaticSchedule) {
    set_threads(4);
    const recorder *const calls = record_loop(0, 10, 1);
    static const int last_of_thread[] = {2, 5, 7, 9};
    int begin = 0;
    for (int thread = 0; thread < 4; ++thread) {
        for (int i = begin; i <= last_of_thread[thread]; ++i) {
            cr_assert(pthread_equal(calls->calls[i].thread, calls->calls[begin].thread));
        }
        begin = last_of_thread[thread] + 1;
    }
    cr_assert(pthread_equal(calls->calls[0].thread, pthread_self()));
    cr_assert_not(pthread_equal(calls->calls[9].thread, pthread_self()));
}

Test(ParallelThreads, AllConfiguredThreadsTakePart) {
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        const int threads = use_threads(choice);
        cr_assert_eq(threads_that_meet(threads), threads);
    }
    set_threads(3);
    cr_assert_eq(threads_that_meet(3), 3);
}

/* Fails on the chunk that holds `failing`, with a message of the library's own. */
typedef struct failure {
    int64_t failing;
    atomic_int calls;
} failure;

static kael_status fail_on_one(int64_t first, int64_t last, void *context) {
    failure *const plan = context;
    atomic_fetch_add(&plan->calls, 1);
    if (first <= plan->failing && plan->failing < last) {
        return kael_parallel_for(0, 1, -first, NULL, NULL);
    }
    return KAEL_OK;
}

Test(ParallelThreads, ErrorReachesCaller) {
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        const int threads = use_threads(choice);
        for (int64_t failing = 0; failing < 10; ++failing) {
            failure plan = {.failing = failing};
            const kael_status status = kael_parallel_for(0, 10, 1, fail_on_one, &plan);
            cr_assert_eq(status, KAEL_ERROR_VALUE);
            char message[64];
            snprintf(message, sizeof message, "grain must be positive, got %d",
                     threads == 1 ? 0 : -(int)failing);
            cr_assert_str_eq(kael_last_error_message(), message);
        }
    }
}

static kael_status fail_with_its_index(int64_t first, int64_t last, void *context) {
    (void)last;
    atomic_fetch_add((atomic_int *)context, 1);
    return first % 2 == 0 ? KAEL_ERROR_IO : KAEL_ERROR_SHAPE;
}

Test(ParallelThreads, ChunksAfterAnErrorAreSkipped) {
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        const int threads = use_threads(choice);
        atomic_int calls = 0;
        const kael_status status = kael_parallel_for(0, 1000, 1, fail_with_its_index, &calls);
        cr_assert(status == KAEL_ERROR_IO || status == KAEL_ERROR_SHAPE);
        cr_assert_leq(calls, threads);
    }
}

Test(ParallelThreads, BodysOwnStatusGetsAMessage) {
    for (int round = 0; round < 10 * THREAD_COUNTS; ++round) {
        use_threads(round % THREAD_COUNTS);
        atomic_int calls = 0;
        const kael_status status =
            kael_parallel_for(round, round + 100, 1, fail_with_its_index, &calls);
        char message[64];
        snprintf(message, sizeof message, "a parallel body failed: %s", kael_status_string(status));
        cr_assert_str_eq(kael_last_error_message(), message);
    }
}

Test(ParallelThreads, PoolKeepsWorkingAfterAnError) {
    set_threads(4);
    for (int round = 0; round < 100; ++round) {
        failure plan = {.failing = round % 8};
        cr_assert_neq(kael_parallel_for(0, 8, 1, fail_on_one, &plan), KAEL_OK);
        expect_partition(record_loop(0, 100, 1), 0, 100);
    }
    cr_assert_eq(threads_that_meet(4), 4);
}

Test(ParallelThreads, SuccessKeepsTheLastMessage) {
    set_threads(4);
    cr_assert_eq(kael_set_num_threads(0), KAEL_ERROR_VALUE);
    char message[256];
    strcpy(message, kael_last_error_message());
    record_loop(0, 100, 1);
    cr_assert_str_eq(kael_last_error_message(), message);
}

static kael_status expect_grad_mode(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    const bool as_expected = kael_grad_mode_enabled() == *(const bool *)context;
    kael_set_grad_mode(!kael_grad_mode_enabled());
    return as_expected ? KAEL_OK : KAEL_ERROR_STATE;
}

static int workers_that_record(void) {
    int recording = 0;
#pragma omp parallel num_threads(4) reduction(+ : recording)
    recording += kael_grad_mode_enabled();
    return recording;
}

Test(ParallelThreads, GradModeIsCopiedToWorkers) {
    set_threads(4);
    for (int round = 0; round < 20; ++round) {
        bool enabled = round % 2 == 0;
        kael_set_grad_mode(enabled);
        cr_assert_eq(kael_parallel_for(0, 4, 1, expect_grad_mode, &enabled), KAEL_OK);
        cr_assert_eq(kael_grad_mode_enabled(), enabled);
        cr_assert_eq(workers_that_record(), 3 + enabled);
    }
}

static kael_status divide(int64_t first, int64_t last, void *context) {
    for (int64_t i = first; i < last; ++i) {
        volatile double three = i % 2 == 0 ? 3.0 : -3.0;
        volatile long double wide_three = three;
        volatile double tiny = 0x1p-1022;
        volatile double half = 0.5;
        double *const results = (double *)context + 4 * i;
        results[0] = 1.0 / three;
        results[1] = (double)(1.0L / wide_three);
        results[2] = tiny * half;
        results[3] = fegetround();
    }
    return KAEL_OK;
}

enum { MODE_CHUNKS = 8 };

static void expect_the_callers_bits(void) {
    double inline_results[4 * MODE_CHUNKS];
    double region_results[4 * MODE_CHUNKS];
    cr_assert_eq(divide(0, MODE_CHUNKS, inline_results), KAEL_OK);
    const kael_status status = kael_parallel_for(0, MODE_CHUNKS, 1, divide, region_results);
    cr_assert_eq(status, KAEL_OK);
    cr_assert_eq(memcmp(inline_results, region_results, sizeof inline_results), 0);
}

enum { MODE_THREADS = 4 };

static void read_modes_of_team(kael_float_mode *modes) {
#pragma omp parallel num_threads(MODE_THREADS)
    modes[omp_get_thread_num()] = kael_float_mode_get();
}

static void expect_own_modes_of_workers(const kael_float_mode *before) {
    kael_float_mode after[MODE_THREADS];
    memset(after, 0, sizeof after);
    read_modes_of_team(after);
    cr_assert_eq(memcmp(&after[1], &before[1], (MODE_THREADS - 1) * sizeof after[0]), 0);
}

Test(ParallelThreads, RoundingModeIsCopiedToWorkers) {
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    set_threads(MODE_THREADS);
    kael_float_mode before[MODE_THREADS];
    memset(before, 0, sizeof before);
    read_modes_of_team(before);
    for (int round = 0; round < 20; ++round) {
        cr_assert_eq(fesetround(modes[round % 4]), 0);
        expect_the_callers_bits();
        cr_assert_eq(fegetround(), modes[round % 4]);
        cr_assert_eq(fesetround(FE_TONEAREST), 0);
        expect_own_modes_of_workers(before);
    }
}

static void flush_denormals(bool flush) {
#if defined(__x86_64__)
    const unsigned int bits = 0x8040U; /* flush to zero, denormals are zero */
    _mm_setcsr(flush ? _mm_getcsr() | bits : _mm_getcsr() & ~bits);
#elif defined(__aarch64__)
    const uint64_t bit = UINT64_C(1) << 24;
    const uint64_t control = kael_float_mode_get().control;
    __asm__ volatile("msr fpcr, %0" : : "r"(flush ? control | bit : control & ~bit));
#else
#error "tell how this processor flushes denormal numbers"
#endif
}

Test(ParallelThreads, DenormalModeIsCopiedToWorkers) {
    set_threads(MODE_THREADS);
    kael_float_mode before[MODE_THREADS];
    memset(before, 0, sizeof before);
    read_modes_of_team(before);
    for (int round = 0; round < 20; ++round) {
        const bool flush = round % 2 == 0;
        flush_denormals(flush);
        expect_the_callers_bits();
        double results[4];
        cr_assert_eq(divide(0, 1, results), KAEL_OK);
        cr_assert_eq(results[2] == 0.0, flush);
        flush_denormals(false);
        expect_own_modes_of_workers(before);
    }
}

static kael_status divide_by_zero(int64_t first, int64_t last, void *context) {
    (void)last;
    volatile double zero = 0.0;
    ((double *)context)[first] = 1.0 / zero;
    return KAEL_OK;
}

Test(ParallelThreads, CallerKeepsTheExceptionFlagsOfItsChunks) {
    set_threads(MODE_THREADS);
    kael_float_mode before[MODE_THREADS];
    memset(before, 0, sizeof before);
    read_modes_of_team(before);
    for (int round = 0; round < 20; ++round) {
        double results[MODE_CHUNKS];
        feclearexcept(FE_ALL_EXCEPT);
        const kael_status status = kael_parallel_for(0, MODE_CHUNKS, 1, divide_by_zero, results);
        cr_assert_eq(status, KAEL_OK);
        cr_assert_eq(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
        expect_own_modes_of_workers(before);
    }
}

static kael_status run_nested(int64_t first, int64_t last, void *context) {
    recorder nested = {.count = 0};
    if (!kael_inside_parallel_region() ||
        kael_parallel_for(first, last + 100, 1, record, &nested) != KAEL_OK || nested.count != 1 ||
        nested.calls[0].first != first || nested.calls[0].last != last + 100 ||
        !pthread_equal(nested.calls[0].thread, pthread_self())) {
        return KAEL_ERROR_STATE;
    }
    atomic_fetch_add((atomic_int *)context, 1);
    return KAEL_OK;
}

Test(ParallelThreads, NestedCallRunsInline) {
    set_threads(4);
    atomic_int bodies = 0;
    cr_assert_not(kael_inside_parallel_region());
    cr_assert_eq(kael_parallel_for(0, 16, 1, run_nested, &bodies), KAEL_OK);
    cr_assert_eq(bodies, 16);
    cr_assert_not(kael_inside_parallel_region());
}

static kael_status use_the_team(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    *(int *)context = threads_that_meet(4);
    return kael_inside_parallel_region() ? KAEL_ERROR_STATE : KAEL_OK;
}

/* A batch that fits one grain leaves the threads to the loops inside it. */
Test(ParallelThreads, LoopInsideAnInlineBodyMayUseAllThreads) {
    set_threads(4);
    for (int64_t length = 1; length <= 64; length += 21) {
        int met = 0;
        cr_assert_eq(kael_parallel_for(0, length, 64, use_the_team, &met), KAEL_OK);
        cr_assert_eq(met, 4);
    }
}

/* Returns its argument when all is well. */
static void *call_repeatedly(void *success) {
    enum { LENGTH = 300 };
    atomic_int visits[LENGTH];
    for (int round = 1; round <= 200; ++round) {
        memset(visits, 0, sizeof visits);
        if (kael_parallel_for(0, LENGTH, 1, count_visits, visits) != KAEL_OK) {
            return NULL;
        }
        for (int i = 0; i < LENGTH; ++i) {
            if (visits[i] != 1) {
                return NULL;
            }
        }
    }
    return success;
}

Test(ParallelThreads, ConcurrentCallersAllComplete) {
    enum { CALLERS = 8 };
    set_threads(4);
    pthread_t callers[CALLERS];
    for (int i = 0; i < CALLERS; ++i) {
        cr_assert_eq(pthread_create(&callers[i], NULL, call_repeatedly, callers), 0);
    }
    for (int i = 0; i < CALLERS; ++i) {
        void *success = NULL;
        pthread_join(callers[i], &success);
        cr_assert_not_null(success);
    }
}

typedef struct second_caller {
    sem_t inside;
    sem_t done;
    recorder calls;
} second_caller;

static void *call_while_busy(void *context) {
    second_caller *const second = context;
    sem_wait(&second->inside);
    const kael_status status = kael_parallel_for(0, 100, 1, record, &second->calls);
    sem_post(&second->done);
    return status == KAEL_OK ? context : NULL;
}

static kael_status wait_for_second_caller(int64_t first, int64_t last, void *context) {
    (void)last;
    second_caller *const second = context;
    if (first == 0) {
        sem_post(&second->inside);
        sem_wait(&second->done);
    }
    return KAEL_OK;
}

Test(ParallelThreads, SecondCallerDoesNotWaitForTheActiveJob, .timeout = 20) {
    static second_caller second;
    set_threads(4);
    sem_init(&second.inside, 0, 0);
    sem_init(&second.done, 0, 0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, call_while_busy, &second), 0);
    const kael_status status = kael_parallel_for(0, 8, 1, wait_for_second_caller, &second);
    cr_assert_eq(status, KAEL_OK);
    void *success = NULL;
    pthread_join(thread, &success);
    cr_assert_not_null(success);
    cr_assert_eq(second.calls.count, 1);
    cr_assert_eq(second.calls.calls[0].last, 100);
}

static kael_status read_count(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    int64_t count = 0;
    const kael_status status = kael_get_num_threads(&count);
    return status == KAEL_OK && count == *(const int64_t *)context ? KAEL_OK : KAEL_ERROR_STATE;
}

Test(ParallelThreads, ThreadCountIsReadableInsideBody) {
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        const int threads = use_threads(choice);
        int64_t count = threads;
        cr_assert_eq(kael_parallel_for(0, 32, 1, read_count, &count), KAEL_OK);
    }
}

static kael_status change_count(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    (void)context;
    return kael_set_num_threads(2);
}

Test(ParallelThreads, ChangingThreadCountInsideBodyFails) {
    for (int choice = 0; choice < THREAD_COUNTS; ++choice) {
        const int threads = use_threads(choice);
        for (int64_t grain = 1; grain < 128; grain *= 8) {
            const kael_status status = kael_parallel_for(0, 32, grain, change_count, NULL);
            cr_assert_eq(status, KAEL_ERROR_STATE);
            cr_assert_str_eq(kael_last_error_message(),
                             "the number of threads cannot change inside a parallel body");
            int64_t count = 0;
            cr_assert_eq(kael_get_num_threads(&count), KAEL_OK);
            cr_assert_eq(count, threads);
        }
    }
    set_threads(2);
}
