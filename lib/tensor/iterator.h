/* Walks several tensors of one shape together, in whatever order suits their memory. */
#ifndef KAEL_TENSOR_ITERATOR_H
#define KAEL_TENSOR_ITERATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "kael/tensor.h"
#include "kernels/loop.h"

/* Dimension 0 is the innermost. Dimensions of one element are left out, reversed where the output
 * runs backwards, ordered by the strides of the output, then of the inputs, and merged where no
 * operand sees a boundary between them. Where an input is transposed against the output, dimension
 * 1 is the one along which that input is densest. */
typedef struct kael_iterator {
    int operands;
    int ndim;
    bool is_transposed;
    bool kernel_streams; /* false; to be set if the kernel itself writes past the caches, and leaves
                            finish_streams of kernels/copy.h to the walk */
    int64_t numel;
    int64_t shape[KAEL_MAX_DIMS];
    char *data[KAEL_MAX_OPERANDS];
    int64_t element_sizes[KAEL_MAX_OPERANDS];
    int64_t strides[KAEL_MAX_OPERANDS][KAEL_MAX_DIMS]; /* in bytes */
} kael_iterator;

/* Prepares a walk over `operands` tensors, the output first, whose shapes broadcast to the shape of
 * the output. The shapes have been checked before. */
void kael_iterator_init(kael_iterator *iterator, int operands, const kael_tensor *const *tensors);

/* Whether what a walk touches is too much to be found in the caches afterwards, so that its output
 * is better written past them, and may be: its innermost elements are dense and aligned, and it is
 * no input, whose elements would be in the caches already. */
bool kael_iterator_should_stream(const kael_iterator *iterator);

/* Calls the kernel on double loops that together visit every element once, in parallel chunks of
 * about `grain` elements or more. Operands whose innermost stride is not what loop.h promises, and
 * large outputs, go through dense copies of cache-sized tiles. Errors: those of kael_parallel_for,
 * and VALUE if KAEL_ISA is malformed. */
KAEL_NODISCARD kael_status kael_iterator_run(const kael_iterator *iterator, int64_t grain,
                                             kael_loop_kernel *kernel, const void *parameters);

/* The same for kernels that take any inner strides, such as those that only read: they are called
 * on the operands themselves. */
KAEL_NODISCARD kael_status kael_iterator_run_strided(const kael_iterator *iterator, int64_t grain,
                                                     kael_loop_kernel *kernel,
                                                     const void *parameters);

/* Copies the second of two operands, which have elements of one size, to the first. */
KAEL_NODISCARD kael_status kael_iterator_copy(const kael_iterator *iterator, int64_t grain);

#endif
