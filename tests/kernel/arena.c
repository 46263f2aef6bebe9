#define _GNU_SOURCE
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "kernel_check: %s\n", what);
    exit(1);
}

arena arena_open(size_t least_size) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = (least_size + page - 1) / page * page;
    char *pages =
        mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) != 0 ||
        mprotect(pages + page + size, page, PROT_NONE) != 0) {
        fail("no memory for operands");
    }
    return (arena){.begin = pages + page, .size = size};
}

void arena_close(arena *memory) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(memory->begin - page, memory->size + 2 * page);
}

void *arena_place(const arena *memory, arena_edge edge, int64_t lowest, int64_t end) {
    if (end - lowest > (int64_t)memory->size) {
        fail("an operand does not fit into its arena");
    }
    return edge == ARENA_END ? memory->begin + (int64_t)memory->size - end : memory->begin - lowest;
}
