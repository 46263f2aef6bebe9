/* Asking about the parallel region that surrounds the caller. */
#ifndef KAEL_PARALLEL_REGION_H
#define KAEL_PARALLEL_REGION_H

#include <stdbool.h>

/* True inside a body that kael_parallel_for runs as part of a region. */
bool kael_inside_parallel_region(void);

/* True inside any body that kael_parallel_for runs, inline ones included. */
bool kael_inside_parallel_body(void);

#endif
