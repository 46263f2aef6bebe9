/* The OpenMP team that runs parallel regions, one region at a time in a process. */
#ifndef KAEL_PARALLEL_TEAM_H
#define KAEL_PARALLEL_TEAM_H

#include <stdbool.h>

/* Claims the right to run a region; false while another thread has it, never waits. Every success
 * is paired with kael_team_release. */
bool kael_team_try_acquire(void);
void kael_team_release(void);

/* The number of threads for the calling thread's next region of `tasks` tasks, at least 1 and at
 * most `limit`. Threads the team lacks are first started for trial, because OpenMP runtimes end the
 * process when they cannot start a thread; what the system refuses is left out.
 *
 * A team that has grown is kept at its size: libgomp ends the threads that a smaller region leaves
 * out and would have to start them again. */
int kael_team_size(int tasks, int limit);

/* Starts up to `count` threads, with stacks as the OpenMP runtime asks for, that all exist at the
 * same time, ends them, and returns how many the system granted. */
int kael_startable_threads(int count);

#endif
