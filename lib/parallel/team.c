#define _GNU_SOURCE
#include "parallel/team.h"

#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/checked.h"
#include "kael/parallel.h"

static atomic_bool team_busy;

/* The threads of the team that the OpenMP runtime keeps for the calling thread, itself included. */
static _Thread_local int team_threads __attribute__((tls_model("initial-exec"))) = 1;

/* A function of LLVM's and Intel's runtimes alone; NULL where neither is loaded. */
static void set_blocktime(int milliseconds) __attribute__((weakref("kmp_set_blocktime")));

typedef void any_function(void);

/* Where the library or program that defines the function begins. */
static const void *object_of(any_function *function) {
    const void *address = NULL;
    Dl_info object;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &object) != 0 ? object.dli_fbase : NULL;
}

/* Whether our OpenMP calls go to LLVM's runtime: a process may hold several, in any order. */
static bool runs_on_llvm(void) {
    return set_blocktime != NULL && object_of((any_function *)set_blocktime) ==
                                        object_of((any_function *)omp_pause_resource_all);
}

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

/* LLVM's runtime resets itself in the child. Its pause reaches the regions of all threads, and
 * under OMP_WAIT_POLICY=active nothing wakes the threads that it sends to sleep there. */
static void install_fork_handlers(void) {
    pthread_atfork(runs_on_llvm() ? NULL : end_workers_before_fork, NULL, reset_in_child);
}

bool kael_team_try_acquire(void) {
    return !atomic_load_explicit(&team_busy, memory_order_relaxed) &&
           !atomic_exchange_explicit(&team_busy, true, memory_order_acquire);
}

void kael_team_release(void) {
    atomic_store_explicit(&team_busy, false, memory_order_release);
}

struct trial_thread {
    pthread_t handle;
    pid_t id;
    pthread_mutex_t *gate;
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

int kael_startable_threads(int count) {
    struct trial_thread threads[KAEL_MAX_THREADS];
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    int started = 0;
    pthread_mutex_lock(&gate);
    for (; started < kael_min_i64(count, KAEL_MAX_THREADS); ++started) {
        struct trial_thread *const trial = &threads[started];
        trial->gate = &gate;
        if (pthread_create(&trial->handle, NULL, wait_for_gate, trial) != 0) {
            break;
        }
    }
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; ++i) {
        pthread_join(threads[i].handle, NULL);
        wait_until_released(threads[i].id);
    }
    pthread_mutex_destroy(&gate);
    return started;
}

static int grow_team(int wanted) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_fork_handlers);
    return team_threads + kael_startable_threads(wanted - team_threads);
}

int kael_team_size(int tasks, int limit) {
    const int wanted = (int)kael_min_i64(limit, kael_max_i64(tasks, team_threads));
    team_threads = wanted > team_threads ? grow_team(wanted) : wanted;
    return team_threads;
}
