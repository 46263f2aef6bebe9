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

kernel_suite check_gemm_kernels;

/* Checks one record that is in no table, such as a backend's. */
void check_gemm_record(kernel_check *check, const char *isa, const kael_gemm_kernel *kernel,
                       int64_t element_size);

#endif
