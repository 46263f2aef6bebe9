/* The oracle itself: its blocks and lanes by hand, and that its inputs tell wrong orders apart. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "matmul_fixture.h"

Test(MatmulOracle, CutsTheInnerSizeAsDefined) {
    static const struct {
        int64_t k;
        int64_t length;
        int64_t lanes;
    } cuts[] = {
        {1, 1, 1},       {511, 511, 1},   {512, 512, 8},     {513, 520, 8},   {2047, 2048, 8},
        {2048, 2048, 8}, {2049, 1032, 8}, {4096, 2048, 8},   {4097, 1368, 8}, {4100, 1368, 8},
        {6144, 2048, 8}, {6145, 1544, 8}, {100003, 2048, 8},
    };
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
        cr_expect(oracle_block_length(cuts[i].k) == cuts[i].length, "length of %lld: %lld",
                  (long long)cuts[i].k, (long long)oracle_block_length(cuts[i].k));
        cr_expect(oracle_lane_count(cuts[i].k) == cuts[i].lanes);
    }
}

/* Products 1, u, u, ... with u = 2^-24 = half an ulp of 1: a chain that starts with 1 loses every
 * u, one without it keeps them all. */
Test(MatmulOracle, AddsLanesInTheOrderOfTheDefinition) {
    enum { SHORT_K = 511, LONG_K = 512 };
    float a[LONG_K];
    float b[LONG_K];
    for (int k = 0; k < LONG_K; ++k) {
        a[k] = k == 0 ? 1.0f : 0x1p-24f;
        b[k] = 1.0f;
    }
    float out = 0;
    matmul_problem problem = matmul_contiguous(1, SHORT_K, 1, a, b, &out);
    oracle_gemm(MATMUL_F32, &problem);
    cr_expect(out == 1.0f, "one chain: %a", (double)out);

    /* Lane 0 gives 1; seven lanes of 64 u each add 64 u = 2^-18 exactly. */
    out = 0;
    problem = matmul_contiguous(1, LONG_K, 1, a, b, &out);
    oracle_gemm(MATMUL_F32, &problem);
    cr_expect(out == 1.0f + 7 * 0x1p-18f, "eight lanes: %a", (double)out);
}

Test(MatmulOracle, RoundsOncePerStepAndOncePerScaling) {
    /* (1 + 2^-12)^2 - 1 = 2^-11 + 2^-24 needs the unrounded product. */
    const float a[2] = {-1.0f, 1.0f + 0x1p-12f};
    const float b[2] = {1.0f, 1.0f + 0x1p-12f};
    float out = 0;
    matmul_problem problem = matmul_contiguous(1, 2, 1, a, b, &out);
    oracle_gemm(MATMUL_F32, &problem);
    cr_expect(out == 0x1p-11f + 0x1p-24f, "fused: %a", (double)out);

    /* alpha * sum = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11 before -1 - 2^-11 is added. */
    const float factor = 1.0f + 0x1p-12f;
    const float one = 1.0f;
    out = -1.0f - 0x1p-11f;
    problem = matmul_contiguous(1, 1, 1, &factor, &one, &out);
    problem.alpha = (double)factor;
    oracle_gemm(MATMUL_F32, &problem);
    cr_expect(out == 0.0f, "scaled: %a", (double)out);
}

Test(MatmulOracle, EmptyChainsKeepTheSignOfZero) {
    double out = -0.0;
    matmul_problem problem = matmul_contiguous(1, 0, 1, NULL, NULL, &out);
    oracle_gemm(MATMUL_F64, &problem);
    cr_expect(out == 0 && signbit(out));

    const double zero = 0;
    oracle_add_chain(MATMUL_F64, &out, 1, &zero, 0, &zero, 0, 0);
    cr_expect(signbit(out));
    oracle_add_chain(MATMUL_F64, &out, 1, &zero, 0, &zero, 0, 1);
    cr_expect(!signbit(out));
}

/* Comparing bits proves nothing where every order gives the same ones. */
Test(MatmulOracle, CancellingInputsTellOrdersApart) {
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        const matmul_shape shape = {4, 2100, 8};
        const int64_t count = shape.rows * shape.columns;
        void *a = new_filled(type, shape.rows * shape.inner, MATMUL_CANCELLING, 1);
        void *b = new_filled(type, shape.inner * shape.columns, MATMUL_CANCELLING, 2);
        void *out = new_constant(type, count, 0);
        void *defined = run_oracle(type, &shape, a, b, out);
        int64_t different = 0;
        for (int64_t i = 0; i < count; ++i) {
            const void *row = matmul_const_at(type, a, i / shape.columns * shape.inner);
            const void *column = matmul_const_at(type, b, i % shape.columns);
            oracle_add_chain(type, matmul_at(type, out, i), 1, row, 1, column, shape.columns,
                             shape.inner);
            different += matmul_bits(type, out, i) != matmul_bits(type, defined, i);
        }
        cr_expect(2 * different > count, "%s: only %lld of %lld differ from a single chain",
                  matmul_type_name(type), (long long)different, (long long)count);
        free(a);
        free(b);
        free(out);
        free(defined);
    }
}
