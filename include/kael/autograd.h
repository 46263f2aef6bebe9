/* Recording operations for gradients. */
#ifndef KAEL_AUTOGRAD_H
#define KAEL_AUTOGRAD_H

#include <stdbool.h>

#include "kael/macros.h"

KAEL_BEGIN_DECLS

/* Whether the calling thread records operations: true at first, kept per thread, and carried from
 * the caller of a parallel loop to the threads that run its body. */
KAEL_API bool kael_grad_mode_enabled(void);
KAEL_API void kael_set_grad_mode(bool enabled);

KAEL_END_DECLS

#endif
