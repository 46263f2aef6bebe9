/* Defines kael_elementwise_<type>_<set> for the integers, and those of comparisons of u64 with i64,
 * of one instruction set, whose elementwise_integer.c includes a header of interleave_stream,
 * defines SET and includes this. */
#ifndef KAEL_KERNELS_ELEMENTWISE_INTEGER_SET_H
#define KAEL_KERNELS_ELEMENTWISE_INTEGER_SET_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/elementwise.h"
#define KAEL_STREAMS 0
#include "kernels/elementwise_loops.h"

#define KAEL_ELEMENTWISE_JOIN_(a, b) a##_##b
#define KAEL_ELEMENTWISE_JOIN(a, b) KAEL_ELEMENTWISE_JOIN_(a, b)

#define IS_SIGNED 1
#define WIDE uint32_t

#define T int8_t
#define TYPE i8
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#define T int16_t
#define TYPE i16
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#define T int32_t
#define TYPE i32
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#undef WIDE
#define WIDE uint64_t

#define T int64_t
#define TYPE i64
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#undef WIDE
#undef IS_SIGNED
#define IS_SIGNED 0
#define WIDE uint32_t

#define T uint8_t
#define TYPE u8
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#define T uint16_t
#define TYPE u16
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#define T uint32_t
#define TYPE u32
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#undef WIDE
#define WIDE uint64_t

#define T uint64_t
#define TYPE u64
#include "kernels/elementwise_integer_template.h"
#undef TYPE
#undef T

#undef WIDE
#undef IS_SIGNED

/* A negative number is less than all that are unsigned. */
static inline int kael_equal_u64_i64(uint64_t a, int64_t b) {
    return (b >= 0) & (a == (uint64_t)b);
}

static inline int kael_less_u64_i64(uint64_t a, int64_t b) {
    return (b >= 0) & (a < (uint64_t)b);
}

static inline int kael_less_equal_u64_i64(uint64_t a, int64_t b) {
    return (b >= 0) & (a <= (uint64_t)b);
}

static inline int kael_equal_i64_u64(int64_t a, uint64_t b) {
    return kael_equal_u64_i64(b, a);
}

static inline int kael_less_i64_u64(int64_t a, uint64_t b) {
    return !kael_less_equal_u64_i64(b, a);
}

static inline int kael_less_equal_i64_u64(int64_t a, uint64_t b) {
    return !kael_less_u64_i64(b, a);
}

#define A uint64_t
#define B int64_t
#define TYPE u64_i64
#include "kernels/elementwise_mixed_template.h"
#undef TYPE
#undef B
#undef A

#define A int64_t
#define B uint64_t
#define TYPE i64_u64
#include "kernels/elementwise_mixed_template.h"
#undef TYPE
#undef B
#undef A

#endif
