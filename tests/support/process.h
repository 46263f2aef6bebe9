/* What the kernel says about this process. */
#ifndef KAEL_TESTS_PROCESS_H
#define KAEL_TESTS_PROCESS_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

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

/* The address space that it takes, in bytes; 0 if that is unknown. */
static inline uint64_t process_bytes(void) {
    FILE *const file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (file != NULL) {
        pages = fscanf(file, "%lu", &pages) == 1 ? pages : 0;
        fclose(file);
    }
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

#endif
