/* Working on where the system refuses threads: OpenMP runtimes end the process there. */
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/parallel.h"
#include "support/process.h"
#include "support/respawn.h"
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

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"refuse_all", refuse_all}, {"refuse_some", refuse_some}, {"refuse_later", refuse_later}};

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

static bool scene_succeeds(const char *name) {
    static const char *const environment[] = {"OMP_DYNAMIC", "OMP_THREAD_LIMIT", NULL};
    char output[1024];
    const bool good = respawn(name, environment, NULL, output, sizeof output);
    if (!good) {
        printf("%s\n", output);
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

int main(int argc, char **argv) {
    tap_time_limit(120);
    if (argc > 1) {
        return play(argv[1]);
    }
    TAP_RUN(RegionRunsAloneWhereNoThreadCanBeStarted);
    TAP_RUN(TeamOutlivesALimit);
    if (is_privileged()) {
        TAP_RUN(RegionRunsWithTheThreadsThatCanBeStarted);
    } else {
        printf("# a limit on part of the threads can be tested by root alone\n");
    }
    return tap_finish();
}
