/* The loops of elementwise kernels. */
#ifndef KAEL_KERNELS_ELEMENTWISE_LOOPS_H
#define KAEL_KERNELS_ELEMENTWISE_LOOPS_H

#include "kernels/vectorize.h"

/* `count` is a variable because outputs may be of any type, also that of loop->inner. */
#define KAEL_ROW(operand) ((void *)(loop->data[operand] + row * loop->outer_strides[operand]))

#define KAEL_UNARY_LOOP(function, OUT, X, element)                                                 \
    static void function(const kael_loop *loop, const void *parameters) {                          \
        (void)parameters;                                                                          \
        const int64_t count = loop->inner;                                                         \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            OUT *const out = KAEL_ROW(0);                                                          \
            const X *const xs = KAEL_ROW(1);                                                       \
            KAEL_INDEPENDENT_ITERATIONS                                                            \
            for (int64_t i = 0; i < count; ++i) {                                                  \
                const X x = xs[i];                                                                 \
                (void)x;                                                                           \
                out[i] = (OUT)(element);                                                           \
            }                                                                                      \
        }                                                                                          \
    }

#define KAEL_BINARY_LOOP(function, OUT, A, B, element)                                             \
    static void function(const kael_loop *loop, const void *parameters) {                          \
        (void)parameters;                                                                          \
        const int64_t count = loop->inner;                                                         \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            OUT *const out = KAEL_ROW(0);                                                          \
            const A *const as = KAEL_ROW(1);                                                       \
            const B *const bs = KAEL_ROW(2);                                                       \
            if (loop->inner_strides[1] == 0) {                                                     \
                const A a = as[0];                                                                 \
                KAEL_INDEPENDENT_ITERATIONS                                                        \
                for (int64_t i = 0; i < count; ++i) {                                              \
                    const B b = bs[i];                                                             \
                    out[i] = (OUT)(element);                                                       \
                }                                                                                  \
            } else if (loop->inner_strides[2] == 0) {                                              \
                const B b = bs[0];                                                                 \
                KAEL_INDEPENDENT_ITERATIONS                                                        \
                for (int64_t i = 0; i < count; ++i) {                                              \
                    const A a = as[i];                                                             \
                    out[i] = (OUT)(element);                                                       \
                }                                                                                  \
            } else {                                                                               \
                KAEL_INDEPENDENT_ITERATIONS                                                        \
                for (int64_t i = 0; i < count; ++i) {                                              \
                    const A a = as[i];                                                             \
                    const B b = bs[i];                                                             \
                    out[i] = (OUT)(element);                                                       \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#define KAEL_TERNARY_LOOP(function, OUT, A, B, C, element)                                         \
    static void function(const kael_loop *loop, const void *parameters) {                          \
        (void)parameters;                                                                          \
        const int64_t count = loop->inner;                                                         \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            OUT *const out = KAEL_ROW(0);                                                          \
            const A *const as = KAEL_ROW(1);                                                       \
            const B *const bs = KAEL_ROW(2);                                                       \
            const C *const cs = KAEL_ROW(3);                                                       \
            KAEL_INDEPENDENT_ITERATIONS                                                            \
            for (int64_t i = 0; i < count; ++i) {                                                  \
                const A a = as[i];                                                                 \
                const B b = bs[i];                                                                 \
                const C c = cs[i];                                                                 \
                out[i] = (OUT)(element);                                                           \
            }                                                                                      \
        }                                                                                          \
    }

#endif
