#include "ops/input_check.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "kael/parallel.h"
#include "tensor/iterator.h"
#include "tensor/tensor.h"

/* Kernels that look for an element that breaks a rule, along any strides, and set the atomic_bool
 * that their parameter points to. The tensor stands in the output's place, since a walk has one. */
#define DEFINE_SEARCH(function, type, breaks)                                                      \
    static void function(const kael_loop *loop, const void *parameters) {                          \
        atomic_bool *const *found = parameters;                                                    \
        const int64_t count = loop->inner;                                                         \
        const int64_t stride = loop->inner_strides[0];                                             \
        unsigned any = 0;                                                                          \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            const char *first = loop->data[0] + row * loop->outer_strides[0];                      \
            if (stride == (int64_t)sizeof(type)) {                                                 \
                const type *elements = (const void *)first;                                        \
                for (int64_t i = 0; i < count; ++i) {                                              \
                    any |= elements[i] breaks;                                                     \
                }                                                                                  \
            } else {                                                                               \
                for (int64_t i = 0; i < count; ++i) {                                              \
                    any |= *(const type *)(const void *)(first + i * stride) breaks;               \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        if (any != 0) {                                                                            \
            atomic_store_explicit(*found, true, memory_order_relaxed);                             \
        }                                                                                          \
    }

DEFINE_SEARCH(find_zero_1, uint8_t, == 0)
DEFINE_SEARCH(find_zero_2, uint16_t, == 0)
DEFINE_SEARCH(find_zero_4, uint32_t, == 0)
DEFINE_SEARCH(find_zero_8, uint64_t, == 0)
DEFINE_SEARCH(find_negative_1, int8_t, < 0)
DEFINE_SEARCH(find_negative_2, int16_t, < 0)
DEFINE_SEARCH(find_negative_4, int32_t, < 0)
DEFINE_SEARCH(find_negative_8, int64_t, < 0)

static kael_loop_kernel *choose_search(kael_input_check check, kael_dtype dtype) {
    const bool for_zero = check == KAEL_CHECK_NOT_ZERO;
    switch (kael_dtype_size(dtype)) {
    case 1:
        return for_zero ? find_zero_1 : find_negative_1;
    case 2:
        return for_zero ? find_zero_2 : find_negative_2;
    case 4:
        return for_zero ? find_zero_4 : find_negative_4;
    default:
        return for_zero ? find_zero_8 : find_negative_8;
    }
}

kael_status kael_check_input(kael_input_check check, const char *name, const kael_tensor *input) {
    if (check == KAEL_CHECK_NOT_NEGATIVE &&
        !(input->dtype >= KAEL_I8 && input->dtype <= KAEL_I64)) {
        return KAEL_OK;
    }
    atomic_bool found;
    atomic_init(&found, false);
    atomic_bool *const pointer = &found;
    kael_iterator iterator;
    kael_iterator_init(&iterator, 1, &input);
    KAEL_TRY(kael_iterator_run_strided(&iterator, KAEL_ELEMENT_GRAIN,
                                       choose_search(check, input->dtype), (const void *)&pointer));
    if (!atomic_load_explicit(&found, memory_order_relaxed)) {
        return KAEL_OK;
    }
    return check == KAEL_CHECK_NOT_ZERO
               ? kael_error(KAEL_ERROR_ARITHMETIC, "%s of integers by zero", name)
               : kael_error(KAEL_ERROR_VALUE, "%s of integers with a negative exponent", name);
}
