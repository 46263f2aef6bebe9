/* The kernel of copy.h that keeps the bytes of elements of one size. Included once per size by
 * copy_set.h; the includer defines
 *   SIZE  the bytes of an element
 *   T     an unsigned integer type of that size
 */
#define NAME(base) JOIN3(base, _, SIZE)
#define BLOCK_COLUMNS (16 / SIZE)
#define BLOCK_ROWS (BLOCK_COLUMNS * INTERLEAVE_LANES)

static KAEL_ALWAYS_INLINE T NAME(load)(const char *in) {
    return *(const T *)(const void *)in;
}

static KAEL_ALWAYS_INLINE void NAME(store)(char *out, T value) {
    *(T *)(void *)out = value;
}

/* Inlined with constant strides, so that compilers turn the common ones into vector code. */
static KAEL_ALWAYS_INLINE void NAME(copy_row)(int64_t count, char *out, int64_t out_stride,
                                              const char *in, int64_t in_stride) {
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        NAME(store)(out + i * out_stride, NAME(load)(in + i * in_stride));
    }
}

static KAEL_ALWAYS_INLINE void NAME(fill_row)(int64_t count, char *out, T value) {
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        NAME(store)(out + i * SIZE, value);
    }
}

static void NAME(copy_rows)(const kael_loop *loop) {
    const int64_t out_stride = loop->inner_strides[0];
    const int64_t in_stride = loop->inner_strides[1];
    for (int64_t row = 0; row < loop->outer; ++row) {
        char *out = loop->data[0] + row * loop->outer_strides[0];
        const char *in = loop->data[1] + row * loop->outer_strides[1];
        if (out_stride != SIZE) {
            NAME(copy_row)(loop->inner, out, out_stride, in, in_stride);
        } else if (in_stride == SIZE) {
            copy_bytes(loop->inner * SIZE, out, in);
        } else if (in_stride == 0) {
            NAME(fill_row)(loop->inner, out, NAME(load)(in));
        } else if (in_stride == -SIZE) {
            NAME(copy_row)(loop->inner, out, SIZE, in, -SIZE);
        } else if (in_stride == 2 * SIZE) {
            NAME(copy_row)(loop->inner, out, SIZE, in, 2 * SIZE);
        } else {
            NAME(copy_row)(loop->inner, out, SIZE, in, in_stride);
        }
    }
}

/* Interleaving the first half of the vectors with the second, as often as it takes to halve their
 * number to one, transposes each group of 16 bytes; the groups of a vector hold later rows. */
static KAEL_ALWAYS_INLINE void NAME(transpose_block)(const char *in, int64_t row_stride, char *out,
                                                     int64_t column_stride) {
    enum { HALF = BLOCK_COLUMNS / 2 };
    interleave_vector vectors[BLOCK_COLUMNS];
    for (int row = 0; row < BLOCK_COLUMNS; ++row) {
        vectors[row] = interleave_load(in + row * row_stride, BLOCK_COLUMNS * row_stride);
    }
    for (int left = BLOCK_COLUMNS; left > 1; left /= 2) {
        interleave_vector next[BLOCK_COLUMNS];
        for (int i = 0; i < HALF; ++i) {
            next[2 * i] = INTERLEAVE_LOW(SIZE)(vectors[i], vectors[i + HALF]);
            next[2 * i + 1] = INTERLEAVE_HIGH(SIZE)(vectors[i], vectors[i + HALF]);
        }
        for (int i = 0; i < BLOCK_COLUMNS; ++i) {
            vectors[i] = next[i];
        }
    }
    for (int column = 0; column < BLOCK_COLUMNS; ++column) {
        interleave_store(out + column * column_stride, vectors[column]);
    }
}

/* The part of a loop from here on. */
static inline kael_loop NAME(rest_of)(const kael_loop *loop, int64_t inner, int64_t outer) {
    kael_loop rest = *loop;
    rest.inner -= inner;
    rest.outer -= outer;
    for (int k = 0; k < 2; ++k) {
        rest.data[k] += inner * loop->inner_strides[k] + outer * loop->outer_strides[k];
    }
    return rest;
}

/* The output is dense along the inner dimension, the input along the outer one. The next tile is
 * probably the one that continues the rows of the input. */
static void NAME(transpose)(const kael_loop *loop) {
    const int64_t row_stride = loop->inner_strides[1];
    const int64_t column_stride = loop->outer_strides[0];
    const int64_t rows = loop->inner - loop->inner % BLOCK_ROWS;
    const int64_t columns = loop->outer - loop->outer % BLOCK_COLUMNS;
    for (int64_t row = 0; row < rows; row += BLOCK_ROWS) {
        fetch_ahead(BLOCK_ROWS, loop->data[1] + row * row_stride + loop->outer * SIZE, row_stride);
        for (int64_t column = 0; column < columns; column += BLOCK_COLUMNS) {
            NAME(transpose_block)
            (loop->data[1] + row * row_stride + column * SIZE, row_stride,
             loop->data[0] + column * column_stride + row * SIZE, column_stride);
        }
    }
    if (columns < loop->outer) {
        const kael_loop rest = NAME(rest_of)(loop, 0, columns);
        NAME(copy_rows)(&rest);
    }
    if (rows < loop->inner) {
        kael_loop rest = NAME(rest_of)(loop, rows, 0);
        rest.outer = columns;
        NAME(copy_rows)(&rest);
    }
}

static void NAME(copy)(const kael_loop *loop, const void *parameters) {
    (void)parameters;
    if (loop->inner_strides[0] == SIZE && loop->outer_strides[1] == SIZE &&
        loop->inner >= BLOCK_ROWS && loop->outer >= BLOCK_COLUMNS) {
        NAME(transpose)(loop);
    } else {
        NAME(copy_rows)(loop);
    }
}

static void NAME(stream)(const kael_loop *loop, const void *parameters) {
    if (loop->inner_strides[0] != SIZE || loop->inner_strides[1] != SIZE) {
        NAME(copy)(loop, parameters);
        return;
    }
    for (int64_t row = 0; row < loop->outer; ++row) {
        stream_bytes(loop->inner * SIZE, loop->data[0] + row * loop->outer_strides[0],
                     loop->data[1] + row * loop->outer_strides[1]);
    }
}

#undef BLOCK_ROWS
#undef BLOCK_COLUMNS
#undef NAME
