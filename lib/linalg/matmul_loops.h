/* The textbook loops of the ladder for one element type: a template. The includer defines ELEMENT
 * and LOOP(name). */

static void LOOP(v1_ijk)(const ELEMENT *a, const ELEMENT *b, ELEMENT *out,
                         const kael_matmul_sizes *sizes) {
    for (int64_t i = 0; i < sizes->rows; ++i) {
        for (int64_t j = 0; j < sizes->columns; ++j) {
            ELEMENT total = 0;
            for (int64_t k = 0; k < sizes->inner; ++k) {
                total += a[i * sizes->inner + k] * b[k * sizes->columns + j];
            }
            out[i * sizes->columns + j] += total;
        }
    }
}

/* out[i, j] += a[i, k] * b[k, j] over a box of indices, with unit stride in the inner loop. */
static void LOOP(add_box)(const ELEMENT *a, const ELEMENT *b, ELEMENT *restrict out,
                          const kael_matmul_sizes *sizes, const kael_matmul_sizes *first,
                          const kael_matmul_sizes *last) {
    for (int64_t i = first->rows; i < last->rows; ++i) {
        ELEMENT *restrict out_row = out + i * sizes->columns;
        for (int64_t k = first->inner; k < last->inner; ++k) {
            const ELEMENT factor = a[i * sizes->inner + k];
            const ELEMENT *b_row = b + k * sizes->columns;
            for (int64_t j = first->columns; j < last->columns; ++j) {
                out_row[j] += factor * b_row[j];
            }
        }
    }
}

static void LOOP(v2_ikj)(const ELEMENT *a, const ELEMENT *b, ELEMENT *out,
                         const kael_matmul_sizes *sizes) {
    const kael_matmul_sizes first = {0, 0, 0};
    LOOP(add_box)(a, b, out, sizes, &first, sizes);
}

static void LOOP(v3_tiled)(const ELEMENT *a, const ELEMENT *b, ELEMENT *out,
                           const kael_matmul_sizes *sizes) {
    const kael_matmul_sizes tile = {.rows = 64, .inner = 256, .columns = 2048};
    kael_matmul_sizes first;
    for (first.columns = 0; first.columns < sizes->columns; first.columns += tile.columns) {
        for (first.inner = 0; first.inner < sizes->inner; first.inner += tile.inner) {
            for (first.rows = 0; first.rows < sizes->rows; first.rows += tile.rows) {
                const kael_matmul_sizes last = {
                    .rows = kael_min_i64(sizes->rows, first.rows + tile.rows),
                    .inner = kael_min_i64(sizes->inner, first.inner + tile.inner),
                    .columns = kael_min_i64(sizes->columns, first.columns + tile.columns),
                };
                LOOP(add_box)(a, b, out, sizes, &first, &last);
            }
        }
    }
}
