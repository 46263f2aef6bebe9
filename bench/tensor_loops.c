/* Timing loops for tensor_ratio.py: calls of kael's functions, hand-written loops over memory, and
 * malloc. They run here so that the interpreter takes no part in what is timed. */
#define _POSIX_C_SOURCE 200809L

#include "tensor_loops.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "kael/kael.h"

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One kind of function: how it is called. A new result is released at once, unless it is kept. */
#define CALL(kind, type, arguments)                                                                \
    case kind: {                                                                                   \
        type;                                                                                      \
        function_type *function = (function_type *)call->function;                                 \
        for (int64_t i = 0; i < repeats && status == KAEL_OK; ++i) {                               \
            kael_tensor *out = call->out;                                                          \
            status = function arguments;                                                           \
            if (kept != NULL) {                                                                    \
                *kept = out;                                                                       \
            } else if (call->out == NULL) {                                                        \
                kael_tensor_release(out);                                                          \
            }                                                                                      \
        }                                                                                          \
        break;                                                                                     \
    }

typedef kael_status loss_function(kael_tensor **, const kael_tensor *, const kael_tensor *,
                                  const kael_loss_options *);
typedef kael_status layer_norm_function(kael_tensor **, const kael_tensor *, int64_t,
                                        const kael_tensor *, const kael_tensor *, double);

static kael_status loss_gradient(loss_function *function, kael_tensor **out,
                                 const tensor_call *call) {
    kael_tensor *loss;
    kael_status status = function(&loss, call->a, call->b, NULL);
    if (status == KAEL_OK) {
        status = kael_backward(loss);
        kael_tensor_release(loss);
    }
    if (status == KAEL_OK) {
        status = kael_tensor_grad(out, call->a);
    }
    return status == KAEL_OK ? kael_tensor_zero_grad((kael_tensor *)(uintptr_t)call->a) : status;
}

static kael_status repeat(const tensor_call *call, int64_t repeats, kael_tensor **kept) {
    kael_status status = KAEL_OK;
    switch (call->kind) {
        CALL(CALL_UNARY, typedef kael_status function_type(kael_tensor **, const kael_tensor *),
             (&out, call->a))
        CALL(CALL_UNARY_INTO, typedef kael_status function_type(kael_tensor *, const kael_tensor *),
             (out, call->a))
        CALL(CALL_BINARY,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *,
                                               const kael_tensor *),
             (&out, call->a, call->b))
        CALL(CALL_BINARY_INTO,
             typedef kael_status function_type(kael_tensor *, const kael_tensor *,
                                               const kael_tensor *),
             (out, call->a, call->b))
        CALL(CALL_CONVERT,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, kael_dtype),
             (&out, call->a, (kael_dtype)call->number))
        CALL(CALL_VIEW,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, int64_t,
                                               int64_t),
             (&out, call->a, 0, 1))
        CALL(CALL_REDUCE,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, int64_t,
                                               const int64_t *, bool),
             (&out, call->a, call->number == ALL_DIMS ? 0 : 1,
              call->number == ALL_DIMS ? NULL : &call->number, false))
        CALL(CALL_VARIANCE,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, int64_t,
                                               const int64_t *, bool, double),
             (&out, call->a, call->number == ALL_DIMS ? 0 : 1,
              call->number == ALL_DIMS ? NULL : &call->number, false, 1))
        CALL(CALL_ARG,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, int64_t, bool),
             (&out, call->a, call->number, false))
        CALL(CALL_INDEX,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, int64_t,
                                               const kael_tensor *),
             (&out, call->a, call->number, call->b))
        CALL(CALL_RANDOM_FLOATS_INTO,
             typedef kael_status function_type(kael_tensor *, kael_generator *, double, double),
             (out, call->generator, 0, 1))
        CALL(CALL_RANDOM_INTEGERS_INTO,
             typedef kael_status function_type(kael_tensor *, kael_generator *, int64_t, int64_t),
             (out, call->generator, 0, call->number))
        CALL(CALL_PERMUTATION,
             typedef kael_status function_type(kael_tensor **, kael_generator *, int64_t),
             (&out, call->generator, call->number))
        CALL(CALL_ALONG,
             typedef kael_status function_type(kael_tensor **, const kael_tensor *, int64_t),
             (&out, call->a, call->number))
        CALL(CALL_LAYER_NORM, typedef layer_norm_function function_type,
             (&out, call->a, 1, call->b, call->b, 1e-5))
        CALL(CALL_LOSS, typedef loss_function function_type, (&out, call->a, call->b, NULL))
    case CALL_LOSS_GRADIENT:
        for (int64_t i = 0; i < repeats && status == KAEL_OK; ++i) {
            kael_tensor *gradient = NULL;
            status = loss_gradient((loss_function *)call->function, &gradient, call);
            if (kept != NULL) {
                *kept = gradient;
            } else {
                kael_tensor_release(gradient);
            }
        }
        break;
    default:
        status = KAEL_ERROR_VALUE;
    }
    return status;
}

double time_calls(const tensor_call *call, int64_t repeats) {
    const double start = now();
    return repeat(call, repeats, NULL) == KAEL_OK ? now() - start : -1;
}

kael_tensor *result_of_call(const tensor_call *call) {
    kael_tensor *result = NULL;
    if (repeat(call, 1, &result) != KAEL_OK) {
        return NULL;
    }
    return call->out != NULL ? kael_tensor_retain(result) : result;
}

/* Loops that stream through memory, compiled for the best instruction set of the machine. */
#if defined(__x86_64__) && defined(__GNUC__)
#define CLONED __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CLONED
#endif

typedef struct stream_range {
    const stream_loop *loop;
    int64_t first;
    int64_t last;
} stream_range;

