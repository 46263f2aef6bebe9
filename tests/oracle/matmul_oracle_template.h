/* One element type's oracle: the including file defines REAL, FMA and NAME(base). */

static void NAME(add_chain)(REAL *out, REAL alpha, const REAL *a, int64_t a_stride, const REAL *b,
                            int64_t b_stride, int64_t steps) {
    if (steps == 0) {
        return;
    }
    REAL sum = 0;
    for (int64_t k = 0; k < steps; ++k) {
        sum = FMA(a[k * a_stride], b[k * b_stride], sum);
    }
    const REAL term = alpha * sum;
    *out = *out + term;
}

static REAL NAME(gemm_element)(const matmul_problem *p, int64_t i, int64_t j) {
    const REAL *c = (const REAL *)p->c.data + i * p->c.row_stride + j * p->c.column_stride;
    const REAL alpha = (REAL)p->alpha;
    const REAL beta = (REAL)p->beta;
    REAL out = beta == 0 ? 0 : *c * beta;
    if (alpha == 0 || p->k == 0) {
        return out;
    }
    const REAL *a = (const REAL *)p->a.data + i * p->a.row_stride;
    const REAL *b = (const REAL *)p->b.data + j * p->b.column_stride;
    const int64_t length = oracle_block_length(p->k);
    const int64_t lanes = oracle_lane_count(p->k);
    for (int64_t start = 0; start < p->k; start += length) {
        const int64_t end = start + length < p->k ? start + length : p->k;
        for (int64_t first = start; first < start + lanes && first < end; ++first) {
            NAME(add_chain)
            (&out, alpha, a + first * p->a.column_stride, lanes * p->a.column_stride,
             b + first * p->b.row_stride, lanes * p->b.row_stride,
             (end - first + lanes - 1) / lanes);
        }
    }
    return out;
}

static void NAME(gemm)(const matmul_problem *p) {
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            REAL *c = (REAL *)p->c.data + i * p->c.row_stride + j * p->c.column_stride;
            *c = NAME(gemm_element)(p, i, j);
        }
    }
}

#undef REAL
#undef FMA
#undef NAME
