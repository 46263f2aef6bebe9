#define _GNU_SOURCE
#include "parallel/detect.h"

#include <omp.h>
#include <stdlib.h>

#include "core/checked.h"
#include "parallel/cores.h"
#include "parallel/quota.h"

#if defined(__linux__)
#include <sched.h>

static void add_affinity_mask(kael_cpu_set *cpus) {
    enum { sets = KAEL_CPU_MAX / CPU_SETSIZE };
    cpu_set_t mask[sets];
    if (sched_getaffinity(0, sizeof mask, mask) != 0) {
        return;
    }
    for (int cpu = 0; cpu < KAEL_CPU_MAX; ++cpu) {
        if (CPU_ISSET_S((size_t)cpu, sizeof mask, mask)) {
            kael_cpu_set_add(cpus, cpu);
        }
    }
}
#else
static void add_affinity_mask(kael_cpu_set *cpus) {
    (void)cpus;
}
#endif

/* Under OMP_PROC_BIND the runtime has pinned the calling thread to one of its places, and its mask
 * tells nothing about the others'. */
static void add_places(kael_cpu_set *cpus) {
    for (int place = 0; place < omp_get_num_places(); ++place) {
        const int count = omp_get_place_num_procs(place);
        int *const ids = malloc((size_t)count * sizeof *ids);
        if (ids == NULL) {
            return;
        }
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; ++i) {
            kael_cpu_set_add(cpus, ids[i]);
        }
        free(ids);
    }
}

kael_cpu_set kael_allowed_cpus(void) {
    kael_cpu_set cpus = {{0}};
    add_places(&cpus);
    if (kael_cpu_set_count(&cpus) == 0) {
        add_affinity_mask(&cpus);
    }
    return cpus;
}

int kael_detect_threads(const char *root, const kael_cpu_set *allowed, int processors) {
    const int cores =
        kael_cpu_set_count(allowed) > 0 ? kael_count_cores(root, allowed) : processors;
    const int64_t threads = kael_min_i64(kael_min_i64(cores, processors), kael_cpu_quota(root));
    return (int)kael_max_i64(1, threads);
}
