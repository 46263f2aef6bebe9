/* The kernels of nn.h for one element type. Included once per type by nn_set.h, which defines
 *   T     the element type
 *   TYPE  its name, f32 or f64
 *   HAS_EXACT_PRODUCTS  1 if products are exact in double
 *   SET   the name of the instruction set
 */
#define NAME(base) KAEL_NN_JOIN(base, TYPE)

static void NAME(relu_backward)(int64_t count, const void *output_gradient, const void *output,
                                void *gradient) {
    const T *dy = output_gradient;
    const T *y = output;
    T *dx = gradient;
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        dx[i] = y[i] > 0 ? dy[i] : 0;
    }
}

static void NAME(add_bias)(int64_t rows, int64_t columns, const void *bias, void *out,
                           int64_t row_stride) {
    const T *b = bias;
    for (int64_t i = 0; i < rows; ++i) {
        T *row = (T *)out + i * row_stride;
        KAEL_INDEPENDENT_ITERATIONS
        for (int64_t j = 0; j < columns; ++j) {
            row[j] += b[j];
        }
    }
}

/* The largest element that is not NaN; -inf if there is none. A NaN need not win here: it makes the
 * total of the exponentials, and with it every result of the row, NaN. */
static KAEL_ALWAYS_INLINE T NAME(row_max)(int64_t count, const T *row) {
    T lanes[KAEL_NN_WIDTH];
    for (int64_t lane = 0; lane < KAEL_NN_WIDTH; ++lane) {
        lanes[lane] = (T)-INFINITY;
    }
    int64_t i = 0;
    for (; i + KAEL_NN_WIDTH <= count; i += KAEL_NN_WIDTH) {
        for (int64_t lane = 0; lane < KAEL_NN_WIDTH; ++lane) {
            const T x = row[i + lane];
            lanes[lane] = x > lanes[lane] ? x : lanes[lane];
        }
    }
    T largest = (T)-INFINITY;
    for (int64_t lane = 0; lane < KAEL_NN_WIDTH; ++lane) {
        largest = lanes[lane] > largest ? lanes[lane] : largest;
    }
    for (; i < count; ++i) {
        largest = row[i] > largest ? row[i] : largest;
    }
    return largest;
}

/* Writes exp(row - largest) to exps, in whole vectors: the elements after the last are undefined.
 */
static KAEL_ALWAYS_INLINE void NAME(chunk_exp)(int64_t count, const T *row, T largest, T *exps) {
    for (int64_t i = 0; i < count; ++i) {
        exps[i] = row[i] - largest;
    }
    for (int64_t i = count; i % KAEL_NN_WIDTH != 0; ++i) {
        exps[i] = 0;
    }
    for (int64_t i = 0; i < count; i += KAEL_NN_WIDTH) {
        for (int64_t lane = 0; lane < KAEL_NN_WIDTH; ++lane) {
            exps[i + lane] = NAME(kael_exp)(exps[i + lane]);
        }
    }
}

/* The sum of exp(row - largest) over one block of the row; the terms go to `out` unless it is NULL.
 */
static KAEL_ALWAYS_INLINE double NAME(block_exp_sum)(int64_t count, const T *row, T largest,
                                                     T *out) {
    T exps[KAEL_NN_CHUNK];
    double lanes[KAEL_REDUCE_LANES] = {0};
    int64_t added = 0; /* of the latest chunk */
    int64_t size = 0;
    for (int64_t begin = 0; begin < count; begin += KAEL_NN_CHUNK) {
        size = count - begin < KAEL_NN_CHUNK ? count - begin : KAEL_NN_CHUNK;
        NAME(chunk_exp)(size, row + begin, largest, exps);
        if (out != NULL) {
            memcpy(out + begin, exps, (size_t)size * sizeof *exps);
        }
        for (added = 0; added + KAEL_REDUCE_LANES <= size; added += KAEL_REDUCE_LANES) {
            for (int64_t lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
                lanes[lane] += (double)exps[added + lane];
            }
        }
    }
    double total = 0;
    for (int64_t lane = 0; lane < KAEL_REDUCE_LANES; ++lane) {
        total += lanes[lane];
    }
    for (; added < size; ++added) {
        total += (double)exps[added];
    }
    return total;
}

