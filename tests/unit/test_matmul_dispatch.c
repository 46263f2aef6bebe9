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
#include "kael/tensor.h"
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

static kael_tensor *square_of(kael_dtype dtype, int64_t size, const int64_t *numbers) {
    kael_tensor *tensor = NULL;
    expect_ok(kael_tensor_empty(&tensor, dtype, 2, (const int64_t[]){size, size}), "empty");
    for (int64_t i = 0; i < size * size; ++i) {
        const int64_t indices[] = {i / size, i % size};
        expect_ok(kael_tensor_set_i64(tensor, indices, numbers[i]), "set");
    }
    return tensor;
}

static int64_t element_of(const kael_tensor *tensor, int64_t row, int64_t column) {
    int64_t value = 0;
    expect_ok(kael_tensor_get_i64(&value, tensor, (const int64_t[]){row, column}), "get");
    return value;
}

/* Numbers that no double holds, in a matrix far beyond the size of the small ways. */
Test(MatmulDispatch, LargeIntegerMatrixStillUsesExactArithmetic) {
    enum { SIZE = 100 };
    const int64_t large = (INT64_C(1) << 60) + 1;
    static int64_t numbers[SIZE * SIZE];
    static int64_t identity[SIZE * SIZE];
    for (int64_t i = 0; i < SIZE * SIZE; ++i) {
        numbers[i] = i % 2 == 0 ? large - i : i - large;
        identity[i] = i % (SIZE + 1) == 0;
    }
    kael_tensor *a = square_of(KAEL_I64, SIZE, numbers);
    kael_tensor *b = square_of(KAEL_I64, SIZE, identity);
    kael_tensor *out = NULL;
    expect_ok(kael_matmul(&out, a, b), "kael_matmul");
    for (int64_t i = 0; i < SIZE * SIZE; ++i) {
        const int64_t value = element_of(out, i / SIZE, i % SIZE);
        cr_expect(value == numbers[i], "%" PRId64 ", not %" PRId64, value, numbers[i]);
    }
    kael_tensor_release(a);
    kael_tensor_release(b);
    kael_tensor_release(out);
}

/* Sums and products wrap in the dtype of the result. */
Test(MatmulDispatch, IntegerProductsWrap) {
    static const struct {
        kael_dtype dtype;
        int64_t lowest;
        int64_t highest;
    } rows[] = {{KAEL_I8, INT8_MIN, INT8_MAX},
                {KAEL_I16, INT16_MIN, INT16_MAX},
                {KAEL_I32, INT32_MIN, INT32_MAX},
                {KAEL_I64, INT64_MIN, INT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const int64_t lowest = rows[i].lowest;
        const int64_t highest = rows[i].highest;
        kael_tensor *a =
            square_of(rows[i].dtype, 2, (const int64_t[]){highest, highest, lowest, 1});
        kael_tensor *b = square_of(rows[i].dtype, 2, (const int64_t[]){2, highest, 2, -1});
        kael_tensor *out = NULL;
        expect_ok(kael_matmul(&out, a, b), "kael_matmul");
        cr_expect(kael_tensor_dtype(out) == rows[i].dtype);
        cr_expect(element_of(out, 0, 0) == -4);
        cr_expect(element_of(out, 0, 1) == lowest + 2);
        cr_expect(element_of(out, 1, 0) == 2);
        cr_expect(element_of(out, 1, 1) == highest);
        kael_tensor_release(a);
        kael_tensor_release(b);
        kael_tensor_release(out);
    }
}

Test(MatmulDispatch, BoolMatricesAreRejected) {
    kael_tensor *a = square_of(KAEL_BOOL, 2, (const int64_t[]){1, 0, 1, 1});
    kael_tensor *b = square_of(KAEL_I64, 2, (const int64_t[]){1, 2, 3, 4});
    kael_tensor *out = NULL;
    expect_error(kael_matmul(&out, a, a), KAEL_ERROR_DTYPE, "a bool", "bool times bool");
    expect_error(kael_matmul(&out, b, a), KAEL_ERROR_DTYPE, "b bool", "i64 times bool");
    cr_expect(out == NULL);
    kael_tensor_release(a);
    kael_tensor_release(b);
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
