/* The CPU time that Linux control groups grant the process. */
#ifndef KAEL_PARALLEL_QUOTA_H
#define KAEL_PARALLEL_QUOTA_H

/* The number of CPUs' worth of time that the process's own control group and its parents grant,
 * rounded down, at least 1; INT_MAX where nothing limits it or nothing can be read.
 *
 * Reads cpu.max of the unified hierarchy (version 2) and cpu.cfs_quota_us over cpu.cfs_period_us of
 * version 1: https://docs.kernel.org/admin-guide/cgroup-v2.html and .../cgroup-v1/index.html. */
int kael_cpu_quota(const char *root);

#endif
