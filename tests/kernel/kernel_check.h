/* Checks of kernels against the oracle: a plain program, so that it also runs under emulators and
 * the thread sanitizer. */
#ifndef KAEL_TESTS_KERNEL_CHECK_H
#define KAEL_TESTS_KERNEL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/kernels.h"

typedef struct kernel_check {
    bool quick; /* a thinner selection of cases, for emulators */
    int64_t kernels;
    int64_t cases;
    int64_t failures;
} kernel_check;

/* Names the case that runs next; the text is printed if it fails or crashes. */
__attribute__((format(printf, 2, 3))) void check_case(kernel_check *check, const char *format, ...);

/* The current case failed. */
__attribute__((format(printf, 2, 3))) void check_failed(kernel_check *check, const char *format,
                                                        ...);

/* Checks the kernels of one concept in a table of kernels. */
typedef void kernel_suite(kernel_check *check, const kael_kernels *kernels);

kernel_suite check_elementwise_kernels;
kernel_suite check_gemm_kernels;
kernel_suite check_nn_kernels;
kernel_suite check_reduce_kernels;

/* The matrix-product kernels taken from BLIS; there must be some. */
void check_blis_kernels(kernel_check *check);

#endif
