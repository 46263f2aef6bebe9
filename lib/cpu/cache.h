/* Sizes of the processor's caches. They decide block sizes, never results. */
#ifndef KAEL_CPU_CACHE_H
#define KAEL_CPU_CACHE_H

#include <stdint.h>

/* Bytes of a core's second-level cache, or a common size where the system does not tell. */
int64_t kael_second_level_cache(void);

/* Bytes that one operation may read and write so that the next one probably still finds them in
 * the caches: the size of the last level, but no more than the share of it that others leave. */
int64_t kael_streaming_threshold(void);

#endif
