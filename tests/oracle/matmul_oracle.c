#include "oracle/matmul_oracle.h"

#include <math.h>

int64_t oracle_block_length(int64_t k) {
    if (k < 512) {
        return k;
    }
    const int64_t blocks = (k + 2047) / 2048;
    return 8 * ((k + 8 * blocks - 1) / (8 * blocks));
}

int64_t oracle_lane_count(int64_t k) {
    return k < 512 ? 1 : 8;
}

#define REAL uint32_t
#define FMA(a, b, c) ((a) * (b) + (c))
#define NAME(base) base##_u32
#include "matmul_oracle_template.h"

#define REAL uint64_t
#define FMA(a, b, c) ((a) * (b) + (c))
#define NAME(base) base##_u64
#include "matmul_oracle_template.h"

#define REAL float
#define FMA fmaf
#define NAME(base) base##_f32
#include "matmul_oracle_template.h"

#define REAL double
#define FMA fma
#define NAME(base) base##_f64
#include "matmul_oracle_template.h"

matmul_problem matmul_contiguous(int64_t m, int64_t k, int64_t n, const void *a, const void *b,
                                 void *out) {
    return (matmul_problem){
        .m = m,
        .n = n,
        .k = k,
        .alpha = 1,
        .a = {.data = a, .row_stride = k, .column_stride = 1},
        .b = {.data = b, .row_stride = n, .column_stride = 1},
        .beta = 1,
        .c = {.data = out, .row_stride = n, .column_stride = 1},
    };
}

void oracle_gemm(matmul_type type, const matmul_problem *problem) {
    switch (type) {
    case MATMUL_F32:
        gemm_f32(problem);
        break;
    case MATMUL_U32:
        gemm_u32(problem);
        break;
    case MATMUL_U64:
        gemm_u64(problem);
        break;
    default:
        gemm_f64(problem);
        break;
    }
}

double oracle_gemm_element(matmul_type type, const matmul_problem *problem, int64_t i, int64_t j) {
    return type == MATMUL_F32 ? (double)gemm_element_f32(problem, i, j)
                              : gemm_element_f64(problem, i, j);
}

void oracle_add_chain(matmul_type type, void *out, double alpha, const void *a, int64_t a_stride,
                      const void *b, int64_t b_stride, int64_t steps) {
    switch (type) {
    case MATMUL_F32:
        add_chain_f32(out, (float)alpha, a, a_stride, b, b_stride, steps);
        break;
    case MATMUL_U32:
        add_chain_u32(out, (uint32_t)alpha, a, a_stride, b, b_stride, steps);
        break;
    case MATMUL_U64:
        add_chain_u64(out, (uint64_t)alpha, a, a_stride, b, b_stride, steps);
        break;
    default:
        add_chain_f64(out, alpha, a, a_stride, b, b_stride, steps);
        break;
    }
}