#define PLAIN_LOOP(name, in_type, out_type, expression)                                            \
    CLONED static void name(const stream_range *range) {                                           \
        const in_type *restrict a = range->loop->a;                                                \
        const in_type *restrict b = range->loop->b;                                                \
        out_type *restrict out = range->loop->out;                                                 \
        (void)b;                                                                                   \
        for (int64_t i = range->first; i < range->last; ++i) {                                     \
            out[i] = expression;                                                                   \
        }                                                                                          \
    }
PLAIN_LOOP(plain_copy, float, float, a[i])
PLAIN_LOOP(plain_relu, float, float, a[i] > 0 ? a[i] : 0)
PLAIN_LOOP(plain_add, float, float, a[i] + b[i])
PLAIN_LOOP(plain_cast, float, double, (double)a[i])

/* Adds as many independent sums as hide the latency of an addition. */
CLONED static void plain_read(const stream_range *range) {
    enum { SUMS = 128 };
    const float *a = range->loop->a;
    float sums[SUMS] = {0};
    for (int64_t i = range->first; i + SUMS <= range->last; i += SUMS) {
        for (int64_t k = 0; k < SUMS; ++k) {
            sums[k] += a[i + k];
        }
    }
    volatile float sink = 0;
    for (int64_t k = 0; k < SUMS; ++k) {
        sink = sink + sums[k];
    }
}

/* The same with stores that go past the caches; ranges begin at multiples of 64 bytes. */
#ifdef __SSE2__
#define STREAM_LOOP(name, plain, body)                                                             \
    static void name(const stream_range *range) {                                                  \
        const float *a = range->loop->a;                                                           \
        const float *b = range->loop->b;                                                           \
        void *out = range->loop->out;                                                              \
        (void)b;                                                                                   \
        int64_t i = range->first;                                                                  \
        for (; i + 4 <= range->last; i += 4) {                                                     \
            body                                                                                   \
        }                                                                                          \
        _mm_sfence();                                                                              \
        const stream_range rest = {range->loop, i, range->last};                                   \
        plain(&rest);                                                                              \
    }
STREAM_LOOP(stream_copy, plain_copy, { _mm_stream_ps((float *)out + i, _mm_loadu_ps(a + i)); })
STREAM_LOOP(stream_relu, plain_relu,
            { _mm_stream_ps((float *)out + i, _mm_max_ps(_mm_loadu_ps(a + i), _mm_setzero_ps())); })
STREAM_LOOP(stream_add, plain_add, {
    _mm_stream_ps((float *)out + i, _mm_add_ps(_mm_loadu_ps(a + i), _mm_loadu_ps(b + i)));
})
STREAM_LOOP(stream_cast, plain_cast, {
    const __m128 four = _mm_loadu_ps(a + i);
    _mm_stream_pd((double *)out + i, _mm_cvtps_pd(four));
    _mm_stream_pd((double *)out + i + 2, _mm_cvtps_pd(_mm_movehl_ps(four, four)));
})
#else
#define stream_copy NULL
#define stream_relu NULL
#define stream_add NULL
#define stream_cast NULL
#endif

typedef void stream_function(const stream_range *range);

static stream_function *const stream_functions[STREAM_KINDS][2] = {
    [STREAM_COPY] = {plain_copy, stream_copy}, [STREAM_RELU] = {plain_relu, stream_relu},
    [STREAM_ADD] = {plain_add, stream_add},    [STREAM_CAST] = {plain_cast, stream_cast},
    [STREAM_READ] = {plain_read, NULL},
};

static void run_stream(stream_function *function, const stream_loop *loop) {
    const int64_t chunk = (loop->count / loop->threads + 63) & -INT64_C(64);
#pragma omp parallel for num_threads((int)loop->threads) schedule(static)
    for (int64_t thread = 0; thread < loop->threads; ++thread) {
        const int64_t first = thread * chunk < loop->count ? thread * chunk : loop->count;
        const int64_t last = first + chunk < loop->count ? first + chunk : loop->count;
        const stream_range range = {loop, first, last};
        function(&range);
    }
}

double time_stream(const stream_loop *loop, int64_t repeats) {
    stream_function *function = stream_functions[loop->kind][loop->past_caches != 0];
    if (function == NULL) {
        return -1;
    }
    const double start = now();
    for (int64_t i = 0; i < repeats; ++i) {
        if (loop->threads == 1) {
            const stream_range range = {loop, 0, loop->count};
            function(&range);
        } else {
            run_stream(function, loop);
        }
        __asm__ volatile("" ::: "memory");
    }
    return now() - start;
}

static void touch_pages(char *memory, int64_t bytes) {
    enum { PAGE = 4096 };
    for (int64_t i = 0; i < bytes; i += PAGE) {
        *(volatile char *)(memory + i) = 1;
    }
}

double time_malloc(int64_t bytes, int touch, int64_t repeats) {
    const double start = now();
    for (int64_t i = 0; i < repeats; ++i) {
        char *memory = malloc((size_t)bytes);
        if (memory == NULL) {
            return -1;
        }
        __asm__ volatile("" : "+r"(memory) : : "memory");
        if (touch) {
            touch_pages(memory, bytes);
        }
        free(memory);
    }
    return now() - start;
}

double time_tensor_empty(int64_t bytes, int touch, int64_t repeats) {
    const double start = now();
    for (int64_t i = 0; i < repeats; ++i) {
        kael_tensor *tensor;
        if (kael_tensor_empty(&tensor, KAEL_U8, 1, &bytes) != KAEL_OK) {
            return -1;
        }
        if (touch) {
            touch_pages(kael_tensor_data(tensor), bytes);
        }
        kael_tensor_release(tensor);
    }
    return now() - start;
}
