#define _GNU_SOURCE
#include "memory/system.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "memory/block.h"
#include "memory/sanitizer.h"

static const int64_t mapped_from = INT64_C(128) << 10;
static const int64_t huge_page = INT64_C(2) << 20;

/* Sanitizers end the process for sizes they find absurd; these fail here instead. */
static const int64_t largest_sanitized = INT64_C(1) << 37;

static atomic_llong allocations; /* since the process's start */
static atomic_llong failing_first;
static atomic_llong failing_end;
static atomic_llong failures;

void kael_system_inject_failures(int64_t first, int64_t count) {
    const long long made = atomic_load(&allocations);
    atomic_store(&failing_end, 0);
    atomic_store(&failures, 0);
    atomic_store(&failing_first, made + first);
    atomic_store(&failing_end, count == 0 ? 0 : made + first + count);
}

int64_t kael_system_injected_failures(void) {
    return atomic_load(&failures);
}

static bool inject_failure(void) {
    const long long number = atomic_fetch_add(&allocations, 1) + 1;
    const bool fail = number < atomic_load(&failing_end) && number >= atomic_load(&failing_first);
    if (fail) {
        atomic_fetch_add(&failures, 1);
    }
    return fail;
}

static void *map_pages(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Maps one huge page more and cuts the ends off, because mmap promises alignment to small pages
 * alone. Cutting fails where it needs one mapping more than the process may have. */
static void *map_huge_pages(size_t size) {
    const size_t alignment = (size_t)huge_page;
    char *memory = map_pages(size + alignment);
    if (memory == NULL) {
        return NULL;
    }
    const size_t head = -(uintptr_t)memory & (alignment - 1);
    const size_t tail = alignment - head;
    if (head != 0 && munmap(memory, head) != 0) {
        munmap(memory, size + alignment);
        return NULL;
    }
    char *aligned = memory + head;
    if (munmap(aligned + size, tail) != 0) {
        munmap(aligned, size + tail);
        return NULL;
    }
    (void)madvise(aligned, size, MADV_HUGEPAGE);
    return aligned;
}

static bool is_mapped(int64_t size) {
    return !KAEL_MEMORY_SANITIZED && size >= mapped_from;
}

void *kael_system_allocate(int64_t size, bool *zeroed) {
    *zeroed = false;
    if (inject_failure() || (KAEL_MEMORY_SANITIZED && size > largest_sanitized)) {
        return NULL;
    }
    if (is_mapped(size)) {
        *zeroed = true;
        return size >= huge_page ? map_huge_pages((size_t)size) : map_pages((size_t)size);
    }
    void *memory = NULL;
    return posix_memalign(&memory, KAEL_MEMORY_ALIGNMENT, (size_t)size) == 0 ? memory : NULL;
}

void kael_system_release(void *memory, int64_t size) {
    const int error = errno;
    if (is_mapped(size)) {
        munmap(memory, (size_t)size);
    } else {
        free(memory);
    }
    errno = error;
}
