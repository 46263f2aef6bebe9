/* Turning elements in memory into those of the kernels, and back. */
#ifndef KAEL_LINALG_CONVERT_H
#define KAEL_LINALG_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "kernels/gemm.h"
#include "linalg/problem.h"

/* The bytes that a converted operand needs at most, a multiple of KAEL_MEMORY_ALIGNMENT. */
int64_t kael_converted_bytes(int64_t indices, int64_t steps, int64_t kernel_size);

/* Whether an operand's elements lie closer together along its indices than along k. */
bool kael_operand_runs_along_indices(const kael_gemm_operand *operand);

/* Converts the elements (index, k) of an operand for index in [0, indices) and k in [0, steps) into
 * `target`, those of one k side by side if `along_indices`, else those of one index; returns where
 * they are. A conversion that does not cast copies. */
kael_gemm_operand kael_convert_operand(const kael_conversion *conversion, int64_t kernel_size,
                                       const kael_gemm_operand *source, int64_t indices,
                                       int64_t steps, bool along_indices, void *target);

/* Converts c from what the kernels computed: elements at from + row * row_stride + column *
 * column_stride, one of which is 1. */
KAEL_NODISCARD kael_status kael_convert_c(const kael_product *product, int64_t kernel_size,
                                          const void *from, int64_t row_stride,
                                          int64_t column_stride, int64_t threads);

#endif
