/* How the environment decides the number of threads. */
#include <omp.h>

#include "kael/parallel.h"
#include "support/respawn.h"
#include "support/tap.h"

static kael_status do_nothing(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    (void)context;
    return KAEL_OK;
}

/* Prints the count, or the status and message of its failure. */
static int report(void) {
    int64_t count = 0;
    const kael_status status = kael_get_num_threads(&count);
    if (status == KAEL_OK) {
        printf("%lld\n", (long long)count);
    } else {
        printf("%s: %s\n", kael_status_string(status), kael_last_error_message());
    }
    return 0;
}

/* A malformed value fails every use, of whatever size, until a count is set. */
static int use_malformed(void) {
    static const int64_t ends[] = {0, 1, 1000};
    int64_t count = -1;
    for (int i = 0; i < 6; ++i) {
        CHECK(kael_parallel_for(0, ends[i % 3], 1, do_nothing, NULL) == KAEL_ERROR_VALUE);
        CHECK(strstr(kael_last_error_message(), "'4x'") != NULL);
        CHECK(kael_get_num_threads(&count) == KAEL_ERROR_VALUE);
        CHECK(count == -1);
    }
    CHECK(kael_set_num_threads(1025) == KAEL_ERROR_VALUE);
    CHECK(kael_get_num_threads(&count) == KAEL_ERROR_VALUE);
    CHECK(kael_set_num_threads(2) == KAEL_OK);
    CHECK(kael_get_num_threads(&count) == KAEL_OK && count == 2);
    CHECK(kael_parallel_for(0, 1000, 1, do_nothing, NULL) == KAEL_OK);
    return atomic_load(&tap_failed_checks) == 0 ? 0 : 1;
}

/* The environment is read once. */
static int change_after_first_use(void) {
    int64_t count = 0;
    CHECK(kael_get_num_threads(&count) == KAEL_OK && count == 3);
    setenv("KAEL_NUM_THREADS", "5", 1);
    CHECK(kael_get_num_threads(&count) == KAEL_OK && count == 3);
    return atomic_load(&tap_failed_checks) == 0 ? 0 : 1;
}

static bool reports(const char *expected, const char *kael, const char *omp, const char *limit) {
    char output[512];
    const char *const environment[] = {kael, omp, limit, "OMP_PROC_BIND", "OMP_PLACES", NULL};
    const bool good = respawn("report", environment, NULL, output, sizeof output);
    if (!good || strcmp(output, expected) != 0) {
        printf("# %s %s %s: expected %s, got %s\n", kael, omp, limit, expected, output);
        return false;
    }
    return true;
}

#define NO_KAEL "KAEL_NUM_THREADS"
#define NO_OMP "OMP_NUM_THREADS"
#define NO_LIMIT "OMP_THREAD_LIMIT"

static void KaelNumThreadsDecides(void) {
    CHECK(reports("3", "KAEL_NUM_THREADS=3", NO_OMP, NO_LIMIT));
    CHECK(reports("1", "KAEL_NUM_THREADS=1", "OMP_NUM_THREADS=7", NO_LIMIT));
    CHECK(reports("1024", "KAEL_NUM_THREADS=1024", "OMP_NUM_THREADS=junk", NO_LIMIT));
}

static void MalformedKaelNumThreadsIsAnError(void) {
    static const char *const values[] = {"",
                                         "abc",
                                         "0",
                                         "-2",
                                         "4x",
                                         " 4",
                                         "+4",
                                         "4 ",
                                         "0x4",
                                         "1025",
                                         "100000",
                                         "4,2",
                                         "99999999999999999999"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        char assignment[64];
        char message[128];
        snprintf(assignment, sizeof assignment, "KAEL_NUM_THREADS=%s", values[i]);
        snprintf(message, sizeof message,
                 "value error: KAEL_NUM_THREADS must be an integer between 1 and 1024, got '%s'",
                 values[i]);
        CHECK(reports(message, assignment, "OMP_NUM_THREADS=2", NO_LIMIT));
    }
}

