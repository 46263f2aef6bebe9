/* Which way the dispatch goes shows in nothing but time. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "kael/cpu.h"
#include "kael/linalg.h"
#include "matmul_fixture.h"

/* Sizes on both sides of every switch between the direct, matrix-vector and packed ways. */
Test(MatmulDispatch, EveryWayHasTheDefinedBits) {
    static const int64_t sizes[] = {1, 2, 5, 8, 16, 31, 32, 33, 63, 64, 65, 100};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (int64_t i = 0; i < SIZES * SIZES * SIZES; ++i) {
        const matmul_shape shape = {sizes[i % SIZES], sizes[i / SIZES % SIZES],
                                    sizes[i / SIZES / SIZES]};
        const matmul_type type = i % 2 == 0 ? MATMUL_F32 : MATMUL_F64;
        void *a = new_filled(type, shape.rows * shape.inner, MATMUL_CANCELLING, 1);
        void *b = new_filled(type, shape.inner * shape.columns, MATMUL_CANCELLING, 2);
        void *out = new_filled(type, shape.rows * shape.columns, MATMUL_CANCELLING, 3);
        void *expected = run_oracle(type, &shape, a, b, out);
        void *actual = run_version(&matmul_dispatch, type, &shape, a, b, out);
        expect_same_bits(type, actual, expected, shape.rows * shape.columns,
                         "%" PRId64 " x %" PRId64 " x %" PRId64, shape.rows, shape.inner,
                         shape.columns);
        free(a);
        free(b);
        free(out);
        free(expected);
        free(actual);
    }
}

/* KAEL_ISA names the set in use wherever the machine has it, so that suites run once per forced set
 * really test each. */
Test(MatmulDispatch, K59_TheForcedInstructionSetIsInUse) {
    const char *forced = getenv("KAEL_ISA");
    const char *in_use = kael_cpu_isa();
    cr_assert(in_use != NULL, "%s", kael_last_error_message());
    const char *best = NULL;
    bool available = forced == NULL;
    for (const kael_kernels *const *set = kael_kernels_supported(); *set != NULL; ++set) {
        best = (*set)->name;
        available = available || strcmp(best, forced) == 0;
    }
    cr_assert(best != NULL);
    if (available) {
        cr_expect(strcmp(in_use, forced == NULL ? best : forced) == 0, "%s is in use", in_use);
    } else {
        cr_expect(strcmp(in_use, best) == 0 || strcmp(in_use, "generic") == 0, "%s is in use",
                  in_use);
    }
}

static void expect_products_fail(bool only_threaded, const char *words) {
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        const double operand[4] = {0};
        double out[4] = {1, 2, 3, 4};
        const double before[4] = {1, 2, 3, 4};
        const kael_matmul_sizes sizes = {2, 2, 2};
        const matmul_problem problem = matmul_contiguous(2, 2, 2, operand, operand, out);
        for (int v = 0; v < MATMUL_VERSION_COUNT; ++v) {
            if (only_threaded ? matmul_versions[v].threaded : matmul_versions[v].defined_bits) {
                expect_error(matmul_versions[v].call[type](operand, operand, out, &sizes),
                             KAEL_ERROR_VALUE, words, matmul_versions[v].name);
            }
        }
        expect_error(library_gemm(type, &problem), KAEL_ERROR_VALUE, words, "gemm");
        cr_expect(memcmp(out, before, sizeof out) == 0, "the output changed");
    }
}

Test(MatmulDispatch, AnUnknownInstructionSetIsAnErrorOfEveryProduct) {
    setenv("KAEL_ISA", "sse9", 1);
    expect_products_fail(false, "KAEL_ISA sse9");
}

Test(MatmulDispatch, ABadThreadCountIsAnErrorOfEveryThreadedProduct) {
    setenv("KAEL_NUM_THREADS", "4x", 1);
    expect_products_fail(true, "KAEL_NUM_THREADS 4x");
}

/* BLIS's own product, for comparison: right within rounding, or an error that names the option. */
Test(MatmulDispatch, BlisIsThereOrNamesItsOption) {
    static const matmul_shape shape = {65, 257, 31};
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        const int64_t count = shape.rows * shape.columns;
        void *a = new_filled(type, shape.rows * shape.inner, MATMUL_INTEGERS, 1);
        void *b = new_filled(type, shape.inner * shape.columns, MATMUL_INTEGERS, 2);
        void *out = new_filled(type, count, MATMUL_INTEGERS, 3);
        void *expected =
            KAEL_TEST_HAS_BLIS ? run_oracle(type, &shape, a, b, out) : new_copy(type, out, count);
        const kael_matmul_sizes sizes = {shape.rows, shape.inner, shape.columns};
        const kael_status status = matmul_blis.call[type](a, b, out, &sizes);
        if (KAEL_TEST_HAS_BLIS) {
            expect_ok(status, "blis");
        } else {
            expect_error(status, KAEL_ERROR_UNSUPPORTED, "-Dkernels=blis", "blis");
        }
        expect_same_bits(type, out, expected, count, "blis");
        free(a);
        free(b);
        free(out);
        free(expected);
    }
}
