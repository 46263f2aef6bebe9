/* clang-format off */
/* The kernels of the matrix product for one element type on one instruction set: a template without
 * include guard. gemm.h tells what each kernel does.
 *
 * The includer defines the instance, then includes this file, which undefines the first group again:
 *
 *   GEMM(name)                     a name private to this instance
 *   GEMM_RECORD                    the kael_gemm_kernel to define, with GEMM_NAME and GEMM_KC for it
 *   TILE_ROWS                      rows of a tile, with TILE_ROW_CASES(X) = X(1) ... X(TILE_ROWS)
 *   TILE_VECTORS                   vectors in a row of a tile, at most 4
 *   TILE_UNROLL                    steps of a packed tile's loop that are written out
 *   PREFETCH_PANELS                whether packed tiles fetch their panels ahead
 *   PACK_WIDTHS(X)                 X(width) for the widths of panels that are packed fast
 *
 * and a vocabulary:
 *
 *   ELEMENT                        the element's type, with scalar_fma(a, b, c) = a * b + c, rounded
 *                                  once
 *   VECTOR                         VECTOR_LENGTH elements, with v_zero() v_load(p) v_store(p, v)
 *                                  v_broadcast(x) v_add(a, b) v_multiply(a, b) v_fma(a, b, c)
 *   v_load_part(p, n)              the first n of 1 ... VECTOR_LENGTH elements only
 *   v_store_part(p, v, n)          likewise; v_store_constant_part(p, v, n) for a constant n
 *   v_transpose(rows, k, columns)  loads TRANSPOSED elements from k on of each of VECTOR_LENGTH
 *                                  pointers; columns[c] becomes element c of every row
 *   v_transpose_line               likewise for LINE elements, a line of the cache
 *   OCTET                          eight elements, with o_zero() o_load(p) o_store(p, o)
 *                                  o_fma(a, b, c)
 */
/* clang-format on */

#include <stddef.h>
#include <string.h>

#undef TILE_COLUMNS
#undef ALWAYS_INLINE
#undef LANES
#undef CACHE_LINE
#undef A_AHEAD
#undef B_AHEAD
#undef MATVEC_ROWS
#undef MATVEC_BLOCK_BYTES
#undef MATVEC_STEPS
#define TILE_COLUMNS (TILE_VECTORS * VECTOR_LENGTH)
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define CACHE_LINE 64
/* Steps that are fetched ahead: of a packed panel of a, which comes from the second-level cache,
 * and of one of b, since together with a long chain's a it does not always fit in the first. */
#define A_AHEAD 32
#define B_AHEAD 16
/* Chains that share a block of a long inner size. */
#define LANES 8
/* Matrix-vector products: rows whose chains are interleaved to hide the latency of fma; bytes of
 * the sums of a chain, on the stack; steps taken for one load of a sum. */
#define MATVEC_ROWS 8
#define MATVEC_BLOCK_BYTES 32768
#define MATVEC_STEPS 8

ALWAYS_INLINE int64_t GEMM(chain_length)(const kael_gemm_chains *chains, int64_t chain) {
    return chains->length + (chain < chains->longer);
}

/* The chains that have steps come first. Loops end after them instead of testing each: gcc turns
 * `if (has_steps) sum += x` into adding a zero, which loses -0. */
ALWAYS_INLINE int64_t GEMM(nonempty_chains)(const kael_gemm_chains *chains) {
    return chains->length > 0 ? chains->count : chains->longer;
}

/* ---- Tiles. `rows` and `vectors` are constants wherever these are inlined. ---- */

ALWAYS_INLINE void GEMM(clear)(int rows, int vectors, VECTOR sums[TILE_ROWS][TILE_VECTORS]) {
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < vectors; ++j) {
            sums[i][j] = v_zero();
        }
    }
}

/* Whether vector j of a row has only the first of its columns. */
ALWAYS_INLINE bool GEMM(is_partial)(int j, int vectors, int64_t last_count) {
    return j == vectors - 1 && last_count != VECTOR_LENGTH;
}

