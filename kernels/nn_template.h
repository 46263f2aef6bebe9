/* The kernels of nn.h for one element type. Included once per type by nn_set.h, which defines
 *   T     the element type
 *   TYPE  its name, f32 or f64
 *   SQRT  the square root
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

/* Without weight decay and Nesterov's step. */
static void NAME(sgd_plain)(int64_t count, T rate, T momentum, const T *g, T *v, T *p) {
#if HAS_EXACT_PRODUCTS
    /* Volatile, lest the compiler sees that they are floats and multiplies them as floats. */
    const volatile double wide_rate = (double)rate;
    const volatile double wide_momentum = (double)momentum;
#endif
    for (int64_t i = 0; i < count; i += KAEL_NN_CHUNK) {
        const int64_t size = count - i < KAEL_NN_CHUNK ? count - i : KAEL_NN_CHUNK;
#if HAS_EXACT_PRODUCTS
        if (NAME(any_tiny)(size, v + i)) {
            NAME(sgd_block_of_tiny)(size, wide_rate, wide_momentum, g + i, v + i, p + i);
            continue;
        }
#endif
        NAME(sgd_block)(size, rate, momentum, g + i, v + i, p + i);
    }
}

static void NAME(sgd)(int64_t count, const kael_descent_step *step, const void *gradient,
                      void *velocity, void *parameter) {
    const T rate = (T)step->learning_rate;
    const T momentum = (T)step->momentum;
    const T decay = (T)step->weight_decay;
    const bool is_nesterov = step->is_nesterov;
    const T *g = gradient;
    T *v = velocity;
    T *p = parameter;
    if (decay == 0 && !is_nesterov) {
        NAME(sgd_plain)(count, rate, momentum, g, v, p);
        return;
    }
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        const T slope = decay == 0 ? g[i] : g[i] + decay * p[i];
        v[i] = momentum * v[i] + slope;
        p[i] -= rate * (is_nesterov ? slope + momentum * v[i] : v[i]);
    }
}

static void NAME(adam)(int64_t count, const kael_descent_step *step, const void *gradient,
                       void *first, void *second, void *parameter) {
    const T beta1 = (T)step->beta1;
    const T beta2 = (T)step->beta2;
    const T rest1 = (T)(1 - step->beta1);
    const T rest2 = (T)(1 - step->beta2);
    const T eps = (T)step->eps;
    const T size = (T)step->step_size;
    const T factor = (T)step->second_factor;
    const T decay = step->is_decoupled ? 0 : (T)step->weight_decay;
    const T kept = step->is_decoupled ? (T)(1 - step->learning_rate * step->weight_decay) : 1;
    const T *g = gradient;
    T *m = first;
    T *v = second;
    T *p = parameter;
    KAEL_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < count; ++i) {
        const T slope = decay == 0 ? g[i] : g[i] + decay * p[i];
        m[i] = beta1 * m[i] + rest1 * slope;
        v[i] = beta2 * v[i] + rest2 * slope * slope;
        p[i] = p[i] * kept - size * (m[i] / (SQRT(v[i]) * factor + eps));
    }
}

extern const kael_nn_kernels KAEL_NN_JOIN(NAME(kael_nn), SET);
const kael_nn_kernels KAEL_NN_JOIN(NAME(kael_nn), SET) = {
    .relu_backward = NAME(relu_backward),
    .add_bias = NAME(add_bias),
    .sgd = NAME(sgd),
    .adam = NAME(adam),
};

#undef NAME
