/* What the kernel says about this process. */
#ifndef KAEL_TESTS_PROCESS_H
#define KAEL_TESTS_PROCESS_H

#include <dirent.h>
#include <stddef.h>

/* The number of its threads, runtimes' and sanitizers' included. */
static inline int process_threads(void) {
    DIR *const tasks = opendir("/proc/self/task");
    int count = 0;
    if (tasks != NULL) {
        for (const struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) {
            count += task->d_name[0] != '.';
        }
        closedir(tasks);
    }
    return count;
}

#endif