/* sums = c + sums */
ALWAYS_INLINE void GEMM(add_tile)(int rows, int vectors, VECTOR sums[TILE_ROWS][TILE_VECTORS],
                                  int64_t last_count, const kael_gemm_tile *tile) {
    const ELEMENT *c = tile->data;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < vectors; ++j) {
            const ELEMENT *source = c + j * VECTOR_LENGTH;
            sums[i][j] =
                v_add(GEMM(is_partial)(j, vectors, last_count) ? v_load_part(source, last_count)
                                                               : v_load(source),
                      sums[i][j]);
        }
        c += tile->row_stride;
    }
}

/* c = c + alpha * sums, with c = 0 if it `is_fresh`; the last vector of a row holds the last
 * 1 ... VECTOR_LENGTH columns. All is loaded before anything is stored: a load of a part of a
 * vector would wait for the store of the part before it. */
ALWAYS_INLINE void GEMM(finish)(int rows, int vectors, VECTOR sums[TILE_ROWS][TILE_VECTORS],
                                ELEMENT alpha, bool is_fresh, const kael_gemm_tile *tile) {
    if (alpha != 1) {
        const VECTOR scale = v_broadcast(alpha);
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < vectors; ++j) {
                sums[i][j] = v_multiply(scale, sums[i][j]);
            }
        }
    }
    const int64_t last_count = tile->columns - (int64_t)(vectors - 1) * VECTOR_LENGTH;
    if (is_fresh) {
        for (int i = 0; i < rows; ++i) {
            for (int j = 0; j < vectors; ++j) {
                sums[i][j] = v_add(v_zero(), sums[i][j]);
            }
        }
    } else {
        GEMM(add_tile)(rows, vectors, sums, last_count, tile);
    }
    ELEMENT *c = tile->data;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < vectors; ++j) {
            if (GEMM(is_partial)(j, vectors, last_count)) {
                v_store_part(c + j * VECTOR_LENGTH, sums[i][j], last_count);
            } else {
                v_store(c + j * VECTOR_LENGTH, sums[i][j]);
            }
        }
        c += tile->row_stride;
    }
}

/* The tile of c is wanted when the first chain ends. */
ALWAYS_INLINE void GEMM(prefetch_tile)(int rows, int vectors, const kael_gemm_tile *tile) {
    const ELEMENT *c = tile->data;
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < vectors; j += CACHE_LINE / (int)sizeof(VECTOR)) {
            __builtin_prefetch(c + i * tile->row_stride + j * VECTOR_LENGTH, 1, 3);
        }
    }
}

ALWAYS_INLINE void GEMM(prefetch_panels)(const ELEMENT *a, const ELEMENT *b) {
    __builtin_prefetch(a + A_AHEAD * TILE_ROWS, 0, 3);
    for (int j = 0; j < TILE_COLUMNS * (int)sizeof(ELEMENT); j += CACHE_LINE) {
        __builtin_prefetch((const char *)(b + B_AHEAD * TILE_COLUMNS) + j, 0, 3);
    }
}

ALWAYS_INLINE void GEMM(packed_step)(int rows, int vectors, const ELEMENT *a, const ELEMENT *b,
                                     const char *next, VECTOR sums[TILE_ROWS][TILE_VECTORS]) {
    VECTOR b_row[TILE_VECTORS];
    for (int j = 0; j < vectors; ++j) {
        b_row[j] = v_load(b + j * VECTOR_LENGTH);
    }
    for (int i = 0; i < rows; ++i) {
        const VECTOR a_element = v_broadcast(a[i]);
        for (int j = 0; j < vectors; ++j) {
            sums[i][j] = v_fma(a_element, b_row[j], sums[i][j]);
        }
    }
    if (PREFETCH_PANELS) {
        GEMM(prefetch_panels)(a, b);
    }
    __builtin_prefetch(next, 0, 2);
}

