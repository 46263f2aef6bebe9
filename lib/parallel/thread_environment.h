/* Numbers about threads in environment variables. */
#ifndef KAEL_PARALLEL_THREAD_ENVIRONMENT_H
#define KAEL_PARALLEL_THREAD_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Reads KAEL_NUM_THREADS: decimal digits alone, 1 to KAEL_MAX_THREADS; false otherwise. */
bool kael_parse_num_threads(const char *text, int *count);

/* Reads the first entry of OMP_NUM_THREADS, a list such as "4,2" of positive numbers with optional
 * space around them; counts above KAEL_MAX_THREADS become it. False if the list is malformed. */
bool kael_parse_omp_num_threads(const char *text, int *count);

/* Reads OMP_STACKSIZE as libgomp does: a number with optional space around it and an optional unit
 * B, K (the default), M or G in either case. False, with `size` unchanged, if it is malformed. */
bool kael_parse_stack_size(const char *text, size_t *size);

#endif
