/* Equal pieces of memory that parallel bodies borrow, as many as threads run bodies. */
#ifndef KAEL_LINALG_SLOTS_H
#define KAEL_LINALG_SLOTS_H

#include <stdatomic.h>
#include <stdint.h>

typedef struct kael_slots {
    int64_t count;
    int64_t slot_bytes;
    char *memory;
    atomic_flag *busy;
} kael_slots;

/* The memory for `count` slots of `slot_bytes` bytes, both multiples of KAEL_MEMORY_ALIGNMENT. */
int64_t kael_slots_bytes(int64_t count, int64_t slot_bytes);

void kael_slots_init(kael_slots *slots, int64_t count, int64_t slot_bytes, void *memory);

/* Waits for a slot, which only more bodies than slots make long. */
int64_t kael_slots_take(const kael_slots *slots);
void kael_slots_give(const kael_slots *slots, int64_t slot);

static inline void *kael_slots_memory(const kael_slots *slots, int64_t slot) {
    return slots->memory + slot * slots->slot_bytes;
}

#endif