ALWAYS_INLINE void GEMM(packed_tile)(int rows, int vectors, const kael_gemm_chains *chains,
                                     const ELEMENT *a, const ELEMENT *b, ELEMENT alpha,
                                     const char *next, const kael_gemm_tile *tile) {
    GEMM(prefetch_tile)(rows, vectors, tile);
    for (int64_t chain = 0; chain < GEMM(nonempty_chains)(chains); ++chain) {
        const int64_t length = GEMM(chain_length)(chains, chain);
        VECTOR sums[TILE_ROWS][TILE_VECTORS];
        GEMM(clear)(rows, vectors, sums);
        int64_t k = 0;
        /* Fewer additions of addresses, which compete with fma for the same units. */
        for (; k + TILE_UNROLL <= length; k += TILE_UNROLL) {
            for (int step = 0; step < TILE_UNROLL; ++step) {
                GEMM(packed_step)
                (rows, vectors, a + step * TILE_ROWS, b + step * TILE_COLUMNS,
                 next + step * CACHE_LINE, sums);
            }
            a += TILE_UNROLL * TILE_ROWS;
            b += TILE_UNROLL * TILE_COLUMNS;
            next += TILE_UNROLL * CACHE_LINE;
        }
        for (; k < length; ++k) {
            GEMM(packed_step)(rows, vectors, a, b, next, sums);
            a += TILE_ROWS;
            b += TILE_COLUMNS;
            next += CACHE_LINE;
        }
        GEMM(finish)(rows, vectors, sums, alpha, false, tile);
    }
}

/* Rows of a are reached from every third one, so that the addresses need few registers. */
ALWAYS_INLINE void GEMM(direct_tile)(int rows, int vectors, const kael_gemm_chains *chains,
                                     int64_t step, const kael_gemm_operand *a,
                                     const kael_gemm_operand *b, ELEMENT alpha, bool c_is_zero,
                                     const kael_gemm_tile *tile) {
    const int64_t last_count = tile->columns - (int64_t)(vectors - 1) * VECTOR_LENGTH;
    const bool whole = last_count == VECTOR_LENGTH;
    const int64_t a_stride = a->stride;
    const int64_t a_step = step * a->k_stride;
    const int64_t b_step = step * b->k_stride;
    for (int64_t chain = 0; chain < GEMM(nonempty_chains)(chains); ++chain) {
        const int64_t length = GEMM(chain_length)(chains, chain);
        const ELEMENT *a_rows[TILE_ROWS];
        const ELEMENT *b_row = (const ELEMENT *)b->data + chain * b->k_stride;
        for (int i = 0; i < rows; i += 3) {
            a_rows[i / 3] = (const ELEMENT *)a->data + chain * a->k_stride + i * a_stride;
        }
        VECTOR sums[TILE_ROWS][TILE_VECTORS];
        GEMM(clear)(rows, vectors, sums);
        for (int64_t k = 0;;) {
            VECTOR b_vectors[TILE_VECTORS];
            for (int j = 0; j < vectors; ++j) {
                const ELEMENT *source = b_row + j * VECTOR_LENGTH;
                b_vectors[j] =
                    j < vectors - 1 || whole ? v_load(source) : v_load_part(source, last_count);
            }
            for (int i = 0; i < rows; ++i) {
                const VECTOR a_element = v_broadcast(a_rows[i / 3][i % 3 * a_stride]);
                for (int j = 0; j < vectors; ++j) {
                    sums[i][j] = v_fma(a_element, b_vectors[j], sums[i][j]);
                }
            }
            if (++k == length) {
                break;
            }
            for (int i = 0; i < rows; i += 3) {
                a_rows[i / 3] += a_step;
            }
            b_row += b_step;
        }
        GEMM(finish)(rows, vectors, sums, alpha, c_is_zero && chain == 0, tile);
    }
}

/* Makes TILE_CALL(rows, vectors) with constants for the tile's rows and its number of vectors. */
#define TILE_VECTORS_UP_TO(n) (TILE_VECTORS < (n) ? TILE_VECTORS : (n))
#define TILE_CASE_1(rows)                                                                          \
    case rows:                                                                                     \
        TILE_CALL(rows, 1);                                                                        \
        break;
