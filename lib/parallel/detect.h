/* How many threads the machine and its limits are good for. */
#ifndef KAEL_PARALLEL_DETECT_H
#define KAEL_PARALLEL_DETECT_H

#include "parallel/cpu_set.h"

/* The CPUs that the process's threads may run on; empty where that cannot be told. */
kael_cpu_set kael_allowed_cpus(void);

/* The physical cores among `allowed`, at most `processors` and at most the CPU quota, at least 1.
 * An empty `allowed` counts as `processors` cores. Files are read below `root`. */
int kael_detect_threads(const char *root, const kael_cpu_set *allowed, int processors);

#endif
