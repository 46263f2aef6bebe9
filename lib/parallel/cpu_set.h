/* Sets of logical CPUs. */
#ifndef KAEL_PARALLEL_CPU_SET_H
#define KAEL_PARALLEL_CPU_SET_H

#include <stdbool.h>
#include <stdint.h>

/* No Linux kernel is built for more. */
#define KAEL_CPU_MAX 8192

typedef struct kael_cpu_set {
    uint64_t words[KAEL_CPU_MAX / 64];
} kael_cpu_set;

/* Numbers outside 0..KAEL_CPU_MAX - 1 are never members. */
void kael_cpu_set_add(kael_cpu_set *set, int cpu);
void kael_cpu_set_remove(kael_cpu_set *set, int cpu);
bool kael_cpu_set_has(const kael_cpu_set *set, int cpu);
int kael_cpu_set_count(const kael_cpu_set *set);

/* The first member that is not below `cpu`, or KAEL_CPU_MAX. */
int kael_cpu_set_next(const kael_cpu_set *set, int cpu);

/* Runs over the members in ascending order; the loop may remove some. */
#define KAEL_FOR_EACH_CPU(cpu, set)                                                                \
    for (int cpu = kael_cpu_set_next(set, 0); (cpu) < KAEL_CPU_MAX;                                \
         (cpu) = kael_cpu_set_next(set, (cpu) + 1))

/* Reads a list such as "0-3,8"; false if it is malformed or empty. */
bool kael_cpu_set_parse(kael_cpu_set *set, const char *list);

#endif