#define TILE_CASE_2(rows)                                                                          \
    case rows:                                                                                     \
        TILE_CALL(rows, TILE_VECTORS_UP_TO(2));                                                    \
        break;
#define TILE_CASE_3(rows)                                                                          \
    case rows:                                                                                     \
        TILE_CALL(rows, TILE_VECTORS_UP_TO(3));                                                    \
        break;
#define TILE_CASE_4(rows)                                                                          \
    case rows:                                                                                     \
        TILE_CALL(rows, TILE_VECTORS_UP_TO(4));                                                    \
        break;
#define TILE_DISPATCH                                                                              \
    const int64_t vectors = (tile->columns + VECTOR_LENGTH - 1) / VECTOR_LENGTH;                   \
    if (vectors == 1) {                                                                            \
        switch (tile->rows) { TILE_ROW_CASES(TILE_CASE_1) }                                        \
    } else if (TILE_VECTORS > 1 && vectors == 2) {                                                 \
        switch (tile->rows) { TILE_ROW_CASES(TILE_CASE_2) }                                        \
    } else if (TILE_VECTORS > 2 && vectors == 3) {                                                 \
        switch (tile->rows) { TILE_ROW_CASES(TILE_CASE_3) }                                        \
    } else if (TILE_VECTORS > 3) {                                                                 \
        switch (tile->rows) { TILE_ROW_CASES(TILE_CASE_4) }                                        \
    }

static void GEMM(packed)(const kael_gemm_chains *chains, const void *a, const void *b,
                         const void *alpha, const void *next, const kael_gemm_tile *tile) {
    const ELEMENT scale = *(const ELEMENT *)alpha;
#define TILE_CALL(rows, vectors) GEMM(packed_tile)(rows, vectors, chains, a, b, scale, next, tile)
    TILE_DISPATCH
#undef TILE_CALL
}

static void GEMM(direct)(const kael_gemm_chains *chains, int64_t step, const kael_gemm_operand *a,
                         const kael_gemm_operand *b, const void *alpha, bool c_is_zero,
                         const kael_gemm_tile *tile) {
    const ELEMENT scale = *(const ELEMENT *)alpha;
#define TILE_CALL(rows, vectors)                                                                   \
    GEMM(direct_tile)(rows, vectors, chains, step, a, b, scale, c_is_zero, tile)
    TILE_DISPATCH
#undef TILE_CALL
}

#undef TILE_CASE_1
#undef TILE_CASE_2
#undef TILE_CASE_3
#undef TILE_CASE_4
#undef TILE_VECTORS_UP_TO
#undef TILE_DISPATCH

/* ---- Packing ---- */

/* Where the chains of a list begin in a panel; `cursors` go on to the next step of each. */
ALWAYS_INLINE void GEMM(panel_cursors)(ELEMENT *cursors[LANES], ELEMENT *panel, int64_t panel_width,
                                       const kael_gemm_chains *chains) {
    for (int64_t chain = 0; chain < chains->count; ++chain) {
        cursors[chain] = panel;
        panel += panel_width * GEMM(chain_length)(chains, chain);
    }
}

static void GEMM(pack_any)(ELEMENT *panel, int64_t panel_width, int64_t width,
                           const kael_gemm_operand *source, const kael_gemm_chains *chains,
                           int64_t step) {
    for (int64_t chain = 0; chain < chains->count; ++chain) {
        const int64_t length = GEMM(chain_length)(chains, chain);
        const ELEMENT *column = (const ELEMENT *)source->data + chain * source->k_stride;
        for (int64_t k = 0; k < length; ++k) {
            for (int64_t i = 0; i < width; ++i) {
                panel[i] = column[i * source->stride];
            }
            for (int64_t i = width; i < panel_width; ++i) {
                panel[i] = 0;
            }
            panel += panel_width;
            if (k + 1 < length) {
                column += step * source->k_stride;
            }
        }
    }
}

/* Whole panels whose elements of one k lie side by side: all panels at a time, so that a visit to a
 * row of the source reads a long piece of it, and chain after chain, so that few places are written
 * at a time. `width` is a constant. */
