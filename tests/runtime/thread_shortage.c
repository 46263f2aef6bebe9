/* Working on where the system refuses threads: OpenMP runtimes end the process there. */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/parallel.h"
#include "support/process.h"
#include "support/respawn.h"
#include "support/sanitizers.h"
#include "support/tap.h"

enum { THREADS = 8 };

/* How many bodies of a loop of THREADS chunks run at the same time, seen for a second. */
static int bodies_at_once(void) {
    meeting m = {.expected = THREADS, .patience = 1.0};
    const kael_status status = kael_parallel_for(0, THREADS, 1, arrive, &m);
    return status == KAEL_OK || status == KAEL_ERROR_STATE ? atomic_load(&m.arrived) : -1;
}

static kael_status add_range(int64_t first, int64_t last, void *context) {
    for (int64_t i = first; i < last; ++i) {
        atomic_fetch_add((_Atomic int64_t *)context, i);
    }
    return KAEL_OK;
}

static bool sum_is_right(void) {
    _Atomic int64_t sum = 0;
    return kael_parallel_for(0, 1000, 1, add_range, &sum) == KAEL_OK && sum == 499500;
}

/* Limits how many threads the user's processes may have together. */
static bool allow_threads(rlim_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NPROC, &limit) != 0) {
        return false;
    }
    limit.rlim_cur = count;
    return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

/* The limit binds no privileged user: becomes one of whom there are no other processes, not even
 * those of an earlier scene that the kernel has yet to bury. */
static bool become_lonely_user(void) {
    enum { FIRST_LONELY_USER = 1 << 28 };
    const uid_t user = FIRST_LONELY_USER + (uid_t)getpid();
    return setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
}

static bool is_privileged(void) {
    return geteuid() == 0;
}

static void refuse_all(void) {
    CHECK(!is_privileged() || become_lonely_user());
    CHECK(allow_threads(1));
    CHECK(bodies_at_once() == 1);
    CHECK(sum_is_right());
    CHECK(bodies_at_once() == 1);
}

static void *tell_id(void *id) {
    *(pid_t *)id = gettid();
    return NULL;
}

/* A sanitizer starts one of its own together with the first of ours, which leaves the list of
 * threads a little after it was joined. */
static int threads_of_sanitizers(void) {
    pthread_t thread;
    pid_t id = 0;
    CHECK(pthread_create(&thread, NULL, tell_id, &id) == 0);
    pthread_join(thread, NULL);
    while (syscall(SYS_tgkill, getpid(), id, 0) == 0) {
        usleep(1000);
    }
    return process_threads() - 1;
}

static void refuse_some(void) {
    CHECK(become_lonely_user());
    const int others = threads_of_sanitizers();
    for (int granted = 3; granted <= THREADS; ++granted) {
        CHECK(allow_threads((rlim_t)(granted + others)));
        CHECK(bodies_at_once() == granted);
        CHECK(sum_is_right());
    }
}

static void refuse_later(void) {
    CHECK(!is_privileged() || become_lonely_user());
    CHECK(bodies_at_once() == THREADS);
    CHECK(allow_threads(1));
    CHECK(bodies_at_once() == THREADS);
    CHECK(sum_is_right());
}

/* No address space holds a stack of the size in the environment. */
static void refuse_stacks(void) {
    CHECK(bodies_at_once() == 1);
    CHECK(sum_is_right());
}

static void grant_stacks(void) {
    CHECK(bodies_at_once() == THREADS);
    CHECK(sum_is_right());
}

/* Some machines grant them. */
static void work_with_large_stacks(void) {
    const int bodies = bodies_at_once();
    CHECK(bodies >= 1 && bodies <= THREADS);
    CHECK(sum_is_right());
}

/* Leaves room for two stacks of 256 MiB. */
static void refuse_memory(void) {
    const rlim_t mib = 1 << 20;
    const struct rlimit limit = {process_bytes() + 700 * mib, RLIM_INFINITY};
    CHECK(limit.rlim_cur > 700 * mib && setrlimit(RLIMIT_AS, &limit) == 0);
    CHECK(bodies_at_once() == 3);
    CHECK(sum_is_right());
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"refuse_all", refuse_all},       {"refuse_some", refuse_some},
    {"refuse_later", refuse_later},   {"refuse_stacks", refuse_stacks},
    {"grant_stacks", grant_stacks},   {"work_with_large_stacks", work_with_large_stacks},
    {"refuse_memory", refuse_memory},
};

