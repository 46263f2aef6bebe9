/* The strided double loop that elementwise kernels run. */
#ifndef KAEL_KERNELS_LOOP_H
#define KAEL_KERNELS_LOOP_H

#include <stdint.h>

/* The most tensors that one loop walks together. */
#define KAEL_MAX_OPERANDS 5

/* `outer` times `inner` elements of each operand; strides are in bytes. Operand 0 is the output,
 * whose elements are all distinct; the inputs follow. An input is either the output itself, element
 * for element, or shares no byte with it.
 *
 * Where inner is above 1, the inner stride of the output is the size of its element, and that of an
 * input the size of its element or 0; only kernels that say so take any inner stride. Outer strides
 * may be anything. A kernel writes every element of the output, and reads none before. */
typedef struct kael_loop {
    int64_t inner;
    int64_t outer;
    char *data[KAEL_MAX_OPERANDS];
    int64_t inner_strides[KAEL_MAX_OPERANDS];
    int64_t outer_strides[KAEL_MAX_OPERANDS];
} kael_loop;

/* `parameters` is what the kernel's family documents; NULL where it has none. */
typedef void kael_loop_kernel(const kael_loop *loop, const void *parameters);

#endif
