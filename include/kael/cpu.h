/* The instruction set that the kernels use. */
#ifndef KAEL_CPU_H
#define KAEL_CPU_H

#include "kael/macros.h"

KAEL_BEGIN_DECLS

/* The instruction set in use: "generic", "avx2", "avx512" or "neon". It is the best that the
 * processor and the operating system support, capped by the environment variable KAEL_ISA, which is
 * read at first use and takes those four words. The choice changes speed, never results.
 * NULL, with a message in kael_last_error_message(), if KAEL_ISA holds another word; operations
 * that need kernels then fail with KAEL_ERROR_VALUE. */
KAEL_API const char *kael_cpu_isa(void);

KAEL_END_DECLS

#endif
