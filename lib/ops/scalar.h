/* Numbers as tensors without dimensions. */
#ifndef KAEL_OPS_SCALAR_H
#define KAEL_OPS_SCALAR_H

#include "kael/scalar.h"
#include "kael/status.h"
#include "ops/operation.h"
#include "tensor/element.h"
#include "tensor/tensor.h"

/* Where a number is kept as an element. */
typedef union kael_scalar_element {
    unsigned char bytes[KAEL_MAX_ELEMENT_SIZE];
    uint64_t alignment;
} kael_scalar_element;

/* Makes `operand`, which lives on the stack and has neither storage nor owners, see the number in
 * the dtype that it takes beside `dtype` in this operation. `name` is that of the argument.
 * Errors: VALUE for an integer that the dtype cannot hold, and for a kind that is none. */
KAEL_NODISCARD kael_status kael_scalar_operand_init(kael_tensor *operand,
                                                    kael_scalar_element *element,
                                                    const kael_operation *operation,
                                                    kael_dtype dtype, kael_scalar scalar,
                                                    const char *name);

#endif
