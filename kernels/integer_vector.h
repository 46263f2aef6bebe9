/* Vectors of unsigned integers, whose arithmetic wraps; the vocabulary of gemm_template.h by the
 * vector extension that gcc and clang share. The includer defines INTEGER_ELEMENT, INTEGER_LENGTH,
 * INTEGER(name), a name private to this instance, and the masked INTEGER_LOAD_PART(p, n) and
 * INTEGER_STORE_PART(p, v, n), the first n elements only. */
#include "kernels/undefine_vector.h"

#define ELEMENT INTEGER_ELEMENT
#define scalar_fma(a, b, c) ((a) * (b) + (c))

#define VECTOR INTEGER(vector)
#define VECTOR_LENGTH INTEGER_LENGTH
#define TRANSPOSED 1
#define v_zero() ((VECTOR){0})
#define v_load(p) ((VECTOR) * (const INTEGER(unaligned_vector) *)(p))
#define v_store(p, v) (*(INTEGER(unaligned_vector) *)(p) = (v))
#define v_broadcast(x) (v_zero() + (x))
#define v_add(a, b) ((a) + (b))
#define v_multiply(a, b) ((a) * (b))
#define v_fma(a, b, c) ((a) * (b) + (c))
#define v_load_part(p, n) ((VECTOR)INTEGER_LOAD_PART(p, n))
#define v_store_part(p, v, n) INTEGER_STORE_PART(p, v, n)
#define v_store_constant_part(p, v, n) memcpy(p, &(v), (size_t)(n) * sizeof(ELEMENT))
#define v_transpose(rows, k, columns) INTEGER(gather)(rows, k, columns)
#define LINE TRANSPOSED
#define v_transpose_line(rows, k, columns) v_transpose(rows, k, columns)

#define OCTET INTEGER(octet)
#define o_zero() ((OCTET){0})
#define o_load(p) ((OCTET) * (const INTEGER(unaligned_octet) *)(p))
#define o_store(p, o) (*(INTEGER(unaligned_octet) *)(p) = (o))
#define o_fma(a, b, c) ((a) * (b) + (c))

typedef ELEMENT INTEGER(vector) __attribute__((vector_size(INTEGER_LENGTH * sizeof(ELEMENT))));
typedef ELEMENT INTEGER(octet) __attribute__((vector_size(8 * sizeof(ELEMENT))));
typedef VECTOR INTEGER(unaligned_vector) __attribute__((aligned(sizeof(ELEMENT)), may_alias));
typedef OCTET INTEGER(unaligned_octet) __attribute__((aligned(sizeof(ELEMENT)), may_alias));

static inline void INTEGER(gather)(const ELEMENT *const rows[INTEGER_LENGTH], int64_t k,
                                   VECTOR columns[1]) {
    ELEMENT elements[INTEGER_LENGTH];
    for (int i = 0; i < INTEGER_LENGTH; ++i) {
        elements[i] = rows[i][k];
    }
    memcpy(columns, elements, sizeof elements);
}
