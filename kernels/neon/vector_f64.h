/* Vectors of 2 doubles; the vocabulary of gemm_template.h. */
#include <arm_neon.h>

#include "kernels/undefine_vector.h"

#define ELEMENT double
#define scalar_fma(a, b, c) __builtin_fma(a, b, c)

#define VECTOR float64x2_t
#define VECTOR_LENGTH 2
#define TRANSPOSED 2
#define v_zero() vdupq_n_f64(0)
#define v_load(p) vld1q_f64(p)
#define v_store(p, v) vst1q_f64(p, v)
#define v_broadcast(x) vdupq_n_f64(x)
#define v_add(a, b) vaddq_f64(a, b)
#define v_multiply(a, b) vmulq_f64(a, b)
#define v_fma(a, b, c) vfmaq_f64(c, a, b)
#define v_load_part(p, n) ((n) == 2 ? vld1q_f64(p) : vsetq_lane_f64(*(p), vdupq_n_f64(0), 0))
#define v_store_part(p, v, n) store_part_f64(p, v, n)
#define v_store_constant_part(p, v, n) memcpy(p, &(v), (size_t)(n) * sizeof(ELEMENT))
#define v_transpose(rows, k, columns) transpose_f64(rows, k, columns)
#define LINE TRANSPOSED
#define v_transpose_line(rows, k, columns) v_transpose(rows, k, columns)

#define OCTET octet_f64
#define o_zero() octet_zero_f64()
#define o_load(p) octet_load_f64(p)
#define o_store(p, o) octet_store_f64(p, o)
#define o_fma(a, b, c) octet_fma_f64(a, b, c)

static inline void store_part_f64(double *p, float64x2_t v, int64_t count) {
    vst1q_lane_f64(p, v, 0);
    if (count == 2) {
        vst1q_lane_f64(p + 1, v, 1);
    }
}

static inline void transpose_f64(const double *const rows[2], int64_t k, float64x2_t columns[2]) {
    const float64x2_t row0 = vld1q_f64(rows[0] + k);
    const float64x2_t row1 = vld1q_f64(rows[1] + k);
    columns[0] = vtrn1q_f64(row0, row1);
    columns[1] = vtrn2q_f64(row0, row1);
}

typedef struct octet_f64 {
    float64x2_t pairs[4];
} octet_f64;

static inline octet_f64 octet_load_f64(const double *p) {
    octet_f64 octet;
    for (int i = 0; i < 4; ++i) {
        octet.pairs[i] = vld1q_f64(p + 2 * i);
    }
    return octet;
}

static inline octet_f64 octet_zero_f64(void) {
    octet_f64 octet;
    for (int i = 0; i < 4; ++i) {
        octet.pairs[i] = vdupq_n_f64(0);
    }
    return octet;
}

static inline void octet_store_f64(double *p, octet_f64 octet) {
    for (int i = 0; i < 4; ++i) {
        vst1q_f64(p + 2 * i, octet.pairs[i]);
    }
}

static inline octet_f64 octet_fma_f64(octet_f64 a, octet_f64 b, octet_f64 c) {
    for (int i = 0; i < 4; ++i) {
        c.pairs[i] = vfmaq_f64(c.pairs[i], a.pairs[i], b.pairs[i]);
    }
    return c;
}
