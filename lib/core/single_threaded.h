/* Whether the process has a single thread, so that counts need no atomic updates. */
#ifndef KAEL_CORE_SINGLE_THREADED_H
#define KAEL_CORE_SINGLE_THREADED_H

#include <stdbool.h>

#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define KAEL_KNOWS_SINGLE_THREADED 1
#endif
#endif

/* True only if there is no other thread; what has been written by then is seen by threads that
 * start later. */
static inline bool kael_is_single_threaded(void) {
#ifdef KAEL_KNOWS_SINGLE_THREADED
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

#endif
