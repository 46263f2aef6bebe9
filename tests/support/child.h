/* Running a function in a forked child. */
#ifndef KAEL_TESTS_CHILD_H
#define KAEL_TESTS_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/sanitizers.h"

enum { CHILD_SECONDS = 20 };

typedef bool child_function(void);

/* Leaving by exit shows that no handler waits for threads that are gone; but the leak sanitizer
 * does wait for them, and misses what they held. */
static inline _Noreturn void child_leave(int status) {
#ifdef KAEL_TEST_ADDRESS_SANITIZER
    _exit(status);
#else
    exit(status);
#endif
}

/* Runs the function in a forked child; true if it returned true and the child came to its end. */
static inline bool child_succeeds(child_function *function) {
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(CHILD_SECONDS);
        child_leave(function() ? 0 : 1);
    }
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

#endif