ALWAYS_INLINE void GEMM(pack_rows)(int64_t count, ELEMENT *panels, int64_t panel_stride, int width,
                                   const kael_gemm_operand *source,
                                   const kael_gemm_chains *chains) {
    for (int64_t chain = 0; chain < GEMM(nonempty_chains)(chains); ++chain) {
        const int64_t length = GEMM(chain_length)(chains, chain);
        const ELEMENT *row = (const ELEMENT *)source->data + chain * source->k_stride;
        for (int64_t k = 0;;) {
            for (int64_t panel = 0; panel < count; ++panel) {
                memcpy(panels + panel * panel_stride, row + panel * width,
                       (size_t)width * sizeof(ELEMENT));
            }
            panels += width;
            if (++k == length) {
                break;
            }
            row += chains->count * source->k_stride;
        }
    }
}

/* Stores the first `count` of a vector's elements, a constant. */
ALWAYS_INLINE void GEMM(store_first)(int count, ELEMENT *target, VECTOR vector) {
    if (count == VECTOR_LENGTH) {
        v_store(target, vector);
    } else {
        v_store_constant_part(target, vector, count);
    }
}

/* A whole panel whose elements of one row lie side by side in k: blocks of VECTOR_LENGTH rows are
 * transposed in registers. `width` is a constant. */
ALWAYS_INLINE void GEMM(pack_columns)(ELEMENT *panel, int width, const kael_gemm_operand *source,
                                      const kael_gemm_chains *chains) {
    const int64_t steps = chains->count * chains->length + chains->longer;
    for (int first = 0; first < width; first += VECTOR_LENGTH) {
        const int count = width - first < VECTOR_LENGTH ? width - first : VECTOR_LENGTH;
        ELEMENT *cursors[LANES];
        const ELEMENT *rows[VECTOR_LENGTH];
        GEMM(panel_cursors)(cursors, panel + first, width, chains);
        for (int i = 0; i < VECTOR_LENGTH; ++i) {
            const int row = i < count ? i : count - 1;
            rows[i] = (const ELEMENT *)source->data + (first + row) * source->stride;
        }
        int64_t chain = 0;
        int64_t k = 0;
        for (; k + LINE <= steps; k += LINE) {
            VECTOR columns[LINE];
            v_transpose_line(rows, k, columns);
            for (int c = 0; c < LINE; ++c) {
                GEMM(store_first)(count, cursors[chain], columns[c]);
                cursors[chain] += width;
                chain = chain + 1 == chains->count ? 0 : chain + 1;
            }
        }
        for (; k + TRANSPOSED <= steps; k += TRANSPOSED) {
            VECTOR columns[TRANSPOSED];
            v_transpose(rows, k, columns);
            for (int c = 0; c < TRANSPOSED; ++c) {
                GEMM(store_first)(count, cursors[chain], columns[c]);
                cursors[chain] += width;
                chain = chain + 1 == chains->count ? 0 : chain + 1;
            }
        }
        for (; k < steps; ++k) {
            for (int i = 0; i < count; ++i) {
                cursors[chain][i] = rows[i][k];
            }
            cursors[chain] += width;
            chain = chain + 1 == chains->count ? 0 : chain + 1;
        }
    }
}

/* As many whole panels as there are; `width` is a constant. Returns the indices that were packed.
 */
ALWAYS_INLINE int64_t GEMM(pack_whole)(ELEMENT *panels, int64_t panel_stride, int width,
                                       int64_t indices, const kael_gemm_operand *source,
                                       const kael_gemm_chains *chains) {
    const int64_t count = indices / width;
    if (source->stride == 1) {
        GEMM(pack_rows)(count, panels, panel_stride, width, source, chains);
        return count * width;
    }
    for (int64_t panel = 0; panel < count; ++panel) {
        const kael_gemm_operand rows = {
            .data = (const ELEMENT *)source->data + panel * width * source->stride,
            .stride = source->stride,
            .k_stride = source->k_stride,
        };
        GEMM(pack_columns)(panels + panel * panel_stride, width, &rows, chains);
    }
    return count * width;
}