static T NAME(exp_sum)(int64_t count, const T *row, T largest, T *out) {
    kael_nn_block_sums blocks = {0};
    for (int64_t begin = 0; begin < count; begin += KAEL_REDUCE_BLOCK) {
        const int64_t size = count - begin < KAEL_REDUCE_BLOCK ? count - begin : KAEL_REDUCE_BLOCK;
        kael_nn_block_sums_add(&blocks, NAME(block_exp_sum)(size, row + begin, largest,
                                                            out == NULL ? NULL : out + begin));
    }
    return (T)kael_nn_block_sums_total(&blocks);
}

static void NAME(cross_entropy)(int64_t count, const void *row, int64_t target, void *loss) {
    const T *x = row;
    const T largest = NAME(row_max)(count, x);
    const T total = NAME(exp_sum)(count, x, largest, NULL);
    *(T *)loss = NAME(kael_log)(total) - (x[target] - largest);
}

static void NAME(cross_entropy_backward)(int64_t count, const void *row, int64_t target,
                                         double row_gradient, void *gradient) {
    const T *x = row;
    T *dx = gradient;
    const T scale = (T)row_gradient;
    const T total = NAME(exp_sum)(count, x, NAME(row_max)(count, x), dx);
    for (int64_t i = 0; i < count; ++i) {
        dx[i] = dx[i] / total * scale;
    }
    dx[target] -= scale;
}

static KAEL_ALWAYS_INLINE void NAME(sgd_block)(int64_t count, T rate, T decay, const T *g, T *v,
                                               T *p) {
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        v[i] = decay * v[i] + g[i];
        p[i] -= rate * v[i];
    }
}

#if HAS_EXACT_PRODUCTS
/* Whether a number is so small, but not zero, that its products may be subnormal. */
static KAEL_ALWAYS_INLINE bool NAME(any_tiny)(int64_t count, const T *x) {
    uint32_t least = UINT32_MAX; /* magnitude's bits less one, so that zero is the largest */
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t magnitude = (kael_bits_f32(x[i]) & 0x7fffffffu) - 1;
        least = magnitude < least ? magnitude : least;
    }
    return least < kael_bits_f32(0x1p-90f);
}

/* The same results: the product of two floats is exact in double, and its conversion rounds as the
 * float product does. Processors multiply subnormal numbers many times slower than they convert
 * them. */
static KAEL_ALWAYS_INLINE void NAME(sgd_block_of_tiny)(int64_t count, double rate, double decay,
                                                       const T *g, T *v, T *p) {
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        v[i] = (T)(decay * (double)v[i]) + g[i];
        p[i] -= (T)(rate * (double)v[i]);
    }
}
#endif

static void NAME(sgd_step)(int64_t count, double learning_rate, double momentum,
                           const void *gradient, void *velocity, void *parameter) {
    const T rate = (T)learning_rate;
    const T decay = (T)momentum;
    const T *g = gradient;
    T *v = velocity;
    T *p = parameter;
#if HAS_EXACT_PRODUCTS
    /* Volatile, lest the compiler sees that they are floats and multiplies them as floats. */
    const volatile double wide_rate = (double)rate;
    const volatile double wide_decay = (double)decay;
#endif
    for (int64_t i = 0; i < count; i += KAEL_NN_CHUNK) {
        const int64_t size = count - i < KAEL_NN_CHUNK ? count - i : KAEL_NN_CHUNK;
#if HAS_EXACT_PRODUCTS
        if (NAME(any_tiny)(size, v + i)) {
            NAME(sgd_block_of_tiny)(size, wide_rate, wide_decay, g + i, v + i, p + i);
            continue;
        }
#endif
        NAME(sgd_block)(size, rate, decay, g + i, v + i, p + i);
    }
}

extern const kael_nn_kernels KAEL_NN_JOIN(NAME(kael_nn), SET);
const kael_nn_kernels KAEL_NN_JOIN(NAME(kael_nn), SET) = {
    .relu_backward = NAME(relu_backward),
    .add_bias = NAME(add_bias),
    .cross_entropy = NAME(cross_entropy),
    .cross_entropy_backward = NAME(cross_entropy_backward),
    .sgd_step = NAME(sgd_step),
};

#undef NAME
