/* Vectors of 4 floats; the vocabulary of gemm_template.h. */
#include <arm_neon.h>
#include <string.h>

#include "kernels/undefine_vector.h"

#define ELEMENT float
#define scalar_fma(a, b, c) __builtin_fmaf(a, b, c)

#define VECTOR float32x4_t
#define VECTOR_LENGTH 4
#define TRANSPOSED 4
#define v_zero() vdupq_n_f32(0)
#define v_load(p) vld1q_f32(p)
#define v_store(p, v) vst1q_f32(p, v)
#define v_broadcast(x) vdupq_n_f32(x)
#define v_add(a, b) vaddq_f32(a, b)
#define v_multiply(a, b) vmulq_f32(a, b)
#define v_fma(a, b, c) vfmaq_f32(c, a, b)
#define v_load_part(p, n) load_part_f32(p, n)
#define v_store_part(p, v, n) store_part_f32(p, v, n)
#define v_store_constant_part(p, v, n) memcpy(p, &(v), (size_t)(n) * sizeof(ELEMENT))
#define v_transpose(rows, k, columns) transpose_f32(rows, k, columns)
#define LINE TRANSPOSED
#define v_transpose_line(rows, k, columns) v_transpose(rows, k, columns)

#define OCTET octet_f32
#define o_zero() octet_zero_f32()
#define o_load(p) octet_load_f32(p)
#define o_store(p, o) octet_store_f32(p, o)
#define o_fma(a, b, c) octet_fma_f32(a, b, c)

static inline float32x4_t load_part_f32(const float *p, int64_t count) {
    float elements[4] = {0, 0, 0, 0};
    memcpy(elements, p, (size_t)count * sizeof *p);
    return vld1q_f32(elements);
}

static inline void store_part_f32(float *p, float32x4_t v, int64_t count) {
    float elements[4];
    vst1q_f32(elements, v);
    memcpy(p, elements, (size_t)count * sizeof *p);
}

static inline void transpose_f32(const float *const rows[4], int64_t k, float32x4_t columns[4]) {
    const float32x4_t row0 = vld1q_f32(rows[0] + k);
    const float32x4_t row1 = vld1q_f32(rows[1] + k);
    const float32x4_t row2 = vld1q_f32(rows[2] + k);
    const float32x4_t row3 = vld1q_f32(rows[3] + k);
    const float64x2_t even01 = vreinterpretq_f64_f32(vtrn1q_f32(row0, row1));
    const float64x2_t odd01 = vreinterpretq_f64_f32(vtrn2q_f32(row0, row1));
    const float64x2_t even23 = vreinterpretq_f64_f32(vtrn1q_f32(row2, row3));
    const float64x2_t odd23 = vreinterpretq_f64_f32(vtrn2q_f32(row2, row3));
    columns[0] = vreinterpretq_f32_f64(vtrn1q_f64(even01, even23));
    columns[1] = vreinterpretq_f32_f64(vtrn1q_f64(odd01, odd23));
    columns[2] = vreinterpretq_f32_f64(vtrn2q_f64(even01, even23));
    columns[3] = vreinterpretq_f32_f64(vtrn2q_f64(odd01, odd23));
}

typedef struct octet_f32 {
    float32x4_t quads[2];
} octet_f32;

static inline octet_f32 octet_zero_f32(void) {
    return (octet_f32){{vdupq_n_f32(0), vdupq_n_f32(0)}};
}

static inline octet_f32 octet_load_f32(const float *p) {
    return (octet_f32){{vld1q_f32(p), vld1q_f32(p + 4)}};
}

static inline void octet_store_f32(float *p, octet_f32 octet) {
    vst1q_f32(p, octet.quads[0]);
    vst1q_f32(p + 4, octet.quads[1]);
}

static inline octet_f32 octet_fma_f32(octet_f32 a, octet_f32 b, octet_f32 c) {
    for (int i = 0; i < 2; ++i) {
        c.quads[i] = vfmaq_f32(c.quads[i], a.quads[i], b.quads[i]);
    }
    return c;
}
