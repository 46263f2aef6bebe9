/* The loops of elementwise kernels. The includer defines KAEL_STREAMS, whether the loop's output is
 * to be written past the caches; 0 where kernels never do that. */
#ifndef KAEL_KERNELS_ELEMENTWISE_LOOPS_H
#define KAEL_KERNELS_ELEMENTWISE_LOOPS_H

#include <stdint.h>
#include <string.h>

#include "kernels/vectorize.h"

/* Streamed elements are computed in groups of a few cache lines, long enough for compilers to see a
 * loop to vectorise. */
enum { KAEL_LINE_BYTES = 64, KAEL_STREAMED_BYTES = 4 * KAEL_LINE_BYTES };

/* `count` is a variable because outputs may be of any type, also that of loop->inner. */
#define KAEL_ROW(operand) ((void *)(loop->data[operand] + row * loop->outer_strides[operand]))

static KAEL_ALWAYS_INLINE void kael_stream_group(void *out, const void *group) {
    for (int64_t k = 0; k < KAEL_STREAMED_BYTES; k += (int64_t)sizeof(interleave_vector)) {
        interleave_vector vector;
        memcpy(&vector, (const char *)group + k, sizeof vector);
        interleave_stream((char *)out + k, vector);
    }
}

/* Elements before the first whole cache line, at most `count`. */
static inline int64_t kael_elements_before_line(const void *out, int64_t element_size,
                                                int64_t count) {
    const int64_t bytes = (int64_t)(-(uintptr_t)out % KAEL_LINE_BYTES);
    return bytes < count * element_size ? bytes / element_size : count;
}

/* out[i] = element for all i, where `operands` declares what the element is computed from. */
#define KAEL_EACH_ELEMENT(OUT, operands, element)                                                  \
    do {                                                                                           \
        int64_t begin = 0;                                                                         \
        if (KAEL_STREAMS) {                                                                        \
            enum { GROUP = KAEL_STREAMED_BYTES / sizeof(OUT) };                                    \
            const int64_t head = kael_elements_before_line(out, sizeof(OUT), count);               \
            for (int64_t i = 0; i < head; ++i) {                                                   \
                operands;                                                                          \
                out[i] = (OUT)(element);                                                           \
            }                                                                                      \
            for (begin = head; begin + GROUP <= count; begin += GROUP) {                           \
                OUT group[GROUP];                                                                  \
                KAEL_INDEPENDENT_ITERATIONS                                                        \
                for (int64_t k = 0; k < GROUP; ++k) {                                              \
                    const int64_t i = begin + k;                                                   \
                    operands;                                                                      \
                    group[k] = (OUT)(element);                                                     \
                }                                                                                  \
                kael_stream_group(out + begin, group);                                             \
            }                                                                                      \
        }                                                                                          \
        KAEL_INDEPENDENT_ITERATIONS                                                                \
        for (int64_t i = begin; i < count; ++i) {                                                  \
            operands;                                                                              \
            out[i] = (OUT)(element);                                                               \
        }                                                                                          \
    } while (0)

#define KAEL_UNARY_LOOP(function, OUT, X, element)                                                 \
    static void function(const kael_loop *loop, const void *parameters) {                          \
        (void)parameters;                                                                          \
        const int64_t count = loop->inner;                                                         \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            OUT *const out = KAEL_ROW(0);                                                          \
            const X *const xs = KAEL_ROW(1);                                                       \
            KAEL_EACH_ELEMENT(OUT, const X x = xs[i]; (void)x, element);                           \
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
                KAEL_EACH_ELEMENT(OUT, const B b = bs[i], element);                                \
            } else if (loop->inner_strides[2] == 0) {                                              \
                const B b = bs[0];                                                                 \
                KAEL_EACH_ELEMENT(OUT, const A a = as[i], element);                                \
            } else {                                                                               \
                KAEL_EACH_ELEMENT(OUT, const A a = as[i]; const B b = bs[i], element);             \
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
            KAEL_EACH_ELEMENT(OUT, const A a = as[i]; const B b = bs[i];                           \
                              const C c = cs[i], element);                                         \
        }                                                                                          \
    }

#endif
