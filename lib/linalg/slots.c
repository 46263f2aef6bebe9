#include "linalg/slots.h"

#include <stdbool.h>

#include "core/checked.h"
#include "memory/block.h"

int64_t kael_slots_bytes(int64_t count, int64_t slot_bytes) {
    return count * slot_bytes +
           kael_round_up(count * (int64_t)sizeof(atomic_flag), KAEL_MEMORY_ALIGNMENT);
}

void kael_slots_init(kael_slots *slots, int64_t count, int64_t slot_bytes, void *memory) {
    slots->count = count;
    slots->slot_bytes = slot_bytes;
    slots->memory = memory;
    slots->busy = (atomic_flag *)(void *)(slots->memory + count * slot_bytes);
    for (int64_t i = 0; i < count; ++i) {
        atomic_flag_clear(&slots->busy[i]);
    }
}

int64_t kael_slots_take(const kael_slots *slots) {
    for (;;) {
        for (int64_t i = 0; i < slots->count; ++i) {
            if (!atomic_flag_test_and_set_explicit(&slots->busy[i], memory_order_acquire)) {
                return i;
            }
        }
    }
}

void kael_slots_give(const kael_slots *slots, int64_t slot) {
    atomic_flag_clear_explicit(&slots->busy[slot], memory_order_release);
}
