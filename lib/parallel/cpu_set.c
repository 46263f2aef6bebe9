#include "parallel/cpu_set.h"

#include <ctype.h>
#include <stdlib.h>

static uint64_t bit(int cpu) {
    return UINT64_C(1) << (cpu % 64);
}

static bool is_cpu(int cpu) {
    return cpu >= 0 && cpu < KAEL_CPU_MAX;
}

void kael_cpu_set_add(kael_cpu_set *set, int cpu) {
    if (is_cpu(cpu)) {
        set->words[cpu / 64] |= bit(cpu);
    }
}

void kael_cpu_set_remove(kael_cpu_set *set, int cpu) {
    if (is_cpu(cpu)) {
        set->words[cpu / 64] &= ~bit(cpu);
    }
}

bool kael_cpu_set_has(const kael_cpu_set *set, int cpu) {
    return is_cpu(cpu) && (set->words[cpu / 64] & bit(cpu)) != 0;
}

int kael_cpu_set_count(const kael_cpu_set *set) {
    int count = 0;
    for (int word = 0; word < KAEL_CPU_MAX / 64; ++word) {
        count += __builtin_popcountll(set->words[word]);
    }
    return count;
}

int kael_cpu_set_next(const kael_cpu_set *set, int cpu) {
    while (cpu < KAEL_CPU_MAX && !kael_cpu_set_has(set, cpu)) {
        ++cpu;
    }
    return cpu;
}

/* Reads a CPU number at *text and moves *text behind it. */
static bool parse_cpu(const char **text, int *cpu) {
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    char *end = NULL;
    const unsigned long value = strtoul(*text, &end, 10);
    *text = end;
    *cpu = (int)value;
    return value < KAEL_CPU_MAX;
}

bool kael_cpu_set_parse(kael_cpu_set *set, const char *list) {
    *set = (kael_cpu_set){{0}};
    for (;;) {
        int first = 0;
        if (!parse_cpu(&list, &first)) {
            return false;
        }
        int last = first;
        if (*list == '-') {
            ++list;
            if (!parse_cpu(&list, &last) || last < first) {
                return false;
            }
        }
        for (int cpu = first; cpu <= last; ++cpu) {
            kael_cpu_set_add(set, cpu);
        }
        if (*list != ',') {
            return *list == '\0' || *list == '\n';
        }
        ++list;
    }
}
