/* What the tests of matrix products share. */
#ifndef KAEL_TESTS_MATMUL_FIXTURE_H
#define KAEL_TESTS_MATMUL_FIXTURE_H

#include <stdint.h>

#include "kael/status.h"
#include "oracle/matmul_compare.h"
#include "oracle/matmul_layouts.h"
#include "oracle/matmul_library.h"
#include "oracle/matmul_values.h"

typedef struct matmul_shape {
    int64_t rows;
    int64_t inner;
    int64_t columns;
} matmul_shape;

/* Arrays of exactly `count` elements, so that an address sanitizer sees the first byte too far. The
 * caller frees them. */
void *new_array(matmul_type type, int64_t count);
void *new_filled(matmul_type type, int64_t count, matmul_values values, uint64_t seed);
void *new_copy(matmul_type type, const void *array, int64_t count);
void *new_constant(matmul_type type, int64_t count, double value);

/* Operands of a gemm in given layouts, with the memory around their elements. */
typedef struct gemm_operands {
    void *a;
    void *b;
    void *c;
    void *expected; /* a copy of c for the oracle */
    int64_t c_count;
    matmul_problem problem;   /* on c */
    matmul_problem expecting; /* on expected */
} gemm_operands;

gemm_operands new_gemm(matmul_type type, const matmul_shape *shape, const matmul_layout layouts[3],
                       double alpha, double beta, matmul_values values);
void free_gemm(gemm_operands *operands);

/* Runs both and expects c and its surroundings to match; `what` describes the case. */
void expect_gemm_matches_oracle(matmul_type type, gemm_operands *operands, const char *what);

/* Runs a version on a copy of `out`; the caller frees the result. */
void *run_version(const matmul_version *version, matmul_type type, const matmul_shape *shape,
                  const void *a, const void *b, const void *out);

/* The oracle's result for row-major contiguous operands; the caller frees it. */
void *run_oracle(matmul_type type, const matmul_shape *shape, const void *a, const void *b,
                 const void *out);

__attribute__((format(printf, 5, 6))) void expect_same_bits(matmul_type type, const void *actual,
                                                            const void *expected, int64_t count,
                                                            const char *format, ...);

void expect_ok(kael_status status, const char *what);

/* The status is `expected` and the message holds each of the space-separated words as a word. */
void expect_error(kael_status status, kael_status expected, const char *words, const char *what);

void use_threads(int64_t count);

#endif
