/* Running this program again with another environment: what is read once per process is tested once
 * per process. */
#ifndef KAEL_TESTS_RESPAWN_H
#define KAEL_TESTS_RESPAWN_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs before the program starts again, in the new process. */
typedef void respawn_preparation(void);

/* Sets the NULL-ended assignments "NAME=value"; "NAME" alone removes the variable. */
static inline void respawn_set_environment(const char *const *assignments) {
    for (; *assignments != NULL; ++assignments) {
        char name[128];
        const char *const value = strchr(*assignments, '=');
        if (value == NULL) {
            unsetenv(*assignments);
        } else {
            snprintf(name, sizeof name, "%.*s", (int)(value - *assignments), *assignments);
            setenv(name, value + 1, 1);
        }
    }
}

/* Runs /proc/self/exe with one argument and captures its standard output, without a newline at the
 * end; false if it did not exit with 0. */
static inline bool respawn(const char *argument, const char *const *environment,
                           respawn_preparation *prepare, char *output, size_t size) {
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        respawn_set_environment(environment);
        if (prepare != NULL) {
            prepare();
        }
        execl("/proc/self/exe", "respawned", argument, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length < size - 1; length += (size_t)(got > 0 ? got : 0)) {
        got = read(ends[0], output + length, size - 1 - length);
    }
    close(ends[0]);
    length -= length > 0 && output[length - 1] == '\n';
    output[length] = '\0';
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

#endif
