/* Atomic reference counts. */
#ifndef KAEL_CORE_REFERENCE_H
#define KAEL_CORE_REFERENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/single_threaded.h"

static inline void kael_reference_add(_Atomic int64_t *count) {
    if (kael_is_single_threaded()) {
        atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1,
                              memory_order_relaxed);
    } else {
        atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    }
}

/* Returns true when that was the last one. A sole owner needs no atomic update, since nobody else
 * can add a reference. */
static inline bool kael_reference_drop(_Atomic int64_t *count) {
    const int64_t before = atomic_load_explicit(count, memory_order_acquire);
    if (before > 1 && kael_is_single_threaded()) {
        atomic_store_explicit(count, before - 1, memory_order_relaxed);
        return false;
    }
    return before == 1 || atomic_fetch_sub_explicit(count, 1, memory_order_acq_rel) == 1;
}

#endif
