/* Which kernels a product runs on. */
#ifndef KAEL_LINALG_KERNEL_CHOICE_H
#define KAEL_LINALG_KERNEL_CHOICE_H

#include "kael/dtype.h"
#include "kael/status.h"
#include "kernels/gemm.h"
#include "kernels/loop.h"

typedef struct kael_gemm_choice {
    const kael_gemm_kernel *builtin; /* of the instruction set in use: direct and matvec */
    const kael_gemm_kernel *packed;  /* BLIS's, where configured and faithful, else built in */
    const kael_gemm_kernel *scalar;  /* the 4 x 4 step of the ladder; NULL for integers */
    kael_loop_kernel *copy;          /* of elements of this size, with any strides */
} kael_gemm_choice;

/* The kernels for KAEL_F32, KAEL_F64, KAEL_I32 or KAEL_I64; signed and unsigned integers have the
 * same bits. Errors: VALUE for a bad KAEL_ISA. */
KAEL_NODISCARD kael_status kael_gemm_kernels(kael_gemm_choice *choice, kael_dtype dtype);

/* BLIS's micro-kernel as a record of ours, NULL when this build has none or when a self-check found
 * that it does not compute the chain of the definition. */
const kael_gemm_kernel *kael_gemm_blis_kernel(kael_dtype dtype);

#endif
