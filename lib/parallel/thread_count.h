/* The configured number of threads. */
#ifndef KAEL_PARALLEL_THREAD_COUNT_H
#define KAEL_PARALLEL_THREAD_COUNT_H

#include "kael/status.h"

/* The count of kael_get_num_threads, and its error. */
KAEL_NODISCARD kael_status kael_thread_count(int *count);

#endif
