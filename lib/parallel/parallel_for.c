#include <omp.h>
#include <stdatomic.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/autograd.h"
#include "kael/parallel.h"
#include "parallel/float_mode.h"
#include "parallel/region.h"
#include "parallel/team.h"
#include "parallel/thread_count.h"

/* Enough chunks to balance the load of many cores, few enough that claiming them costs nothing. */
#define MAX_CHUNKS 1024

#define CACHE_LINE 64

/* The job of the region that holds the team. Static, and what the workers read in one cache line:
 * handing the line over is most of what a region costs beyond an empty one. */
static struct {
    _Alignas(CACHE_LINE) int64_t begin;
    int64_t end;
    int64_t chunk;
    kael_parallel_body *body;
    void *context;
    kael_float_mode float_mode;
    int chunk_count;
    atomic_int status; /* the first that is not KAEL_OK */
    bool grad_mode;
    /* Of the thread that set `status`. */
    _Alignas(CACHE_LINE) char message[KAEL_ERROR_MESSAGE_SIZE];
} job;

/* What a participant of a region takes over from the caller and gives back. */
typedef struct participant {
    bool grad_mode;
    kael_float_mode float_mode;
} participant;

/* The model saves a call per access and is little enough for libraries that are loaded late. */
static _Thread_local bool inside_region __attribute__((tls_model("initial-exec")));
static _Thread_local int body_depth __attribute__((tls_model("initial-exec")));

bool kael_inside_parallel_region(void) {
    return inside_region;
}

bool kael_inside_parallel_body(void) {
    return body_depth > 0;
}

static void adopt_grad_mode(bool enabled) {
    if (kael_grad_mode_enabled() != enabled) {
        kael_set_grad_mode(enabled);
    }
}

static participant join_region(void) {
    const participant own = {kael_grad_mode_enabled(), kael_float_mode_get()};
    inside_region = true;
    ++body_depth;
    adopt_grad_mode(job.grad_mode);
    kael_float_mode_adopt(own.float_mode, job.float_mode);
    return own;
}

/* Workers are left with the exception flags they had. The caller keeps those that its chunks
 * raised, as if it had run them alone. */
static void leave_region(const participant *own, bool is_caller) {
    const kael_float_mode now = kael_float_mode_get();
    if (is_caller) {
        kael_float_mode_adopt(now, own->float_mode);
    } else {
        kael_float_mode_set(now, own->float_mode);
    }
    adopt_grad_mode(own->grad_mode);
    --body_depth;
    inside_region = false;
}

/* A failure of the user's own has no message of ours. */
static kael_status call_body(kael_parallel_body *body, int64_t first, int64_t last, void *context) {
    const uint64_t messages = kael_error_count();
    const kael_status status = body(first, last, context);
    if (status != KAEL_OK && kael_error_count() == messages) {
        return kael_error(status, "a parallel body failed: %s", kael_status_string(status));
    }
    return status;
}

static void keep_first_error(kael_status status) {
    int expected = KAEL_OK;
    if (atomic_compare_exchange_strong_explicit(&job.status, &expected, (int)status,
                                                memory_order_relaxed, memory_order_relaxed)) {
        strcpy(job.message, kael_last_error_message());
    }
}

static void run_chunk(int64_t index) {
    const int64_t first = job.begin + index * job.chunk;
    const int64_t last = first + kael_min_i64(job.chunk, job.end - first);
    const kael_status status = call_body(job.body, first, last, job.context);
    if (status != KAEL_OK) {
        keep_first_error(status);
    }
}

static kael_status run_region(int threads) {
#pragma omp parallel num_threads(threads)
    {
        const participant own = join_region();
#pragma omp for schedule(static) nowait
        for (int index = 0; index < job.chunk_count; ++index) {
            if (atomic_load_explicit(&job.status, memory_order_relaxed) == KAEL_OK) {
                run_chunk(index);
            }
        }
        leave_region(&own, omp_get_thread_num() == 0);
    }
    const kael_status status = (kael_status)atomic_load_explicit(&job.status, memory_order_relaxed);
    return status == KAEL_OK ? KAEL_OK : kael_error(status, "%s", job.message);
}

static kael_status run_inline(int64_t begin, int64_t end, kael_parallel_body *body, void *context) {
    ++body_depth;
    const kael_status status = call_body(body, begin, end, context);
    --body_depth;
    return status;
}

kael_status kael_parallel_for(int64_t begin, int64_t end, int64_t grain, kael_parallel_body *body,
                              void *context) {
    if (grain <= 0) {
        return kael_error(KAEL_ERROR_VALUE, "grain must be positive, got %lld", (long long)grain);
    }
    if (body == NULL) {
        return kael_error(KAEL_ERROR_VALUE, "body must not be NULL");
    }
    int threads = 1;
    KAEL_TRY(kael_thread_count(&threads));
    if (end <= begin) {
        return KAEL_OK;
    }
    int64_t length;
    if (__builtin_sub_overflow(end, begin, &length)) {
        return kael_error(KAEL_ERROR_VALUE, "range [%lld, %lld) is longer than an int64_t counts",
                          (long long)begin, (long long)end);
    }
    if (length <= grain || threads == 1 || inside_region || omp_in_parallel() ||
        !kael_team_try_acquire()) {
        return run_inline(begin, end, body, context);
    }
    const int64_t chunk = kael_max_i64(grain, kael_ceil_div(length, MAX_CHUNKS));
    const int chunk_count = (int)kael_ceil_div(length, chunk);
    threads = kael_team_size(chunk_count, threads);
    if (threads == 1) {
        kael_team_release();
        return run_inline(begin, end, body, context);
    }
    job.begin = begin;
    job.end = end;
    job.chunk = chunk;
    job.chunk_count = chunk_count;
    job.body = body;
    job.context = context;
    job.grad_mode = kael_grad_mode_enabled();
    job.float_mode = kael_float_mode_get();
    atomic_store_explicit(&job.status, KAEL_OK, memory_order_relaxed);
    const kael_status status = run_region(threads);
    kael_team_release();
    return status;
}