/* Plays a scene in this process, which is then spoilt for others. */
static int play(const char *name) {
    CHECK(kael_set_num_threads(THREADS) == KAEL_OK);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        if (strcmp(scenes[i].name, name) == 0) {
            scenes[i].run();
        }
    }
    fflush(stdout);
    _exit(atomic_load(&tap_failed_checks) == 0 ? 0 : 1);
}

#define USUAL "OMP_DYNAMIC", "OMP_THREAD_LIMIT"

static bool scene_succeeds_with(const char *name, const char *const *environment) {
    char output[1024];
    const bool good = respawn(name, environment, NULL, output, sizeof output);
    if (!good) {
        printf("%s\n", output);
    }
    return good;
}

static bool scene_succeeds(const char *name) {
    static const char *const environment[] = {USUAL, "OMP_STACKSIZE", "GOMP_STACKSIZE",
                                              "KMP_STACKSIZE", NULL};
    return scene_succeeds_with(name, environment);
}

/* Plays a scene with OMP_STACKSIZE and the variables of both runtimes set to the texts. */
static bool stacks_succeed(const char *name, const char *omp, const char *gomp, const char *kmp) {
    const char *const environment[] = {USUAL, omp, gomp, kmp, NULL};
    const bool good = scene_succeeds_with(name, environment);
    if (!good) {
        printf("# %s %s %s\n", omp, gomp, kmp);
    }
    return good;
}

static void RegionRunsAloneWhereNoThreadCanBeStarted(void) {
    CHECK(scene_succeeds("refuse_all"));
}

static void RegionRunsWithTheThreadsThatCanBeStarted(void) {
    CHECK(scene_succeeds("refuse_some"));
}

static void TeamOutlivesALimit(void) {
    CHECK(scene_succeeds("refuse_later"));
}

static void RegionRunsAloneWhereStacksAreTooLarge(void) {
    const char *const gomp = "GOMP_STACKSIZE";
    const char *const kmp = "KMP_STACKSIZE";
    CHECK(stacks_succeed("work_with_large_stacks", "OMP_STACKSIZE=64G", gomp, kmp));
    CHECK(stacks_succeed("refuse_stacks", "OMP_STACKSIZE=1000000G", gomp, kmp));
    CHECK(stacks_succeed("refuse_stacks", "OMP_STACKSIZE= 1000000000000 k ", gomp, kmp));
    CHECK(stacks_succeed("refuse_stacks", "OMP_STACKSIZE", "GOMP_STACKSIZE=1000000G",
                         "KMP_STACKSIZE=1000000G"));
}

static void StackSizesThatTheRuntimeIgnoresDoNotMatter(void) {
    static const char *const values[] = {"OMP_STACKSIZE=1000000X", "OMP_STACKSIZE=huge",
                                         "OMP_STACKSIZE=", "OMP_STACKSIZE=1000000G1",
                                         "OMP_STACKSIZE=1"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        CHECK(stacks_succeed("grant_stacks", values[i], "GOMP_STACKSIZE", "KMP_STACKSIZE"));
    }
}

#if !defined(KAEL_TEST_ADDRESS_SANITIZER) && !defined(KAEL_TEST_THREAD_SANITIZER)
/* Sanitizers need the address space themselves. */
static void RegionRunsWithTheStacksThatFitInMemory(void) {
    CHECK(stacks_succeed("refuse_memory", "OMP_STACKSIZE=256M", "GOMP_STACKSIZE", "KMP_STACKSIZE"));
}
#endif

int main(int argc, char **argv) {
    tap_time_limit(120);
    if (argc > 1) {
        return play(argv[1]);
    }
    TAP_RUN(RegionRunsAloneWhereNoThreadCanBeStarted);
    TAP_RUN(TeamOutlivesALimit);
    TAP_RUN(RegionRunsAloneWhereStacksAreTooLarge);
    TAP_RUN(StackSizesThatTheRuntimeIgnoresDoNotMatter);
#if !defined(KAEL_TEST_ADDRESS_SANITIZER) && !defined(KAEL_TEST_THREAD_SANITIZER)
    TAP_RUN(RegionRunsWithTheStacksThatFitInMemory);
#endif
    if (is_privileged()) {
        TAP_RUN(RegionRunsWithTheThreadsThatCanBeStarted);
    } else {
        printf("# a limit on part of the threads can be tested by root alone\n");
    }
    return tap_finish();
}
