#define _GNU_SOURCE
#include "parallel/team.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/checked.h"
#include "kael/parallel.h"
#include "memory/block.h"
#include "parallel/runtime.h"

static atomic_bool team_busy;

/* The threads of the team that the OpenMP runtime keeps for the calling thread, itself included. */
static _Thread_local int team_threads __attribute__((tls_model("initial-exec"))) = 1;

/* libgomp's workers do not exist in a forked child, which would wait for them for ever: they are
 * ended before the fork, and parent and child start new ones. The call reaches the forking thread's
 * own team alone, the only one that can be used in the child, and refuses inside a region. */
static void end_workers_before_fork(void) {
    if (omp_pause_resource_all(omp_pause_soft) == 0) {
        team_threads = 1;
    }
}

/* The region that another thread was running has no threads here. */
static void reset_in_child(void) {
    team_threads = 1;
    atomic_store_explicit(&team_busy, false, memory_order_relaxed);
}

/* What runs before a fork runs in the reverse order of registration: workers end, whose destructors
 * may release tensors, before the allocator takes its lock.
 *
 * LLVM's runtime resets itself in the child. Its pause reaches the regions of all threads, and
 * under OMP_WAIT_POLICY=active nothing wakes the threads that it sends to sleep there. */
static void install_fork_handlers(void) {
    (void)kael_block_survive_forks();
    kael_runtime_set_up();
    pthread_atfork(kael_runtime_is_llvm() ? NULL : end_workers_before_fork, NULL, reset_in_child);
}

/* When the library is loaded, since a program may fork after parallel regions of its own and call
 * the library in the child first. */
__attribute__((constructor)) static void prepare_for_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_fork_handlers);
}

bool kael_team_try_acquire(void) {
    return !atomic_load_explicit(&team_busy, memory_order_relaxed) &&
           !atomic_exchange_explicit(&team_busy, true, memory_order_acquire);
}

void kael_team_release(void) {
    atomic_store_explicit(&team_busy, false, memory_order_release);
}

/* What a runtime may allocate for a thread beside its stack. */
#define THREAD_RECORDS_BYTES ((size_t)64 << 10)

struct trial_thread {
    pthread_t handle;
    pid_t id;
    pthread_mutex_t *gate;
    void *records;
};

static void *wait_for_gate(void *context) {
    struct trial_thread *const trial = context;
    trial->id = gettid();
    pthread_mutex_lock(trial->gate);
    pthread_mutex_unlock(trial->gate);
    return NULL;
}

/* A joined thread counts against the system's limits until the kernel has released it, which is
 * when its number is gone. The wait ends anyway, in case the number was given out again. */
static void wait_until_released(pid_t id) {
    enum { MOST_YIELDS = 100000 };
    const pid_t process = getpid();
    for (int i = 0; i < MOST_YIELDS && syscall(SYS_tgkill, process, id, 0) == 0; ++i) {
        sched_yield();
    }
}

/* A stack size that the system refuses changes nothing, as in the runtimes. */
static bool init_attributes(pthread_attr_t *attributes) {
    if (pthread_attr_init(attributes) != 0) {
        return false;
    }
    (void)pthread_attr_setstacksize(attributes, kael_runtime_stack_size());
    return true;
}

static bool start_trial(struct trial_thread *trial, const pthread_attr_t *attributes,
                        pthread_mutex_t *gate) {
    trial->gate = gate;
    trial->records = malloc(THREAD_RECORDS_BYTES);
    if (trial->records == NULL) {
        return false;
    }
    if (pthread_create(&trial->handle, attributes, wait_for_gate, trial) != 0) {
        free(trial->records);
        return false;
    }
    return true;
}

static void end_trial(struct trial_thread *trial) {
    pthread_join(trial->handle, NULL);
    wait_until_released(trial->id);
    free(trial->records);
}

int kael_startable_threads(int count) {
    struct trial_thread threads[KAEL_MAX_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    const int most = (int)kael_min_i64(count, KAEL_MAX_THREADS);
    int started = 0;
    if (!init_attributes(&attributes)) {
        return 0;
    }
    pthread_mutex_lock(&gate);
    while (started < most && start_trial(&threads[started], &attributes, &gate)) {
        ++started;
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; ++i) {
        end_trial(&threads[i]);
    }
    pthread_attr_destroy(&attributes);
    pthread_mutex_destroy(&gate);
    return started;
}

static int grow_team(int wanted) {
    prepare_for_forks(); /* constructors of a program that links statically may come first */
    return team_threads + kael_startable_threads(wanted - team_threads);
}

int kael_team_size(int tasks, int limit) {
    const int wanted = (int)kael_min_i64(limit, kael_max_i64(tasks, team_threads));
    team_threads = wanted > team_threads ? grow_team(wanted) : wanted;
    return team_threads;
}
