#include "parallel/cores.h"

#include "parallel/system_file.h"

/* Long enough for a list of KAEL_CPU_MAX CPUs in ranges; a longer one counts as unreadable. */
#define LIST_SIZE 8192

static bool read_cpu_list(FILE *stream, kael_cpu_set *set) {
    char list[LIST_SIZE];
    return kael_read_first_line(stream, list, sizeof list) && kael_cpu_set_parse(set, list);
}

/* Keeps the CPUs of Intel's hybrid parts that are performance cores; false on other machines. */
static bool keep_listed_performance_cores(const char *root, kael_cpu_set *cpus) {
    kael_cpu_set listed;
    if (!read_cpu_list(kael_open_system_file(root, "/sys/devices/cpu_core/cpus"), &listed)) {
        return false;
    }
    kael_cpu_set kept = {{0}};
    KAEL_FOR_EACH_CPU(cpu, cpus) {
        if (kael_cpu_set_has(&listed, cpu)) {
            kael_cpu_set_add(&kept, cpu);
        }
    }
    if (kael_cpu_set_count(&kept) > 0) {
        *cpus = kept;
    }
    return true;
}

static int64_t cpu_capacity(const char *root, int cpu) {
    int64_t capacity = 0;
    FILE *const file =
        kael_open_system_file(root, "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
    return kael_read_integer(file, &capacity) ? capacity : 0;
}

/* Drops the CPUs with less than half the capacity of the strongest. */
static void drop_weak_cores(const char *root, kael_cpu_set *cpus) {
    int64_t strongest = 0;
    KAEL_FOR_EACH_CPU(cpu, cpus) {
        const int64_t capacity = cpu_capacity(root, cpu);
        if (capacity <= 0) {
            return;
        }
        strongest = capacity > strongest ? capacity : strongest;
    }
    KAEL_FOR_EACH_CPU(cpu, cpus) {
        if (cpu_capacity(root, cpu) < strongest / 2) {
            kael_cpu_set_remove(cpus, cpu);
        }
    }
}

/* The CPUs that share a core with `cpu`, itself included. */
static kael_cpu_set core_of(const char *root, int cpu) {
    static const char *const names[] = {"core_cpus_list", "thread_siblings_list"};
    kael_cpu_set siblings;
    for (int i = 0; i < 2; ++i) {
        FILE *const file =
            kael_open_system_file(root, "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, names[i]);
        if (read_cpu_list(file, &siblings)) {
            return siblings;
        }
    }
    siblings = (kael_cpu_set){{0}};
    kael_cpu_set_add(&siblings, cpu);
    return siblings;
}

int kael_count_cores(const char *root, const kael_cpu_set *allowed) {
    kael_cpu_set rest = *allowed;
    if (!keep_listed_performance_cores(root, &rest)) {
        drop_weak_cores(root, &rest);
    }
    int cores = 0;
    KAEL_FOR_EACH_CPU(cpu, &rest) {
        const kael_cpu_set core = core_of(root, cpu);
        KAEL_FOR_EACH_CPU(sibling, &core) {
            kael_cpu_set_remove(&rest, sibling);
        }
        ++cores;
    }
    return cores;
}
