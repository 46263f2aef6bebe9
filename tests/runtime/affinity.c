/* The library and the CPUs that the process may run on. Not linked with the library: the program
 * loads it, so that it sees the process before and after. */
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>

#include "kael/parallel.h"
#include "support/process.h"
#include "support/respawn.h"
#include "support/tap.h"

typedef struct cpu_mask {
    cpu_set_t sets[8]; /* 8192 CPUs */
} cpu_mask;

static cpu_mask mask_of_thread(void) {
    cpu_mask mask;
    memset(&mask, 0, sizeof mask);
    CHECK(sched_getaffinity(0, sizeof mask.sets, mask.sets) == 0);
    return mask;
}

static int count_cpus(const cpu_mask *mask) {
    return CPU_COUNT_S(sizeof mask->sets, mask->sets);
}

static void *load_library(void) {
    void *const library = dlopen(getenv("KAEL_TEST_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(library != NULL)) {
        printf("# %s\n", dlerror());
    }
    return library;
}

typedef kael_status get_function(int64_t *count);
typedef kael_status for_function(int64_t begin, int64_t end, int64_t grain,
                                 kael_parallel_body *body, void *context);

static void *find(void *library, const char *name) {
    void *const symbol = dlsym(library, name);
    CHECK(symbol != NULL);
    return symbol;
}

static int64_t configured_count(void *library) {
    get_function *get = NULL;
    *(void **)&get = find(library, "kael_get_num_threads");
    int64_t count = 0;
    CHECK(get(&count) == KAEL_OK);
    return count;
}

static int report(void) {
    printf("%lld\n", (long long)configured_count(load_library()));
    return atomic_load(&tap_failed_checks) == 0 ? 0 : 1;
}

static kael_status do_nothing(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    (void)context;
    return KAEL_OK;
}

static int look_around(void) {
    const cpu_mask before = mask_of_thread();
    const int threads_before = process_threads();
    void *const library = load_library();
    const cpu_mask loaded = mask_of_thread();
    CHECK(memcmp(&before, &loaded, sizeof before) == 0);
    CHECK(process_threads() == threads_before);
    configured_count(library);
    for_function *parallel_for = NULL;
    *(void **)&parallel_for = find(library, "kael_parallel_for");
    CHECK(parallel_for(0, 100, 1, do_nothing, NULL) == KAEL_OK);
    const cpu_mask used = mask_of_thread();
    CHECK(memcmp(&before, &used, sizeof before) == 0);
    return atomic_load(&tap_failed_checks) == 0 ? 0 : 1;
}

#define UNBOUND                                                                                    \
    "KAEL_NUM_THREADS", "OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"

static const char *const unbound[] = {UNBOUND, "OMP_PROC_BIND", "OMP_PLACES", NULL};

/* Runs this program again; -1 if it fails. */
static long detected(const char *const *environment, respawn_preparation *prepare) {
    char output[64];
    const bool good = respawn("report", environment, prepare, output, sizeof output);
    return good ? strtol(output, NULL, 10) : -1;
}

static void keep_first_cpu(void) {
    cpu_mask mask = mask_of_thread();
    bool kept = false;
    for (size_t cpu = 0; cpu < 8192; ++cpu) {
        if (CPU_ISSET_S(cpu, sizeof mask.sets, mask.sets)) {
            if (kept) {
                CPU_CLR_S(cpu, sizeof mask.sets, mask.sets);
            }
            kept = true;
        }
    }
    sched_setaffinity(0, sizeof mask.sets, mask.sets);
}

static void K46_OneCpuOfTheMaskGivesOneThread(void) {
    CHECK(detected(unbound, keep_first_cpu) == 1);
}

static void K46_CountIsWithinTheMask(void) {
    const cpu_mask mask = mask_of_thread();
    const long count = detected(unbound, NULL);
    CHECK(count >= 1 && count <= count_cpus(&mask));
}

/* The runtime then pins the main thread to one CPU, which must not be taken for the whole mask. */
static void K46_BoundThreadsAreAsManyAsUnboundOnes(void) {
    static const char *const settings[][2] = {
        {"OMP_PROC_BIND=true", "OMP_PLACES=threads"}, {"OMP_PROC_BIND=true", "OMP_PLACES=cores"},
        {"OMP_PROC_BIND=close", "OMP_PLACES"},        {"OMP_PROC_BIND=spread", "OMP_PLACES"},
        {"OMP_PROC_BIND=true", "OMP_PLACES"},         {"OMP_PROC_BIND=false", "OMP_PLACES"},
    };
    const long count = detected(unbound, NULL);
    for (int i = 0; i < 6; ++i) {
        const char *const bound[] = {UNBOUND, settings[i][0], settings[i][1], NULL};
        if (!CHECK(detected(bound, NULL) == count)) {
            printf("# %s %s: %ld instead of %ld\n", settings[i][0], settings[i][1],
                   detected(bound, NULL), count);
        }
        CHECK(detected(bound, keep_first_cpu) == 1);
    }
}

static void K46_LoadingChangesNoMaskAndStartsNoThread(void) {
    char output[1024];
    if (!CHECK(respawn("look_around", unbound, NULL, output, sizeof output))) {
        printf("%s\n", output);
    }
}

/* The leak sanitizer cannot look into libraries that are loaded late. */
static _Noreturn void leave(int status) {
    fflush(stdout);
    _exit(status);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        leave(strcmp(argv[1], "report") == 0 ? report() : look_around());
    }
    tap_time_limit(120);
    TAP_RUN(K46_OneCpuOfTheMaskGivesOneThread);
    TAP_RUN(K46_CountIsWithinTheMask);
    TAP_RUN(K46_BoundThreadsAreAsManyAsUnboundOnes);
    TAP_RUN(K46_LoadingChangesNoMaskAndStartsNoThread);
    return tap_finish();
}