static void OverlongKaelNumThreadsIsCutInTheMessage(void) {
    char assignment[4096] = "KAEL_NUM_THREADS=";
    memset(assignment + strlen(assignment), '7', 4000);
    const char *const environment[] = {assignment, NULL};
    char output[1024];
    CHECK(respawn("report", environment, NULL, output, sizeof output));
    CHECK(strncmp(output, "value error: KAEL_NUM_THREADS must be", 37) == 0);
    CHECK(strlen(output) > 150 && strlen(output) < 300);
    CHECK(output[strlen(output) - 1] == '\'');
}

static void MalformedValueFailsEveryUse(void) {
    static const char *const environment[] = {"KAEL_NUM_THREADS=4x", NULL};
    char output[1024];
    if (!CHECK(respawn("use_malformed", environment, NULL, output, sizeof output))) {
        printf("%s\n", output);
    }
}

static void EnvironmentIsReadOnce(void) {
    static const char *const environment[] = {"KAEL_NUM_THREADS=3", NULL};
    char output[1024];
    if (!CHECK(respawn("change_after_first_use", environment, NULL, output, sizeof output))) {
        printf("%s\n", output);
    }
}

static void OmpNumThreadsIsNext(void) {
    CHECK(reports("3", NO_KAEL, "OMP_NUM_THREADS=3", NO_LIMIT));
    CHECK(reports("4", NO_KAEL, "OMP_NUM_THREADS=4,2", NO_LIMIT));
    CHECK(reports("1024", NO_KAEL, "OMP_NUM_THREADS=5000", NO_LIMIT));
}

static void OmpThreadLimitCaps(void) {
    CHECK(reports("2", NO_KAEL, "OMP_NUM_THREADS=8", "OMP_THREAD_LIMIT=2"));
    CHECK(reports("8", NO_KAEL, "OMP_NUM_THREADS=8", "OMP_THREAD_LIMIT=20"));
    CHECK(reports("1", NO_KAEL, NO_OMP, "OMP_THREAD_LIMIT=1"));
    CHECK(reports("5", "KAEL_NUM_THREADS=5", NO_OMP, "OMP_THREAD_LIMIT=2"));
}

/* LLVM's runtime itself, version 14, crashes or hangs at most malformed values. */
#if defined(__clang__)
static const char *const malformed_omp[] = {"OMP_NUM_THREADS=0"};
#else
static const char *const malformed_omp[] = {"OMP_NUM_THREADS=", "OMP_NUM_THREADS=four",
                                            "OMP_NUM_THREADS=0", "OMP_NUM_THREADS=-3",
                                            "OMP_NUM_THREADS=3x"};
#endif

static void MalformedOmpNumThreadsCountsAsUnset(void) {
    char detected[64];
    const char *const environment[] = {NO_KAEL,         NO_OMP,       NO_LIMIT,
                                       "OMP_PROC_BIND", "OMP_PLACES", NULL};
    CHECK(respawn("report", environment, NULL, detected, sizeof detected));
    const long count = strtol(detected, NULL, 10);
    CHECK(count >= 1 && count <= omp_get_num_procs());
    for (size_t i = 0; i < sizeof malformed_omp / sizeof malformed_omp[0]; ++i) {
        CHECK(reports(detected, NO_KAEL, malformed_omp[i], NO_LIMIT));
    }
}

int main(int argc, char **argv) {
    if (argc > 1) {
        return strcmp(argv[1], "report") == 0          ? report()
               : strcmp(argv[1], "use_malformed") == 0 ? use_malformed()
                                                       : change_after_first_use();
    }
    tap_time_limit(120);
    TAP_RUN(KaelNumThreadsDecides);
    TAP_RUN(MalformedKaelNumThreadsIsAnError);
    TAP_RUN(OverlongKaelNumThreadsIsCutInTheMessage);
    TAP_RUN(MalformedValueFailsEveryUse);
    TAP_RUN(EnvironmentIsReadOnce);
    TAP_RUN(OmpNumThreadsIsNext);
    TAP_RUN(OmpThreadLimitCaps);
    TAP_RUN(MalformedOmpNumThreadsCountsAsUnset);
    return tap_finish();
}
