#define _GNU_SOURCE
#include "parallel/runtime.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/thread_environment.h"

/* Functions of LLVM's and Intel's runtimes alone; NULL where neither is loaded. */
static void set_blocktime(int milliseconds) __attribute__((weakref("kmp_set_blocktime")));
static size_t get_stack_size(void) __attribute__((weakref("kmp_get_stacksize_s")));

/* What libgomp, which has no function to ask, has read at its own start. */
static size_t configured_stack_size;

typedef void any_function(void);

/* Where the library or program that defines the function begins. */
static const void *object_of(any_function *function) {
    const void *address = NULL;
    Dl_info object;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &object) != 0 ? object.dli_fbase : NULL;
}

bool kael_runtime_is_llvm(void) {
    return set_blocktime != NULL && object_of((any_function *)set_blocktime) ==
                                        object_of((any_function *)omp_pause_resource_all);
}

static void read_stack_size(void) {
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    for (int i = 0; i < 2; ++i) {
        const char *const text = getenv(names[i]);
        if (text != NULL && kael_parse_stack_size(text, &configured_stack_size)) {
            return;
        }
    }
}

/* LLVM's runtime reads a malformed OMP_NUM_THREADS into memory that it has not set, and may end the
 * process at its start. Programs that never start it must not suffer from that. */
static bool may_start(void) {
    const char *const text = getenv("OMP_NUM_THREADS");
    int count;
    return text == NULL || !kael_runtime_is_llvm() || kael_parse_omp_num_threads(text, &count);
}

void kael_runtime_set_up(void) {
    if (may_start()) {
        (void)omp_in_parallel();
    }
    read_stack_size();
}

size_t kael_runtime_stack_size(void) {
    return get_stack_size != NULL && kael_runtime_is_llvm() ? get_stack_size()
                                                            : configured_stack_size;
}
