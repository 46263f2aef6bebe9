/* Atomic reference counts. */
#ifndef KAEL_CORE_REFERENCE_H
#define KAEL_CORE_REFERENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static inline void kael_reference_add(_Atomic int64_t *count) {
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

/* Returns true when that was the last one. A sole owner needs no atomic update, since nobody else
 * can add a reference. */
static inline bool kael_reference_drop(_Atomic int64_t *count) {
    return atomic_load_explicit(count, memory_order_acquire) == 1 ||
           atomic_fetch_sub_explicit(count, 1, memory_order_acq_rel) == 1;
}

#endif
