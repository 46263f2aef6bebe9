/* The number of threads and how they divide the work leave no trace in the results. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdlib.h>

#include "matmul_fixture.h"

typedef struct thread_operands {
    void *a;
    void *b;
    void *out;
} thread_operands;

static thread_operands new_thread_operands(matmul_type type, const matmul_shape *shape) {
    return (thread_operands){
        .a = new_filled(type, shape->rows * shape->inner, MATMUL_CANCELLING, 31),
        .b = new_filled(type, shape->inner * shape->columns, MATMUL_CANCELLING, 32),
        .out = new_filled(type, shape->rows * shape->columns, MATMUL_CANCELLING, 33),
    };
}

static void free_thread_operands(thread_operands *o) {
    free(o->a);
    free(o->b);
    free(o->out);
}

static void expect_threads_agree(matmul_type type, const matmul_version *version,
                                 const matmul_shape *shape, const int64_t *threads,
                                 size_t thread_counts) {
    thread_operands o = new_thread_operands(type, shape);
    use_threads(1);
    void *single = run_version(version, type, shape, o.a, o.b, o.out);
    for (size_t i = 0; i < thread_counts; ++i) {
        use_threads(threads[i]);
        void *actual = run_version(version, type, shape, o.a, o.b, o.out);
        expect_same_bits(type, actual, single, shape->rows * shape->columns,
                         "%s of %" PRId64 " x %" PRId64 " x %" PRId64 ", %" PRId64 " threads",
                         version->name, shape->rows, shape->inner, shape->columns, threads[i]);
        free(actual);
    }
    free(single);
    free_thread_operands(&o);
}

static const int64_t all_counts[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const int64_t some_counts[] = {2, 3, 7, 16};

static matmul_shape threaded_shapes[] = {
    {130, 140, 150}, {129, 530, 101}, {257, 65, 300}, {3, 3000, 700}, {700, 3000, 3},
    {1, 3000, 900},  {900, 3000, 1},  {1, 70000, 1},  {33, 4100, 65}, {1000, 20, 500},
};

enum { THREADED_SHAPES = sizeof threaded_shapes / sizeof threaded_shapes[0] };

ParameterizedTestParameters(MatmulVersionsThreads, AnyThreadCountGivesTheSameBits) {
    return cr_make_param_array(matmul_shape, threaded_shapes, THREADED_SHAPES);
}

ParameterizedTest(const matmul_shape *shape, MatmulVersionsThreads,
                  AnyThreadCountGivesTheSameBits) {
    for (int type = 0; type < MATMUL_TYPE_COUNT; ++type) {
        expect_threads_agree((matmul_type)type, &matmul_threaded, shape, all_counts,
                             sizeof all_counts / sizeof all_counts[0]);
        expect_threads_agree((matmul_type)type, &matmul_dispatch, shape, some_counts,
                             sizeof some_counts / sizeof some_counts[0]);
    }
}

Test(MatmulVersionsThreads, EveryVersionHasTheOracleBitsOnThreads) {
    static const matmul_shape shape = {131, 530, 97};
    for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
        const matmul_type type = (matmul_type)t;
        thread_operands o = new_thread_operands(type, &shape);
        void *expected = run_oracle(type, &shape, o.a, o.b, o.out);
        for (int64_t threads = 1; threads <= 16; threads += 5) {
            use_threads(threads);
            for (int v = 0; v < MATMUL_VERSION_COUNT; ++v) {
                const matmul_version *version = &matmul_versions[v];
                if (version->defined_bits) {
                    void *actual = run_version(version, type, &shape, o.a, o.b, o.out);
                    expect_same_bits(type, actual, expected, shape.rows * shape.columns,
                                     "%s, %" PRId64 " threads", version->name, threads);
                    free(actual);
                }
            }
        }
        free(expected);
        free_thread_operands(&o);
    }
}

typedef struct partition {
    matmul_type type;
    matmul_shape shape;
    int64_t threads;
} partition;

static partition partitions[] = {
    {MATMUL_F32, {387, 513, 4100}, 4}, {MATMUL_F32, {1000, 257, 129}, 7},
    {MATMUL_F64, {1000, 257, 129}, 7}, {MATMUL_F32, {1024, 64, 512}, 8},
    {MATMUL_F64, {385, 300, 641}, 2},  {MATMUL_F32, {1025, 100, 257}, 16},
    {MATMUL_F64, {97, 1030, 1031}, 3}, {MATMUL_F32, {8, 2100, 3000}, 5},
    {MATMUL_F64, {3000, 2100, 8}, 13}, {MATMUL_F64, {511, 512, 513}, 11},
};

enum { PARTITIONS = sizeof partitions / sizeof partitions[0] };

ParameterizedTestParameters(MatmulThreadPartition, MatchesTheSingleThreadResultExactly) {
    return cr_make_param_array(partition, partitions, PARTITIONS);
}

ParameterizedTest(const partition *p, MatmulThreadPartition, MatchesTheSingleThreadResultExactly) {
    expect_threads_agree(p->type, &matmul_threaded, &p->shape, &p->threads, 1);
}

/* A long inner size on few outputs, and a matrix-vector product. */
Test(MatmulThreadPartition, K16_ThreadCountsChangedBetweenCalls) {
    static const matmul_shape shapes[] = {{3, 100003, 3}, {444, 56, 1}, {1, 56, 444}};
    static const int64_t threads[] = {1, 2, 3, 5, 8, 64, 2, 1};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const matmul_shape *shape = &shapes[s];
        const int64_t count = shape->rows * shape->columns;
        for (int t = 0; t < MATMUL_TYPE_COUNT; ++t) {
            const matmul_type type = (matmul_type)t;
            thread_operands o = new_thread_operands(type, shape);
            void *expected = run_oracle(type, shape, o.a, o.b, o.out);
            for (size_t i = 0; i < sizeof threads / sizeof threads[0]; ++i) {
                use_threads(threads[i]);
                void *threaded = run_version(&matmul_threaded, type, shape, o.a, o.b, o.out);
                void *dispatched = run_version(&matmul_dispatch, type, shape, o.a, o.b, o.out);
                expect_same_bits(type, threaded, expected, count, "v6, %" PRId64 " threads",
                                 threads[i]);
                expect_same_bits(type, dispatched, expected, count, "multiply, %" PRId64 " threads",
                                 threads[i]);
                free(threaded);
                free(dispatched);
            }
            free(expected);
            free_thread_operands(&o);
        }
    }
}

