/* Parallel loops whose results do not depend on the number of threads. */
#ifndef KAEL_PARALLEL_H
#define KAEL_PARALLEL_H

#include <stdint.h>

#include "kael/macros.h"
#include "kael/status.h"

KAEL_BEGIN_DECLS

/* The grain for a loop that does one cheap operation per element: the smallest range that is worth
 * handing to another thread. Loops with more work per index divide it by their cost. */
#define KAEL_ELEMENT_GRAIN INT64_C(524288)

/* The largest number of threads that can be configured. */
#define KAEL_MAX_THREADS INT64_C(1024)

/* Works on the indices [first, last). Returning a status other than KAEL_OK ends the loop. */
typedef kael_status kael_parallel_body(int64_t first, int64_t last, void *context);

/* Calls `body` on disjoint ranges whose union is [begin, end).
 *
 * The range is cut into chunks of max(grain, ceil((end - begin) / 1024)) indices, the last one
 * shorter, whatever the thread count; the chunks run as an OpenMP static schedule. The whole range
 * is one call on the calling thread when it is no longer than one grain, when one thread is
 * configured, inside any parallel region (OpenMP's, or a loop of this library that runs on several
 * threads), while another thread's loop is running, and when the system starts no further threads.
 * Inside a body that is such a single call, a loop may use all threads.
 *
 * The first status that is not KAEL_OK is returned, with the latest message of the body's thread on
 * the calling thread; chunks that have not started by then are skipped. Bodies run in the caller's
 * grad mode, rounding mode and denormal mode. Exception flags that other threads raise do not reach
 * the caller. A child forked inside a body must end without returning from it. Bodies must return:
 * a C++ exception or a longjmp that leaves one is undefined behaviour.
 *
 * Errors: VALUE if grain <= 0 (also for an empty range), if body is NULL, if end - begin overflows,
 * or if KAEL_NUM_THREADS is malformed. An empty range (end <= begin) calls nothing. */
KAEL_API KAEL_NODISCARD kael_status kael_parallel_for(int64_t begin, int64_t end, int64_t grain,
                                                      kael_parallel_body *body, void *context);

/* Sets the number of threads that parallel loops use, the calling thread included.
 * From then on KAEL_NUM_THREADS, even a malformed one, no longer matters.
 * Errors: VALUE if count is outside 1..1024; STATE inside a parallel body. */
KAEL_API KAEL_NODISCARD kael_status kael_set_num_threads(int64_t count);

/* Reads the number of threads that parallel loops use: the latest kael_set_num_threads, else
 * KAEL_NUM_THREADS, else OMP_NUM_THREADS (the first of a list, at most 1024; a malformed one counts
 * as unset), else the physical cores that this process may use, performance cores where they
 * differ, capped by the CPU quota of its control group. OMP_THREAD_LIMIT caps the last two. The
 * environment is read once. Errors: VALUE if count is NULL or KAEL_NUM_THREADS is malformed. */
KAEL_API KAEL_NODISCARD kael_status kael_get_num_threads(int64_t *count);

KAEL_END_DECLS

#endif
