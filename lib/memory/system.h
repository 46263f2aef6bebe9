/* Memory from the operating system, and failing it on purpose. */
#ifndef KAEL_MEMORY_SYSTEM_H
#define KAEL_MEMORY_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

/* Takes `size` > 0 bytes aligned to KAEL_MEMORY_ALIGNMENT; NULL when they cannot be had. Tells in
 * *zeroed whether all bytes are known to be zero.
 *
 * From 128 KiB on, pages are mapped directly: they come zeroed, go back to the system at once, and
 * never depend on the C library's moving threshold between its heap and mappings. From one huge
 * page (2 MiB) on, they are aligned to huge pages and ask for them, because a first touch then
 * costs one page fault for 2 MiB instead of 512, and long walks fewer misses of the TLB. */
void *kael_system_allocate(int64_t size, bool *zeroed);

/* Gives back what kael_system_allocate(size, ...) returned; errno stays as it was. */
void kael_system_release(void *memory, int64_t size);

/* For tests: of the allocations from now on, counted from 1, those numbered first .. first + count
 * - 1 fail. A count of 0 ends it. Every allocation of the library goes through kael_system_allocate
 * unless a cache serves it. */
void kael_system_inject_failures(int64_t first, int64_t count);

/* How many allocations have failed so since the last kael_system_inject_failures. */
int64_t kael_system_injected_failures(void);

#endif