static void expect_sampled_bits(const matmul_shape *shape, const thread_operands *o,
                                const void *actual, int64_t samples) {
    matmul_problem problem =
        matmul_contiguous(shape->rows, shape->inner, shape->columns, o->a, o->b, o->out);
    for (int64_t s = 0; s < samples; ++s) {
        const uint64_t word = matmul_random(41, (uint64_t)s);
        const int64_t i = (int64_t)(word % (uint64_t)shape->rows);
        const int64_t j = (int64_t)((word >> 32) % (uint64_t)shape->columns);
        const float expected = (float)oracle_gemm_element(MATMUL_F32, &problem, i, j);
        const int64_t index = i * shape->columns + j;
        expect_same_bits(MATMUL_F32, matmul_const_at(MATMUL_F32, actual, index), &expected, 1,
                         "%" PRId64 " x %" PRId64 " x %" PRId64 " at (%" PRId64 ", %" PRId64 ")",
                         shape->rows, shape->inner, shape->columns, i, j);
    }
}

Test(MatmulThreadPartition, K58_SkinnyProductsHaveFixedBits) {
    static const matmul_shape shapes[] = {{4000, 2000, 1}, {32, 200000, 32}, {125, 32000, 125}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const matmul_shape *shape = &shapes[s];
        thread_operands o = new_thread_operands(MATMUL_F32, shape);
        for (int64_t threads = 1; threads <= 3; threads += 2) {
            use_threads(threads);
            void *actual = run_version(&matmul_dispatch, MATMUL_F32, shape, o.a, o.b, o.out);
            expect_sampled_bits(shape, &o, actual, 100);
            free(actual);
        }
        free_thread_operands(&o);
    }
}