static void GEMM(pack)(void *panels, int64_t panel_stride, int64_t panel_width, int64_t indices,
                       const kael_gemm_operand *source, const kael_gemm_chains *chains,
                       int64_t step) {
    int64_t packed = 0;
    if (step == chains->count && step <= LANES && (source->stride == 1 || source->k_stride == 1)) {
        switch (panel_width) {
#define PACK_CASE(width)                                                                           \
    case width:                                                                                    \
        packed = GEMM(pack_whole)(panels, panel_stride, width, indices, source, chains);           \
        break;
            PACK_WIDTHS(PACK_CASE)
#undef PACK_CASE
        default:
            break;
        }
    }
    for (; packed < indices; packed += panel_width) {
        const int64_t width = indices - packed < panel_width ? indices - packed : panel_width;
        const kael_gemm_operand rest = {
            .data = (const ELEMENT *)source->data + packed * source->stride,
            .stride = source->stride,
            .k_stride = source->k_stride,
        };
        GEMM(pack_any)
        ((ELEMENT *)panels + packed / panel_width * panel_stride, panel_width, width, &rest, chains,
         step);
    }
}

/* ---- Matrix times vector ---- */

/* Adds the finished lanes of one row to its result, in order. */
ALWAYS_INLINE void GEMM(finish_row)(const ELEMENT *lanes, const kael_gemm_chains *chains,
                                    ELEMENT alpha, ELEMENT *out) {
    ELEMENT total = *out;
    const int64_t count = GEMM(nonempty_chains)(chains);
    for (int64_t chain = 0; chain < count; ++chain) {
        total += alpha * lanes[chain];
    }
    *out = total;
}

/* `rows` rows, each contiguous along k, eight chains each: an octet of k is a step of all chains.
 */
ALWAYS_INLINE void GEMM(dot_octets)(int rows, const kael_gemm_chains *chains, const ELEMENT *a,
                                    int64_t stride, const ELEMENT *x, ELEMENT alpha, ELEMENT *out,
                                    int64_t out_stride) {
    OCTET sums[MATVEC_ROWS];
    for (int i = 0; i < rows; ++i) {
        sums[i] = o_zero();
    }
    for (int64_t k = 0; k < chains->length * LANES; k += LANES) {
        const OCTET factor = o_load(x + k);
        for (int i = 0; i < rows; ++i) {
            sums[i] = o_fma(o_load(a + i * stride + k), factor, sums[i]);
        }
    }
    const int64_t rest = chains->length * LANES;
    for (int i = 0; i < rows; ++i) {
        ELEMENT lanes[LANES];
        o_store(lanes, sums[i]);
        for (int64_t lane = 0; lane < chains->longer; ++lane) {
            lanes[lane] = scalar_fma(a[i * stride + rest + lane], x[rest + lane], lanes[lane]);
        }
        GEMM(finish_row)(lanes, chains, alpha, out + i * out_stride);
    }
}

static void GEMM(matvec_octets)(int64_t rows, const kael_gemm_chains *chains, const ELEMENT *a,
                                int64_t stride, const ELEMENT *x, ELEMENT alpha, ELEMENT *out,
                                int64_t out_stride) {
    int64_t i = 0;
    for (; i + MATVEC_ROWS <= rows; i += MATVEC_ROWS) {
        GEMM(dot_octets)
        (MATVEC_ROWS, chains, a + i * stride, stride, x, alpha, out + i * out_stride, out_stride);
    }
    for (; i < rows; ++i) {
        GEMM(dot_octets)
        (1, chains, a + i * stride, stride, x, alpha, out + i * out_stride, out_stride);
    }
}

