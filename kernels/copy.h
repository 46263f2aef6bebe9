/* Copies of elements, as they are or converted to another type. */
#ifndef KAEL_KERNELS_COPY_H
#define KAEL_KERNELS_COPY_H

#include "kernels/dtypes.h"
#include "kernels/loop.h"

enum { KAEL_ELEMENT_SIZES = 4 }; /* 1, 2, 4 and 8 bytes: index n stands for 2^n */

/* Operand 1 goes to operand 0; no parameters but those of `convert`.
 *
 * `copy` keeps the bytes of elements of one size; it takes any strides.
 *
 * `stream` does the same past the caches, where the elements are dense and the instruction set can;
 * `finish_streams` then makes what the calling thread has written visible to others.
 *
 * `convert[to][from]`, by the numbers of dtypes.h:
 *   to a floating point type: rounded once, beyond the largest finite value to infinity;
 *   floating point to integer: cut towards zero, then to the nearest value in range; NaN gives 0;
 *   integer to integer: modulo 2^bits;
 *   to bool: whether the element is not zero (NaN is not).
 * Where input and output are the very same elements, both types must be the same. Parameters that
 * are not NULL ask for an output past the caches, as `stream` writes it; its elements are aligned.
 */
typedef struct kael_copy_kernels {
    kael_loop_kernel *copy[KAEL_ELEMENT_SIZES];
    kael_loop_kernel *stream[KAEL_ELEMENT_SIZES];
    void (*finish_streams)(void);
    kael_loop_kernel *convert[KAEL_DTYPE_COUNT][KAEL_DTYPE_COUNT];
} kael_copy_kernels;

#endif
