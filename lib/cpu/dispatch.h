/* The kernels of the instruction set in use. */
#ifndef KAEL_CPU_DISPATCH_H
#define KAEL_CPU_DISPATCH_H

#include <stdbool.h>

#include "cpu/features.h"
#include "kael/status.h"
#include "kernels/kernels.h"

/* The table of the instruction set in use. Errors: VALUE if KAEL_ISA is not one of its words. */
KAEL_NODISCARD kael_status kael_kernels_in_use(const kael_kernels **kernels);

/* All tables built into this library that the machine can run, from the plainest to the best, ended
 * by NULL; independent of KAEL_ISA. For tests and benchmarks. */
const kael_kernels *const *kael_kernels_supported(void);

/* The choice itself: the best table that `features` allow or, when they allow the one that `cap`
 * names, that one. A NULL cap caps nothing. Returns false when cap is no instruction set's name. */
bool kael_choose_kernels(const kael_kernels **chosen, const kael_cpu_features *features,
                         const char *cap);

#endif