/* Rows contiguous along k, one chain each: a vector holds a chain of each of its rows. */
ALWAYS_INLINE void GEMM(dot_transposed)(int blocks, int64_t count, int64_t length, const ELEMENT *a,
                                        int64_t stride, const ELEMENT *x, ELEMENT alpha,
                                        ELEMENT *out, int64_t out_stride) {
    enum { MOST_BLOCKS = 4 };
    const ELEMENT *rows[MOST_BLOCKS][VECTOR_LENGTH];
    VECTOR sums[MOST_BLOCKS];
    for (int block = 0; block < blocks; ++block) {
        sums[block] = v_zero();
        for (int64_t i = 0; i < VECTOR_LENGTH; ++i) {
            const int64_t row = block * VECTOR_LENGTH + i;
            rows[block][i] = a + (row < count ? row : count - 1) * stride;
        }
    }
    int64_t k = 0;
    for (; k + TRANSPOSED <= length; k += TRANSPOSED) {
        for (int block = 0; block < blocks; ++block) {
            VECTOR columns[TRANSPOSED];
            v_transpose(rows[block], k, columns);
            for (int c = 0; c < TRANSPOSED; ++c) {
                sums[block] = v_fma(columns[c], v_broadcast(x[k + c]), sums[block]);
            }
        }
    }
    for (int block = 0; block < blocks; ++block) {
        ELEMENT lanes[VECTOR_LENGTH];
        v_store(lanes, sums[block]);
        for (int64_t i = 0; i < VECTOR_LENGTH && block * VECTOR_LENGTH + i < count; ++i) {
            for (int64_t c = 0; k + c < length; ++c) {
                lanes[i] = scalar_fma(rows[block][i][k + c], x[k + c], lanes[i]);
            }
            out[(block * VECTOR_LENGTH + i) * out_stride] += alpha * lanes[i];
        }
    }
}

static void GEMM(matvec_transposed)(int64_t rows, int64_t length, const ELEMENT *a, int64_t stride,
                                    const ELEMENT *x, ELEMENT alpha, ELEMENT *out,
                                    int64_t out_stride) {
    int64_t i = 0;
    for (; i + 4 * VECTOR_LENGTH <= rows; i += 4 * VECTOR_LENGTH) {
        GEMM(dot_transposed)
        (4, 4 * VECTOR_LENGTH, length, a + i * stride, stride, x, alpha, out + i * out_stride,
         out_stride);
    }
    for (; i < rows; i += VECTOR_LENGTH) {
        const int64_t count = rows - i < VECTOR_LENGTH ? rows - i : VECTOR_LENGTH;
        GEMM(dot_transposed)
        (1, count, length, a + i * stride, stride, x, alpha, out + i * out_stride, out_stride);
    }
}

/* sums[i] takes `steps` steps of its chain, a constant: columns of a that are column_step apart. */
ALWAYS_INLINE void GEMM(add_columns)(int steps, int64_t rows, const ELEMENT *column,
                                     int64_t column_step, const ELEMENT *x, int64_t x_step,
                                     ELEMENT *sums) {
    VECTOR factors[MATVEC_STEPS];
    for (int step = 0; step < steps; ++step) {
        factors[step] = v_broadcast(x[step * x_step]);
    }
    int64_t i = 0;
    for (; i + VECTOR_LENGTH <= rows; i += VECTOR_LENGTH) {
        VECTOR sum = v_load(sums + i);
        for (int step = 0; step < steps; ++step) {
            sum = v_fma(v_load(column + step * column_step + i), factors[step], sum);
        }
        v_store(sums + i, sum);
    }
    if (i < rows) {
        VECTOR sum = v_load(sums + i);
        for (int step = 0; step < steps; ++step) {
            const ELEMENT *source = column + step * column_step + i;
            sum = v_fma(v_load_part(source, rows - i), factors[step], sum);
        }
        v_store(sums + i, sum);
    }
}

/* Rows side by side at every k: the columns of one chain stream through while the sums of a block
 * of rows stay in the caches. Blocks are long, because the first lines of every column are waited
 * for. As many steps as registers allow are taken for one load and store of the sums. */
