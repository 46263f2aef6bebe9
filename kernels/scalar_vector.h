/* Vectors as plain arrays, for machines and kernels without vector instructions; the vocabulary of
 * gemm_template.h. The includer defines SCALAR_ELEMENT, SCALAR_FMA (the C library's name of fma for
 * it), SCALAR_LENGTH and SCALAR(name), a name private to this instance. */
#include "kernels/undefine_vector.h"

#define ELEMENT SCALAR_ELEMENT
#define scalar_fma(a, b, c) SCALAR_FMA(a, b, c)

#define VECTOR SCALAR(vector)
#define VECTOR_LENGTH SCALAR_LENGTH
#define TRANSPOSED 1
#define v_zero() SCALAR(zero)()
#define v_load(p) SCALAR(load_part)(p, SCALAR_LENGTH)
#define v_store(p, v) SCALAR(store_part)(p, v, SCALAR_LENGTH)
#define v_broadcast(x) SCALAR(broadcast)(x)
#define v_add(a, b) SCALAR(add)(a, b)
#define v_multiply(a, b) SCALAR(multiply)(a, b)
#define v_fma(a, b, c) SCALAR(fused)(a, b, c)
#define v_load_part(p, n) SCALAR(load_part)(p, n)
#define v_store_part(p, v, n) SCALAR(store_part)(p, v, n)
#define v_store_constant_part(p, v, n) SCALAR(store_part)(p, v, n)
#define v_transpose(rows, k, columns) SCALAR(gather)(rows, k, columns)
#define LINE TRANSPOSED
#define v_transpose_line(rows, k, columns) v_transpose(rows, k, columns)

#define OCTET SCALAR(octet)
#define o_zero() SCALAR(octet_zero)()
#define o_load(p) SCALAR(octet_load)(p)
#define o_store(p, o) SCALAR(octet_store)(p, o)
#define o_fma(a, b, c) SCALAR(octet_fused)(a, b, c)

typedef struct SCALAR(vector) {
    ELEMENT elements[SCALAR_LENGTH];
} SCALAR(vector);

static inline VECTOR SCALAR(broadcast)(ELEMENT x) {
    VECTOR result;
    for (int i = 0; i < SCALAR_LENGTH; ++i) {
        result.elements[i] = x;
    }
    return result;
}

static inline VECTOR SCALAR(zero)(void) {
    return SCALAR(broadcast)(0);
}

static inline VECTOR SCALAR(load_part)(const ELEMENT *p, int64_t count) {
    VECTOR result = SCALAR(zero)();
    for (int64_t i = 0; i < count; ++i) {
        result.elements[i] = p[i];
    }
    return result;
}

static inline void SCALAR(store_part)(ELEMENT *p, VECTOR v, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        p[i] = v.elements[i];
    }
}

static inline VECTOR SCALAR(add)(VECTOR a, VECTOR b) {
    for (int i = 0; i < SCALAR_LENGTH; ++i) {
        a.elements[i] += b.elements[i];
    }
    return a;
}

static inline VECTOR SCALAR(multiply)(VECTOR a, VECTOR b) {
    for (int i = 0; i < SCALAR_LENGTH; ++i) {
        a.elements[i] *= b.elements[i];
    }
    return a;
}

static inline VECTOR SCALAR(fused)(VECTOR a, VECTOR b, VECTOR c) {
    for (int i = 0; i < SCALAR_LENGTH; ++i) {
        c.elements[i] = scalar_fma(a.elements[i], b.elements[i], c.elements[i]);
    }
    return c;
}

static inline void SCALAR(gather)(const ELEMENT *const rows[SCALAR_LENGTH], int64_t k,
                                  VECTOR columns[1]) {
    for (int i = 0; i < SCALAR_LENGTH; ++i) {
        columns[0].elements[i] = rows[i][k];
    }
}

typedef struct SCALAR(octet) {
    ELEMENT elements[8];
} SCALAR(octet);

static inline OCTET SCALAR(octet_load)(const ELEMENT *p) {
    OCTET result;
    for (int i = 0; i < 8; ++i) {
        result.elements[i] = p[i];
    }
    return result;
}

static inline OCTET SCALAR(octet_zero)(void) {
    static const ELEMENT zeros[8] = {0};
    return SCALAR(octet_load)(zeros);
}

static inline void SCALAR(octet_store)(ELEMENT *p, OCTET octet) {
    for (int i = 0; i < 8; ++i) {
        p[i] = octet.elements[i];
    }
}

static inline OCTET SCALAR(octet_fused)(OCTET a, OCTET b, OCTET c) {
    for (int i = 0; i < 8; ++i) {
        c.elements[i] = scalar_fma(a.elements[i], b.elements[i], c.elements[i]);
    }
    return c;
}
