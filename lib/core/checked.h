/* Overflow-checked size arithmetic: each returns false on overflow. */
#ifndef KAEL_CORE_CHECKED_H
#define KAEL_CORE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool kael_checked_add(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_add_overflow(a, b, result);
}

static inline bool kael_checked_subtract(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_sub_overflow(a, b, result);
}

static inline bool kael_checked_multiply(int64_t a, int64_t b, int64_t *result) {
    return !__builtin_mul_overflow(a, b, result);
}

static inline int64_t kael_ceil_div(int64_t a, int64_t b) {
    return a / b + (a % b != 0);
}

static inline int64_t kael_round_up(int64_t a, int64_t multiple) {
    return kael_ceil_div(a, multiple) * multiple;
}

static inline int64_t kael_min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t kael_max_i64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

#endif
