/* The OpenMP runtime that this library calls: a process may hold several, loaded in any order. */
#ifndef KAEL_PARALLEL_RUNTIME_H
#define KAEL_PARALLEL_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

/* Lets the runtime set itself up, which starts no thread and binds none. LLVM's, which otherwise
 * does so at its first use, does not survive a fork by another thread meanwhile. Called once. */
void kael_runtime_set_up(void);

/* Whether it is LLVM's, or Intel's. */
bool kael_runtime_is_llvm(void);

/* The size that it asks for the stacks of its threads; 0 for the system's usual size. */
size_t kael_runtime_stack_size(void);

#endif
