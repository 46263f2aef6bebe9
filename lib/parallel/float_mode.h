/* The floating-point control state of a thread: rounding, denormals, traps. Sticky exception flags
 * are kept apart from it, so that taking over another thread's mode raises and clears nothing. */
#ifndef KAEL_PARALLEL_FLOAT_MODE_H
#define KAEL_PARALLEL_FLOAT_MODE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

#include <immintrin.h>

#define KAEL_MXCSR_FLAGS 0x3fU

typedef struct kael_float_mode {
    uint32_t mxcsr;
    uint16_t x87_control; /* long double, and what fegetround() reads */
} kael_float_mode;

static inline kael_float_mode kael_float_mode_get(void) {
    kael_float_mode mode = {.mxcsr = _mm_getcsr()};
    __asm__ volatile("fnstcw %0" : "=m"(mode.x87_control));
    return mode;
}

/* Makes the whole state `mode`, flags included; `now` is the present one. */
static inline void kael_float_mode_set(kael_float_mode now, kael_float_mode mode) {
    if (now.mxcsr != mode.mxcsr) {
        _mm_setcsr(mode.mxcsr);
    }
    if (now.x87_control != mode.x87_control) {
        __asm__ volatile("fldcw %0" : : "m"(mode.x87_control));
    }
}

/* Takes over the modes of `other` and keeps the flags of `now`, the present state. */
static inline void kael_float_mode_adopt(kael_float_mode now, kael_float_mode other) {
    other.mxcsr = (other.mxcsr & ~KAEL_MXCSR_FLAGS) | (now.mxcsr & KAEL_MXCSR_FLAGS);
    kael_float_mode_set(now, other);
}

#elif defined(__aarch64__)

typedef struct kael_float_mode {
    uint64_t control;
    uint64_t status;
} kael_float_mode;

static inline kael_float_mode kael_float_mode_get(void) {
    kael_float_mode mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode.control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(mode.status));
    return mode;
}

static inline void kael_float_mode_set(kael_float_mode now, kael_float_mode mode) {
    if (now.control != mode.control) {
        __asm__ volatile("msr fpcr, %0" : : "r"(mode.control));
    }
    if (now.status != mode.status) {
        __asm__ volatile("msr fpsr, %0" : : "r"(mode.status));
    }
}

static inline void kael_float_mode_adopt(kael_float_mode now, kael_float_mode other) {
    other.status = now.status;
    kael_float_mode_set(now, other);
}

#else

#include <fenv.h>

typedef struct kael_float_mode {
    int rounding;
    fexcept_t flags;
} kael_float_mode;

static inline kael_float_mode kael_float_mode_get(void) {
    kael_float_mode mode = {.rounding = fegetround()};
    fegetexceptflag(&mode.flags, FE_ALL_EXCEPT);
    return mode;
}

static inline void kael_float_mode_set(kael_float_mode now, kael_float_mode mode) {
    (void)now;
    fesetround(mode.rounding);
    fesetexceptflag(&mode.flags, FE_ALL_EXCEPT);
}

static inline void kael_float_mode_adopt(kael_float_mode now, kael_float_mode other) {
    other.flags = now.flags;
    kael_float_mode_set(now, other);
}

#endif

#endif
