/* Which of the machine's CPUs are worth a thread of their own. */
#ifndef KAEL_PARALLEL_CORES_H
#define KAEL_PARALLEL_CORES_H

#include "parallel/cpu_set.h"

/* The number of physical cores that have a CPU in `allowed`. On a machine with cores of different
 * speed only the performance cores count, unless none of them is allowed: a static schedule ends
 * with its slowest core. CPUs of which nothing is known are cores of their own. */
int kael_count_cores(const char *root, const kael_cpu_set *allowed);

#endif
