/* Memory between two unreadable pages, so that a kernel which touches anything outside its operands
 * is stopped at once. */
#ifndef KAEL_TESTS_KERNEL_ARENA_H
#define KAEL_TESTS_KERNEL_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct arena {
    char *begin;
    size_t size;
} arena;

/* Which of the unreadable pages an operand touches. */
typedef enum arena_edge { ARENA_BEGIN, ARENA_END, ARENA_EDGE_COUNT } arena_edge;

/* Ends the program with a message when there is no memory. */
arena arena_open(size_t least_size);
void arena_close(arena *memory);

/* Places an operand whose bytes run from `lowest` to `end` relative to its pointer, against the
 * given edge, and returns the pointer. Ends the program when the arena is too small. */
void *arena_place(const arena *memory, arena_edge edge, int64_t lowest, int64_t end);

#endif
