/* BLIS's micro-kernels as kernels of ours, and BLIS's own matrix product. */
#ifndef KAEL_KERNELS_BLIS_ADAPTER_H
#define KAEL_KERNELS_BLIS_ADAPTER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/gemm.h"

/* Fills `record` with the kernel that BLIS chose for this machine, packed by `packer`'s functions;
 * false when this version of BLIS or the shape of its kernel is not one we can call. */
bool kael_blis_describe_f32(kael_gemm_kernel *record, const kael_gemm_kernel *packer);
bool kael_blis_describe_f64(kael_gemm_kernel *record, const kael_gemm_kernel *packer);

/* out += a * b, row-major and contiguous, on `threads` threads of BLIS. */
void kael_blis_product_f32(int64_t rows, int64_t inner, int64_t columns, const float *a,
                           const float *b, float *out, int64_t threads);
void kael_blis_product_f64(int64_t rows, int64_t inner, int64_t columns, const double *a,
                           const double *b, double *out, int64_t threads);

#endif