static void GEMM(matvec_columns)(int64_t rows, const kael_gemm_chains *chains, const ELEMENT *a,
                                 int64_t k_stride, const ELEMENT *x, ELEMENT alpha, ELEMENT *out,
                                 int64_t out_stride) {
    enum { BLOCK = MATVEC_BLOCK_BYTES / sizeof(ELEMENT) };
    const int64_t step = chains->count;
    for (int64_t first = 0; first < rows; first += BLOCK) {
        const int64_t block = rows - first < BLOCK ? rows - first : BLOCK;
        for (int64_t chain = 0; chain < GEMM(nonempty_chains)(chains); ++chain) {
            const int64_t length = GEMM(chain_length)(chains, chain);
            ELEMENT sums[BLOCK];
            memset(sums, 0, (size_t)block * sizeof *sums);
            int64_t k = 0;
            for (; k + MATVEC_STEPS <= length; k += MATVEC_STEPS) {
                const int64_t at = chain + k * step;
                GEMM(add_columns)
                (MATVEC_STEPS, block, a + first + at * k_stride, step * k_stride, x + at, step,
                 sums);
            }
            for (; k < length; ++k) {
                const int64_t at = chain + k * step;
                GEMM(add_columns)(1, block, a + first + at * k_stride, 0, x + at, 0, sums);
            }
            for (int64_t i = 0; i < block; ++i) {
                out[(first + i) * out_stride] += alpha * sums[i];
            }
        }
    }
}

static void GEMM(matvec_any)(int64_t rows, const kael_gemm_chains *chains, int64_t step,
                             const kael_gemm_operand *a, const ELEMENT *x, ELEMENT alpha,
                             ELEMENT *out, int64_t out_stride) {
    for (int64_t i = 0; i < rows; ++i) {
        const ELEMENT *row = (const ELEMENT *)a->data + i * a->stride;
        for (int64_t chain = 0; chain < GEMM(nonempty_chains)(chains); ++chain) {
            const int64_t length = GEMM(chain_length)(chains, chain);
            ELEMENT sum = 0;
            for (int64_t p = 0; p < length; ++p) {
                const int64_t k = chain + p * step;
                sum = scalar_fma(row[k * a->k_stride], x[k], sum);
            }
            out[i * out_stride] += alpha * sum;
        }
    }
}

static void GEMM(matvec)(int64_t rows, const kael_gemm_chains *chains, int64_t step,
                         const kael_gemm_operand *a, const void *x, const void *alpha, void *out,
                         int64_t out_stride) {
    const ELEMENT scale = *(const ELEMENT *)alpha;
    const bool all_chains = step == chains->count;
    if (all_chains && step == LANES && a->k_stride == 1) {
        GEMM(matvec_octets)(rows, chains, a->data, a->stride, x, scale, out, out_stride);
    } else if (all_chains && step == 1 && a->k_stride == 1) {
        const int64_t length = GEMM(chain_length)(chains, 0);
        if (length > 0) {
            GEMM(matvec_transposed)(rows, length, a->data, a->stride, x, scale, out, out_stride);
        }
    } else if (all_chains && step <= LANES && a->stride == 1) {
        GEMM(matvec_columns)(rows, chains, a->data, a->k_stride, x, scale, out, out_stride);
    } else {
        GEMM(matvec_any)(rows, chains, step, a, x, scale, out, out_stride);
    }
}

extern const kael_gemm_kernel GEMM_RECORD;
const kael_gemm_kernel GEMM_RECORD = {
    .name = GEMM_NAME,
    .element_size = sizeof(ELEMENT),
    .mr = TILE_ROWS,
    .nr = TILE_COLUMNS,
    .kc = GEMM_KC,
    .packed = GEMM(packed),
    .direct = GEMM(direct),
    .pack = GEMM(pack),
    .matvec = GEMM(matvec),
};

#undef GEMM
#undef GEMM_RECORD
#undef GEMM_NAME
#undef GEMM_KC
#undef TILE_ROWS
#undef TILE_ROW_CASES
#undef TILE_VECTORS
#undef PACK_WIDTHS
#undef PREFETCH_PANELS
#undef TILE_UNROLL
