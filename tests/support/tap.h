/* Plain test programs: checks reported in the Test Anything Protocol, for what cannot run under
 * Criterion. Include it in one source of a program. */
#ifndef KAEL_TESTS_TAP_H
#define KAEL_TESTS_TAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int tap_failed_checks;
static int tap_count;
static int tap_failures;

/* Any thread may check. */
#define CHECK(condition) tap_check((condition), #condition, __FILE__, __LINE__)

/* Runs a function of no arguments as one test. */
#define TAP_RUN(test) tap_run(test, #test)

static inline bool tap_check(bool passed, const char *condition, const char *file, int line) {
    if (!passed) {
        atomic_fetch_add(&tap_failed_checks, 1);
        printf("# %s:%d: %s\n", file, line, condition);
    }
    return passed;
}

static inline void tap_report(bool passed, const char *name) {
    ++tap_count;
    tap_failures += !passed;
    printf("%s %d - %s\n", passed ? "ok" : "not ok", tap_count, name);
    fflush(stdout);
}

static inline void tap_run(void (*test)(void), const char *name) {
    const int before = atomic_load(&tap_failed_checks);
    test();
    tap_report(atomic_load(&tap_failed_checks) == before, name);
}

/* Ends the program with a signal if it still runs after so many seconds. */
static inline void tap_time_limit(unsigned seconds) {
    alarm(seconds);
}

/* Prints the plan; the result of main. */
static inline int tap_finish(void) {
    printf("1..%d\n", tap_count);
    return tap_count > 0 && tap_failures == 0 ? 0 : 1;
}

#endif
