/* The size classes of the caching allocator: multiples of 512 bytes up to 64 KiB, then powers of
 * two up to 2^62. */
#ifndef KAEL_MEMORY_SIZE_CLASS_H
#define KAEL_MEMORY_SIZE_CLASS_H

#include <stdint.h>

#define KAEL_CLASS_STEP INT64_C(512)
#define KAEL_LARGEST_STEPPED_CAPACITY INT64_C(65536)
#define KAEL_LARGEST_CAPACITY (INT64_C(1) << 62)

enum {
    KAEL_STEPPED_CLASSES = KAEL_LARGEST_STEPPED_CAPACITY / KAEL_CLASS_STEP,
    KAEL_FIRST_POWER = 17, /* 2^17 is the first power of two above 64 KiB */
    KAEL_SIZE_CLASSES = KAEL_STEPPED_CLASSES + 62 - KAEL_FIRST_POWER + 1
};

/* The smallest capacity that holds `bytes`, 1 <= bytes <= KAEL_LARGEST_CAPACITY. */
static inline int64_t kael_class_capacity(int64_t bytes) {
    if (bytes <= KAEL_LARGEST_STEPPED_CAPACITY) {
        return (bytes + KAEL_CLASS_STEP - 1) & -KAEL_CLASS_STEP;
    }
    return INT64_C(1) << (64 - __builtin_clzll((unsigned long long)bytes - 1));
}

/* The number of the class with this capacity, 0 .. KAEL_SIZE_CLASSES - 1. */
static inline int kael_class_of_capacity(int64_t capacity) {
    if (capacity <= KAEL_LARGEST_STEPPED_CAPACITY) {
        return (int)(capacity / KAEL_CLASS_STEP) - 1;
    }
    return KAEL_STEPPED_CLASSES - KAEL_FIRST_POWER + __builtin_ctzll((unsigned long long)capacity);
}

/* The capacity of a class. */
static inline int64_t kael_capacity_of_class(int size_class) {
    if (size_class < KAEL_STEPPED_CLASSES) {
        return (size_class + 1) * KAEL_CLASS_STEP;
    }
    return INT64_C(1) << (size_class - KAEL_STEPPED_CLASSES + KAEL_FIRST_POWER);
}

#endif
