/* Generators and random tensors against the definitions of kael/random.h. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kael/random.h"
#include "kernels/normal.h"
#include "kernels/philox.h"
#include "oracle/random_oracle.h"
#include "tensor/tensor.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SHAPE(...)                                                                                 \
    (int64_t) COUNT_OF(((const int64_t[]){__VA_ARGS__})), (const int64_t[]) {                      \
        __VA_ARGS__                                                                                \
    }
#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

static kael_generator *make_generator(uint64_t seed, uint64_t low, uint64_t high) {
    kael_generator *generator;
    ASSERT_OK(kael_generator_create(&generator, seed));
    ASSERT_OK(kael_generator_set_state(generator, &(const kael_generator_state){seed, low, high}));
    return generator;
}

static kael_generator_state state_of(const kael_generator *generator) {
    kael_generator_state state;
    ASSERT_OK(kael_generator_get_state(&state, generator));
    return state;
}

static void expect_position(const kael_generator *generator, uint64_t low, uint64_t high) {
    const kael_generator_state state = state_of(generator);
    cr_expect_eq(state.position_low, low, "%" PRIu64, state.position_low);
    cr_expect_eq(state.position_high, high, "%" PRIu64, state.position_high);
}

static kael_status draw(kael_tensor **out, kael_generator *generator, const random_request *r,
                        int64_t ndim, const int64_t *shape) {
    switch (r->distribution) {
    case RANDOM_UNIFORM:
        return kael_random_uniform(out, generator, r->dtype, ndim, shape, r->a, r->b);
    case RANDOM_NORMAL:
        return kael_random_normal(out, generator, r->dtype, ndim, shape, r->a, r->b);
    case RANDOM_INTEGERS:
        return kael_random_integers(out, generator, r->dtype, ndim, shape, r->low, r->high);
    default:
        return kael_random_bernoulli(out, generator, r->dtype, ndim, shape, r->a);
    }
}

static kael_status draw_into(kael_tensor *out, kael_generator *generator, const random_request *r) {
    switch (r->distribution) {
    case RANDOM_UNIFORM:
        return kael_random_uniform_into(out, generator, r->a, r->b);
    case RANDOM_NORMAL:
        return kael_random_normal_into(out, generator, r->a, r->b);
    case RANDOM_INTEGERS:
        return kael_random_integers_into(out, generator, r->low, r->high);
    default:
        return kael_random_bernoulli_into(out, generator, r->a);
    }
}

static const int64_t two62 = INT64_C(1) << 62;

static const random_request requests[] = {
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F16, .a = 0, .b = 1},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F16, .a = 1, .b = 1.01},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F16, .a = -60000, .b = 65504},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_BF16, .a = 0, .b = 1},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_BF16, .a = -3.25, .b = 0},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_BF16, .a = 100, .b = 101},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F32, .a = 0, .b = 1},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F32, .a = -0.1, .b = 0.1},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F32, .a = 1, .b = 0x1.000004p0},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F32, .a = -1.7e38, .b = 1.7e38},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F64, .a = 0, .b = 1},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F64, .a = -1e300, .b = 3},
    {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F64, .a = 1, .b = 0x1.0000000000002p0},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_F16, .a = 0, .b = 1},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_BF16, .a = 5, .b = 0.1},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_F32, .a = 0, .b = 1},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_F32, .a = -2.5, .b = 1e-3},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_F32, .a = 0.1, .b = 0},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_F64, .a = 0, .b = 1},
    {.distribution = RANDOM_NORMAL, .dtype = KAEL_F64, .a = 1e10, .b = 3},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I8, .low = -128, .high = 128},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I8, .low = -3, .high = 4},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U8, .low = 255, .high = 256},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U8, .low = 0, .high = 201},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I16, .low = -32768, .high = 32768},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U16, .low = 1, .high = 65536},
    {.distribution = RANDOM_INTEGERS,
     .dtype = KAEL_I32,
     .low = INT32_MIN,
     .high = INT64_C(1) << 31},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I32, .low = -7, .high = 65530},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U32, .low = 5, .high = INT64_C(3) << 30},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I64, .low = INT64_MIN, .high = INT64_MAX},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I64, .low = -10, .high = 990},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I64, .low = -two62, .high = two62 + 7},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I64, .low = 0, .high = INT64_C(1) << 32},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I64, .low = 0, .high = (INT64_C(1) << 32) + 1},
    {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U64, .low = two62, .high = INT64_MAX},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_BOOL, .a = 0.5},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_I8, .a = 0},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_U16, .a = 1},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_F16, .a = 0.1},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_BF16, .a = 0.999},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_F32, .a = 0.3},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_I64, .a = 0x1p-40},
    {.distribution = RANDOM_BERNOULLI, .dtype = KAEL_F64, .a = 0.75},
};

static void expect_bytes(const random_request *r, const void *actual, const void *expected,
                         int64_t count, const char *what) {
    const int64_t size = kael_dtype_size(r->dtype);
    for (int64_t i = 0; i < count; ++i) {
        const char *a = (const char *)actual + i * size;
        const char *e = (const char *)expected + i * size;
        if (memcmp(a, e, (size_t)size) != 0) {
            uint64_t bits[2] = {0, 0};
            memcpy(&bits[0], a, (size_t)size);
            memcpy(&bits[1], e, (size_t)size);
            cr_expect(false,
                      "%s: distribution %d, %s, %g %g, [%" PRId64 ", %" PRId64 "), element %" PRId64
                      " of %" PRId64 ": %#" PRIx64 ", not %#" PRIx64,
                      what, (int)r->distribution, kael_dtype_name(r->dtype), r->a, r->b, r->low,
                      r->high, i, count, bits[0], bits[1]);
            return;
        }
    }
}

/* Draws a vector and compares it with the oracle's. */
static void check_draw(const random_request *r, kael_generator *generator, int64_t count,
                       const char *what) {
    const kael_generator_state before = state_of(generator);
    void *expected = malloc((size_t)(count * 8 + 1));
    random_oracle(r, &before, 0, count, expected);
    kael_tensor *t;
    ASSERT_OK(draw(&t, generator, r, 1, &count));
    cr_expect_eq(t->dtype, r->dtype);
    expect_bytes(r, t->data, expected, count, what);
    const kael_generator_state after = state_of(generator);
    cr_expect_eq(after.position_low - before.position_low, (uint64_t)random_oracle_blocks(r, count),
                 "%s", what);
    kael_tensor_release(t);
    free(expected);
}

/* Salmon and others' known answers. */
Test(Random, PhiloxGivesTheKnownAnswers) {
    static const struct {
        uint32_t counter[4];
        uint64_t key;
        uint32_t block[4];
    } cases[] = {
        {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         UINT64_MAX,
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         UINT64_C(0x299f31d0a4093822),
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        uint32_t block[4];
        memcpy(block, cases[i].counter, sizeof block);
        kael_philox(block, cases[i].key);
        cr_expect_arr_eq(block, cases[i].block, sizeof block, "case %zu", i);
        memcpy(block, cases[i].counter, sizeof block);
        random_oracle_philox(block, cases[i].key);
        cr_expect_arr_eq(block, cases[i].block, sizeof block, "the oracle's case %zu", i);
    }
}

/* The kernels' words, also where the block number carries over, on every instruction set. */
Test(Random, KernelsDrawTheWordsOfTheStream) {
    const kael_philox_stream streams[] = {
        {0, 0, 0},
        {UINT64_C(0x299f31d0a4093822), UINT64_C(0x85a308d3243f6a88), 0x13198a2e},
        {7, UINT64_MAX - 5, 0},
        {UINT64_MAX, UINT64_MAX - 15, 41},
        {UINT64_MAX, UINT64_MAX - 16, 41},
        {1, UINT64_MAX - 17, UINT32_MAX - 1},
        {1, UINT32_MAX - 9, 3},
    };
    for (const kael_kernels *const *set = kael_kernels_supported(); *set != NULL; ++set) {
        for (size_t s = 0; s < COUNT_OF(streams); ++s) {
            enum { COUNT = 4 * 51 };
            uint32_t words[COUNT + 1];
            words[COUNT] = 0x12345678;
            (*set)->random->words(&streams[s], COUNT, "", words);
            cr_expect_eq(words[COUNT], 0x12345678);
            for (uint64_t block = 0; block < COUNT / 4; ++block) {
                const uint64_t low = streams[s].low + block;
                uint32_t expected[4] = {(uint32_t)low, (uint32_t)(low >> 32),
                                        streams[s].high + (low < block), 0};
                random_oracle_philox(expected, streams[s].key);
                cr_expect_arr_eq(words + 4 * block, expected, sizeof expected,
                                 "%s, stream %zu, block %" PRIu64, (*set)->name, s, block);
            }
        }
    }
}

Test(Random, EveryDistributionMatchesItsDefinition) {
    const int64_t counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 63, 64, 65, 127, 1000};
    for (size_t i = 0; i < COUNT_OF(requests); ++i) {
        kael_generator *generator = make_generator(123456789 + i, 0, 0);
        for (size_t c = 0; c < COUNT_OF(counts); ++c) {
            check_draw(&requests[i], generator, counts[c], "one call after another");
        }
        kael_generator_release(generator);
    }
}

Test(Random, PositionsCarryInto96Bits) {
    for (size_t i = 0; i < COUNT_OF(requests); ++i) {
        kael_generator *generator = make_generator(i, UINT64_MAX - 20, 6);
        check_draw(&requests[i], generator, 157, "across 2^64 blocks");
        cr_expect_eq(state_of(generator).position_high, 7);
        check_draw(&requests[i], generator, 9, "after that");
        kael_generator_release(generator);
    }
}

/* Long enough for several chunks; the oracle checks places where chunks meet. */
Test(Random, ElementsDoNotDependOnTheThreadCount) {
    const int64_t count = 4 * 3 * (KAEL_ELEMENT_GRAIN / 16) + 5;
    const int64_t threads[] = {1, 2, 3, 5, 8};
    char *expected = malloc((size_t)count * 8);
    for (size_t i = 0; i < COUNT_OF(requests); ++i) {
        const random_request *r = &requests[i];
        const size_t bytes = (size_t)(count * kael_dtype_size(r->dtype));
        for (size_t t = 0; t < COUNT_OF(threads); ++t) {
            ASSERT_OK(kael_set_num_threads(threads[t]));
            kael_generator *generator = make_generator(99, 17, 0);
            kael_tensor *drawn;
            ASSERT_OK(draw(&drawn, generator, r, 1, &count));
            if (t == 0) {
                memcpy(expected, drawn->data, bytes);
            }
            cr_expect(memcmp(drawn->data, expected, bytes) == 0,
                      "distribution %d, %s, %" PRId64 " threads", (int)r->distribution,
                      kael_dtype_name(r->dtype), threads[t]);
            kael_tensor_release(drawn);
            kael_generator_release(generator);
        }
        const kael_generator_state start = {99, 17, 0};
        for (int64_t at = 0; at < count; at += KAEL_ELEMENT_GRAIN / 8) {
            char window[64 * 8];
            const int64_t first = at < 32 ? 0 : at - 32;
            const int64_t length = count - first < 64 ? count - first : 64;
            random_oracle(r, &start, first, length, window);
            expect_bytes(r, expected + first * kael_dtype_size(r->dtype), window, length,
                         "where chunks meet");
        }
    }
    free(expected);
}

Test(Random, RejectedNumbersAreDrawnAgain) {
    /* 2^32 mod 65521 is 225; the ranges of pairs are rejected nearly every second and third time.
     */
    const random_request wanted[] = {
        {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U16, .low = 0, .high = 0},
        {.distribution = RANDOM_INTEGERS, .dtype = KAEL_I64, .low = -two62, .high = two62 + 7},
        {.distribution = RANDOM_INTEGERS, .dtype = KAEL_U64, .low = 0, .high = INT64_C(3) << 61},
    };
    const int64_t count = 200000;
    for (size_t i = 0; i < COUNT_OF(wanted); ++i) {
        random_request r = wanted[i];
        if (i == 0) { /* the range of one word that rejects the most */
            uint64_t most = 0;
            for (int64_t range = 2; range <= 65536; ++range) {
                const uint64_t rejects = (UINT64_C(1) << 32) % (uint64_t)range;
                if (rejects > most) {
                    most = rejects;
                    r.high = range;
                }
            }
        }
        kael_generator *generator = make_generator(5, 0, 0);
        const kael_generator_state start = state_of(generator);
        char *expected = malloc((size_t)count * 8);
        const int64_t redrawn = random_oracle(&r, &start, 0, count, expected);
        cr_expect_gt(redrawn, 0);
        kael_tensor *t;
        ASSERT_OK(draw(&t, generator, &r, 1, &count));
        expect_bytes(&r, t->data, expected, count, "with rejections");
        kael_tensor_release(t);
        kael_generator_release(generator);
        free(expected);
    }
}

/* A probability whose upper half is a word of the stream. */
Test(Random, BernoulliComparesAll64Bits) {
    const kael_generator_state start = {11, 0, 0};
    for (int64_t place = 0; place < 70; ++place) {
        uint32_t block[4] = {(uint32_t)(place / 4)};
        random_oracle_philox(block, start.seed);
        const uint32_t word = block[place % 4];
        for (int part = 1; part < 8; ++part) {
            const random_request r = {.distribution = RANDOM_BERNOULLI,
                                      .dtype = KAEL_U8,
                                      .a = ((double)word + part / 8.0) * 0x1p-32};
            uint8_t expected[80];
            cr_expect_gt(random_oracle(&r, &start, 0, 80, expected), 0);
            kael_generator *generator = make_generator(start.seed, 0, 0);
            kael_tensor *t;
            ASSERT_OK(draw(&t, generator, &r, SHAPE(80)));
            expect_bytes(&r, t->data, expected, 80, "undecided by the upper half");
            kael_tensor_release(t);
            kael_generator_release(generator);
        }
    }
}

Test(Random, ShapesFillInRowMajorOrder) {
    kael_generator *a = make_generator(3, 0, 0);
    kael_generator *b = make_generator(3, 0, 0);
    kael_tensor *matrix;
    kael_tensor *vector;
    ASSERT_OK(kael_random_uniform(&matrix, a, KAEL_F32, SHAPE(3, 1, 7), 0, 1));
    ASSERT_OK(kael_random_uniform(&vector, b, KAEL_F32, SHAPE(21), 0, 1));
    cr_expect_eq(matrix->ndim, 3);
    cr_expect_eq(memcmp(matrix->data, vector->data, 21 * sizeof(float)), 0);
    kael_tensor_release(matrix);
    ASSERT_OK(kael_random_normal(&matrix, a, KAEL_F64, 0, NULL, 0, 1));
    cr_expect_eq(matrix->ndim, 0);
    expect_position(a, 7, 0);
    kael_tensor_release(matrix);
    kael_tensor_release(vector);
    kael_generator_release(a);
    kael_generator_release(b);
}

/* A view with gaps, transposed and backwards. */
Test(Random, AnyLayoutGetsTheSameElements) {
    for (size_t i = 0; i < COUNT_OF(requests); ++i) {
        const random_request *r = &requests[i];
        const int64_t size = kael_dtype_size(r->dtype);
        kael_tensor *base;
        kael_tensor *view;
        ASSERT_OK(kael_tensor_zeros(&base, r->dtype, SHAPE(300)));
        ASSERT_OK(kael_tensor_create_view(&view, base->storage, r->dtype, 2,
                                          (const int64_t[]){9, 13}, (const int64_t[]){-2, 20}, 30));
        kael_generator *generator = make_generator(8, 0, 0);
        kael_tensor *expected;
        ASSERT_OK(draw_into(view, generator, r));
        expect_position(generator, (uint64_t)random_oracle_blocks(r, 9 * 13), 0);
        ASSERT_OK(kael_generator_seed(generator, 8));
        ASSERT_OK(draw(&expected, generator, r, SHAPE(9, 13)));
        unsigned char whole[300 * 8] = {0};
        for (int64_t row = 0; row < 9; ++row) {
            for (int64_t column = 0; column < 13; ++column) {
                memcpy(whole + (30 - 2 * row + 20 * column) * size,
                       (char *)expected->data + (row * 13 + column) * size, (size_t)size);
            }
        }
        cr_expect_eq(memcmp(whole, base->data, (size_t)(300 * size)), 0, "distribution %d, %s",
                     (int)r->distribution, kael_dtype_name(r->dtype));
        ASSERT_OK(kael_generator_seed(generator, 8));
        kael_tensor *dense;
        ASSERT_OK(kael_tensor_empty(&dense, r->dtype, SHAPE(9, 13)));
        ASSERT_OK(draw_into(dense, generator, r));
        expect_bytes(r, dense->data, expected->data, 9 * 13, "into a contiguous tensor");
        kael_tensor_release(dense);
        kael_tensor_release(expected);
        kael_tensor_release(view);
        kael_tensor_release(base);
        kael_generator_release(generator);
    }
}

Test(Random, UniformStaysBelowHigh) {
    for (size_t i = 0; i < COUNT_OF(requests); ++i) {
        const random_request *r = &requests[i];
        if (r->distribution != RANDOM_UNIFORM || (r->dtype != KAEL_F32 && r->dtype != KAEL_F64)) {
            continue;
        }
        kael_generator *generator = make_generator(1, 0, 0);
        kael_tensor *t;
        ASSERT_OK(draw(&t, generator, r, SHAPE(20000)));
        for (int64_t k = 0; k < 20000; ++k) {
            const double value = r->dtype == KAEL_F32 ? (double)((const float *)t->data)[k]
                                                      : ((const double *)t->data)[k];
            const double low = r->dtype == KAEL_F32 ? (double)(float)r->a : r->a;
            const double high = r->dtype == KAEL_F32 ? (double)(float)r->b : r->b;
            cr_assert(value >= low && value < high, "%a not in [%a, %a)", value, low, high);
        }
        kael_tensor_release(t);
        kael_generator_release(generator);
    }
}

static double moment(const double *values, int64_t count, double center, int power) {
    double sum = 0;
    for (int64_t i = 0; i < count; ++i) {
        sum += pow(values[i] - center, power);
    }
    return sum / (double)count;
}

/* Within five standard errors. */
Test(Random, MomentsAreThoseOfTheDistributions) {
    enum { COUNT = 1000000 };
    kael_generator *generator = make_generator(2024, 0, 0);
    kael_tensor *t;
    const double root = sqrt((double)COUNT);
    ASSERT_OK(kael_random_uniform(&t, generator, KAEL_F64, SHAPE(COUNT), 0, 1));
    cr_expect_float_eq(moment(t->data, COUNT, 0, 1), 0.5, 5 * sqrt(1 / 12.0) / root);
    cr_expect_float_eq(moment(t->data, COUNT, 0.5, 2), 1 / 12.0, 5 * sqrt(1 / 180.0) / root);
    kael_tensor_release(t);
    ASSERT_OK(kael_random_normal(&t, generator, KAEL_F64, SHAPE(COUNT), 0, 1));
    cr_expect_float_eq(moment(t->data, COUNT, 0, 1), 0, 5 / root);
    cr_expect_float_eq(moment(t->data, COUNT, 0, 2), 1, 5 * sqrt(2.0) / root);
    cr_expect_float_eq(moment(t->data, COUNT, 0, 3), 0, 5 * sqrt(15.0) / root);
    cr_expect_float_eq(moment(t->data, COUNT, 0, 4), 3, 5 * sqrt(96.0) / root);
    kael_tensor_release(t);
    kael_generator_release(generator);
}

/* The largest distance between the distribution of the elements and the normal one, for f32. */
Test(Random, NormalNumbersAreDistributedNormally) {
    enum { COUNT = 400000, BINS = 2000 };
    kael_generator *generator = make_generator(77, 0, 0);
    kael_tensor *t;
    ASSERT_OK(kael_random_normal(&t, generator, KAEL_F32, SHAPE(COUNT), 0, 1));
    static int64_t bins[BINS + 1];
    for (int64_t i = 0; i < COUNT; ++i) {
        const double scaled = ((double)((const float *)t->data)[i] + 5) * (BINS / 10.0);
        ++bins[scaled < 0 ? 0 : scaled >= BINS ? BINS : (int)scaled];
    }
    double below = 0;
    for (int i = 0; i < BINS; ++i) {
        below += (double)bins[i];
        const double edge = (i + 1) * (10.0 / BINS) - 5;
        cr_expect_float_eq(below / COUNT, 0.5 * erfc(-edge * sqrt(0.5)), 1.9 / sqrt(COUNT), "at %g",
                           edge);
    }
    kael_tensor_release(t);
    kael_generator_release(generator);
}

Test(Random, NormalPairsAreAccurate) {
    const double turn = 2 * acos(-1.0);
    uint32_t block[4] = {0};
    for (uint32_t i = 0; i < 200000; ++i) {
        block[0] = i;
        random_oracle_philox(block, 3);
        const kael_pair_f32 single = kael_normal_pair_f32(block[0], block[1]);
        const float u = fmaf((float)(block[0] >> 1), 0x1p-31f, 0x1p-32f);
        const double r = sqrt(-2 * log((double)u));
        const double a = block[1] * 0x1p-32 * turn;
        cr_assert_float_eq((double)single.first, r * cos(a), 4e-7 * r + 1e-12);
        cr_assert_float_eq((double)single.second, r * sin(a), 4e-7 * r + 1e-12);
        const uint64_t radius = block[0] | (uint64_t)block[1] << 32;
        const uint64_t angle = block[2] | (uint64_t)block[3] << 32;
        const kael_pair_f64 pair = kael_normal_pair_f64(radius, angle);
        const double r64 = sqrt(-2 * log((double)(radius >> 11) * 0x1p-53 + 0x1p-54));
        const double a64 = (double)angle * 0x1p-64 * turn;
        cr_assert_float_eq(pair.first, r64 * cos(a64), 2e-15 * r64);
        cr_assert_float_eq(pair.second, r64 * sin(a64), 2e-15 * r64);
    }
}

Test(Random, ExtremeWordsGiveFiniteNormalNumbers) {
    const uint32_t words[] = {0,          1,          0x1fffffff, 0x20000000,
                              0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000,
                              0xdfffffff, 0xe0000000, 0xfffffffe, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(words); ++i) {
        for (size_t j = 0; j < COUNT_OF(words); ++j) {
            const kael_pair_f32 single = kael_normal_pair_f32(words[i], words[j]);
            const double r = hypot((double)single.first, (double)single.second);
            cr_expect(r <= 6.67 && isfinite(r), "%#x %#x: %g", words[i], words[j], r);
            const kael_pair_f64 pair =
                kael_normal_pair_f64((uint64_t)words[i] << 32 | words[i],
                                     (uint64_t)words[j] << 32 | words[(j + i) % COUNT_OF(words)]);
            cr_expect(hypot(pair.first, pair.second) <= 8.66, "%#x %#x", words[i], words[j]);
        }
    }
    cr_expect_gt(kael_normal_pair_f32(0, 0).first, 6.6f);
    cr_expect_gt(kael_normal_pair_f64(0, 0).first, 8.6);
}

Test(Random, IntegersAreEquallyLikely) {
    enum { COUNT = 700000 };
    kael_generator *generator = make_generator(31, 0, 0);
    kael_tensor *t;
    ASSERT_OK(kael_random_integers(&t, generator, KAEL_I32, SHAPE(COUNT), -3, 4));
    int64_t counts[7] = {0};
    for (int64_t i = 0; i < COUNT; ++i) {
        const int32_t value = ((const int32_t *)t->data)[i];
        cr_assert(value >= -3 && value < 4);
        ++counts[value + 3];
    }
    for (int i = 0; i < 7; ++i) {
        cr_expect_float_eq((double)counts[i], COUNT / 7.0, 5 * sqrt(COUNT * 6 / 49.0));
    }
    kael_tensor_release(t);
    kael_generator_release(generator);
}

Test(Random, PermutationsMatchTheirDefinition) {
    const int64_t counts[] = {0, 1, 2, 3, 4, 5, 511, 512, 513, 1025, 100003};
    kael_generator *generator = make_generator(6, UINT64_MAX - 3, 2);
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        const int64_t count = counts[i];
        const kael_generator_state before = state_of(generator);
        int64_t *expected = malloc((size_t)(count + 1) * sizeof *expected);
        random_oracle_permutation(&before, count, expected);
        kael_tensor *t;
        ASSERT_OK(kael_random_permutation(&t, generator, count));
        cr_expect_eq(t->dtype, KAEL_I64);
        cr_expect_eq(t->numel, count);
        cr_expect(count == 0 || memcmp(t->data, expected, (size_t)count * sizeof *expected) == 0,
                  "%" PRId64, count);
        cr_expect_eq(state_of(generator).position_low - before.position_low,
                     (uint64_t)(count + 1) / 2);
        kael_tensor_release(t);
        free(expected);
    }
    kael_generator_release(generator);
}

Test(Random, OrdersAreEquallyLikely) {
    enum { COUNT = 60000 };
    int64_t counts[27] = {0};
    kael_generator *generator = make_generator(0, 0, 0);
    for (int i = 0; i < COUNT; ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_random_permutation(&t, generator, 3));
        const int64_t *order = t->data;
        ++counts[order[0] * 9 + order[1] * 3 + order[2]];
        kael_tensor_release(t);
    }
    const int orders[] = {0 * 9 + 1 * 3 + 2, 0 * 9 + 2 * 3 + 1, 1 * 9 + 0 * 3 + 2,
                          1 * 9 + 2 * 3 + 0, 2 * 9 + 0 * 3 + 1, 2 * 9 + 1 * 3 + 0};
    for (size_t i = 0; i < COUNT_OF(orders); ++i) {
        cr_expect_float_eq((double)counts[orders[i]], COUNT / 6.0, 5 * sqrt(COUNT * 5 / 36.0));
    }
    kael_generator_release(generator);
}

Test(Generator, CopiesGoTheirOwnWay) {
    kael_generator *a = make_generator(4, 10, 0);
    kael_generator *b;
    ASSERT_OK(kael_generator_copy(&b, a));
    kael_tensor *first;
    kael_tensor *second;
    ASSERT_OK(kael_random_uniform(&first, a, KAEL_F64, SHAPE(5), 0, 1));
    expect_position(a, 13, 0);
    expect_position(b, 10, 0);
    ASSERT_OK(kael_random_uniform(&second, b, KAEL_F64, SHAPE(5), 0, 1));
    cr_expect_eq(memcmp(first->data, second->data, 5 * sizeof(double)), 0);
    kael_tensor_release(first);
    kael_tensor_release(second);
    kael_generator_release(a);
    kael_generator_release(b);
    kael_generator_release(NULL);
}

Test(Generator, SkipsAndSeeds) {
    kael_generator *generator = make_generator(4, 0, 0);
    ASSERT_OK(kael_generator_skip(generator, UINT64_MAX));
    expect_position(generator, UINT64_MAX, 0);
    ASSERT_OK(kael_generator_skip(generator, 0));
    ASSERT_OK(kael_generator_skip(generator, 3));
    expect_position(generator, 2, 1);
    ASSERT_OK(kael_generator_seed(generator, 40));
    const kael_generator_state state = state_of(generator);
    cr_expect_eq(state.seed, 40);
    expect_position(generator, 0, 0);
    kael_generator_release(generator);
}

Test(Generator, SkippingIsDrawing) {
    const random_request r = {.distribution = RANDOM_UNIFORM, .dtype = KAEL_F32, .b = 1};
    kael_generator *a = make_generator(4, 0, 0);
    kael_generator *b = make_generator(4, 0, 0);
    check_draw(&r, a, 4001, "to be skipped");
    ASSERT_OK(kael_generator_skip(b, 1001));
    const kael_generator_state at_a = state_of(a);
    const kael_generator_state at_b = state_of(b);
    cr_expect_eq(at_a.position_low, at_b.position_low);
    kael_generator_release(a);
    kael_generator_release(b);
}

static void expect_error(kael_status status, kael_status expected, const char *text) {
    cr_expect_eq(status, expected, "%s: %s", text, kael_last_error_message());
    cr_expect_not_null(strstr(kael_last_error_message(), text), "'%s' in: %s", text,
                       kael_last_error_message());
}

Test(Generator, StreamsEnd) {
    kael_generator *generator = make_generator(4, UINT64_MAX - 2, UINT32_MAX);
    kael_tensor *t;
    expect_error(kael_generator_skip(generator, 3), KAEL_ERROR_VALUE,
                 "generator has 2 blocks left, 3 are needed");
    expect_error(kael_random_uniform(&t, generator, KAEL_F32, SHAPE(9), 0, 1), KAEL_ERROR_VALUE,
                 "generator has 2 blocks left, 3 are needed");
    cr_expect_null(t);
    expect_error(kael_random_permutation(&t, generator, 5), KAEL_ERROR_VALUE, "blocks left");
    cr_expect_null(t);
    expect_position(generator, UINT64_MAX - 2, UINT32_MAX);
    ASSERT_OK(kael_random_uniform(&t, generator, KAEL_F32, SHAPE(8), 0, 1));
    expect_position(generator, UINT64_MAX, UINT32_MAX);
    float before[8];
    memcpy(before, t->data, sizeof before);
    expect_error(kael_random_uniform_into(t, generator, 0, 1), KAEL_ERROR_VALUE, "blocks left");
    cr_expect_eq(memcmp(before, t->data, sizeof before), 0);
    kael_tensor_release(t);
    kael_generator_release(generator);
}

Test(Generator, BadArguments) {
    kael_generator *generator = make_generator(4, 0, 0);
    kael_generator *none = generator;
    kael_generator_state state = state_of(generator);
    expect_error(kael_generator_create(NULL, 1), KAEL_ERROR_VALUE, "out must not be NULL");
    expect_error(kael_generator_copy(NULL, generator), KAEL_ERROR_VALUE, "out must not be NULL");
    expect_error(kael_generator_copy(&none, NULL), KAEL_ERROR_VALUE, "generator must not be NULL");
    cr_expect_null(none);
    expect_error(kael_generator_seed(NULL, 1), KAEL_ERROR_VALUE, "generator must not be NULL");
    expect_error(kael_generator_skip(NULL, 1), KAEL_ERROR_VALUE, "generator must not be NULL");
    expect_error(kael_generator_get_state(NULL, generator), KAEL_ERROR_VALUE,
                 "state must not be NULL");
    expect_error(kael_generator_get_state(&state, NULL), KAEL_ERROR_VALUE,
                 "generator must not be NULL");
    expect_error(kael_generator_set_state(generator, NULL), KAEL_ERROR_VALUE,
                 "state must not be NULL");
    state.position_high = UINT64_C(1) << 32;
    expect_error(kael_generator_set_state(generator, &state), KAEL_ERROR_VALUE,
                 "position_high must be below 2^32, got 4294967296");
    kael_generator_release(generator);
}

/* Each call fails, leaves *out NULL and the generator where it was. */
static void expect_refused(const random_request *r, kael_status expected, const char *text) {
    kael_generator *generator = make_generator(4, 3, 0);
    kael_tensor *t = (kael_tensor *)(void *)generator;
    expect_error(draw(&t, generator, r, SHAPE(5)), expected, text);
    cr_expect_null(t);
    expect_position(generator, 3, 0);
    kael_generator_release(generator);
}

Test(Random, BadParameters) {
    static const struct {
        random_request request;
        kael_status status;
        const char *text;
    } cases[] = {
        {{RANDOM_UNIFORM, KAEL_I32, 0, 1, 0, 0},
         KAEL_ERROR_DTYPE,
         "dtype must be f16, bf16, f32 or f64, got i32"},
        {{RANDOM_UNIFORM, (kael_dtype)13, 0, 1, 0, 0}, KAEL_ERROR_DTYPE, "unknown dtype"},
        {{RANDOM_UNIFORM, KAEL_F32, 1, 1, 0, 0},
         KAEL_ERROR_VALUE,
         "low must be less than high in f32, got 1 and 1"},
        {{RANDOM_UNIFORM, KAEL_F32, 1, 1 + 1e-9, 0, 0}, KAEL_ERROR_VALUE, "less than high in f32"},
        {{RANDOM_UNIFORM, KAEL_F64, 2, 1, 0, 0}, KAEL_ERROR_VALUE, "got 2 and 1"},
        {{RANDOM_UNIFORM, KAEL_F64, NAN, 1, 0, 0}, KAEL_ERROR_VALUE, "must be finite in f64"},
        {{RANDOM_UNIFORM, KAEL_F64, 0, INFINITY, 0, 0}, KAEL_ERROR_VALUE, "must be finite"},
        {{RANDOM_UNIFORM, KAEL_F16, 0, 1e6, 0, 0}, KAEL_ERROR_VALUE, "must be finite in f16"},
        {{RANDOM_UNIFORM, KAEL_F32, -3e38, 3e38, 0, 0},
         KAEL_ERROR_VALUE,
         "high - low must be finite in f32"},
        {{RANDOM_UNIFORM, KAEL_F64, -1e308, 1e308, 0, 0}, KAEL_ERROR_VALUE, "high - low"},
        {{RANDOM_NORMAL, KAEL_U8, 0, 1, 0, 0}, KAEL_ERROR_DTYPE, "got u8"},
        {{RANDOM_NORMAL, KAEL_F32, 1e39, 1, 0, 0}, KAEL_ERROR_VALUE, "mean must be finite in f32"},
        {{RANDOM_NORMAL, KAEL_F64, 0, -1, 0, 0}, KAEL_ERROR_VALUE, "not negative, got -1"},
        {{RANDOM_NORMAL, KAEL_F16, 0, NAN, 0, 0}, KAEL_ERROR_VALUE, "std must be finite"},
        {{RANDOM_INTEGERS, KAEL_F32, 0, 0, 0, 5}, KAEL_ERROR_DTYPE, "got f32"},
        {{RANDOM_INTEGERS, KAEL_BOOL, 0, 0, 0, 2}, KAEL_ERROR_DTYPE, "got bool"},
        {{RANDOM_INTEGERS, KAEL_I32, 0, 0, 5, 5},
         KAEL_ERROR_VALUE,
         "low must be less than high, got 5 and 5"},
        {{RANDOM_INTEGERS, KAEL_I8, 0, 0, -129, 4},
         KAEL_ERROR_VALUE,
         "the integers from -129 to 3 are not in the range of i8"},
        {{RANDOM_INTEGERS, KAEL_U8, 0, 0, 0, 257}, KAEL_ERROR_VALUE, "the range of u8"},
        {{RANDOM_INTEGERS, KAEL_U64, 0, 0, -1, 7}, KAEL_ERROR_VALUE, "the range of u64"},
        {{RANDOM_INTEGERS, KAEL_U32, 0, 0, 0, INT64_MAX}, KAEL_ERROR_VALUE, "the range of u32"},
        {{RANDOM_BERNOULLI, KAEL_F32, 1.5, 0, 0, 0},
         KAEL_ERROR_VALUE,
         "probability must be between 0 and 1, got 1.5"},
        {{RANDOM_BERNOULLI, KAEL_F32, NAN, 0, 0, 0}, KAEL_ERROR_VALUE, "probability"},
        {{RANDOM_BERNOULLI, KAEL_F32, -1e-300, 0, 0, 0}, KAEL_ERROR_VALUE, "probability"},
        {{RANDOM_BERNOULLI, (kael_dtype)-1, 0.5, 0, 0, 0}, KAEL_ERROR_DTYPE, "-1 is not a dtype"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        expect_refused(&cases[i].request, cases[i].status, cases[i].text);
    }
}

Test(Random, BadTensors) {
    kael_generator *generator = make_generator(4, 3, 0);
    for (size_t i = 0; i < COUNT_OF(requests); ++i) {
        const random_request *r = &requests[i];
        kael_tensor *t = (kael_tensor *)(void *)generator;
        expect_error(draw(&t, generator, r, SHAPE(2, -1)), KAEL_ERROR_SHAPE, "negative");
        cr_expect_null(t);
        expect_error(draw(&t, NULL, r, SHAPE(2)), KAEL_ERROR_VALUE, "generator must not be NULL");
        cr_expect_null(t);
        expect_error(draw(NULL, generator, r, SHAPE(2)), KAEL_ERROR_VALUE, "out must not be NULL");
        expect_error(draw_into(NULL, generator, r), KAEL_ERROR_VALUE, "out must not be NULL");
        kael_tensor *base;
        kael_tensor *repeated;
        ASSERT_OK(kael_tensor_zeros(&base, r->dtype, SHAPE(2)));
        expect_error(draw_into(base, NULL, r), KAEL_ERROR_VALUE, "generator must not be NULL");
        ASSERT_OK(kael_tensor_create_view(&repeated, base->storage, r->dtype, 2,
                                          (const int64_t[]){3, 2}, (const int64_t[]){0, 1}, 0));
        cr_expect_eq(draw_into(repeated, generator, r), KAEL_ERROR_VALUE);
        uint64_t zeros[2] = {0, 0};
        cr_expect_eq(memcmp(base->data, zeros, (size_t)(2 * kael_dtype_size(r->dtype))), 0);
        kael_tensor_release(repeated);
        kael_tensor_release(base);
    }
    expect_position(generator, 3, 0);
    kael_tensor *t = (kael_tensor *)(void *)generator;
    expect_error(kael_random_permutation(&t, generator, -1), KAEL_ERROR_VALUE,
                 "count must not be negative, got -1");
    cr_expect_null(t);
    expect_error(kael_random_permutation(&t, NULL, 1), KAEL_ERROR_VALUE, "generator");
    expect_error(kael_random_permutation(NULL, generator, 1), KAEL_ERROR_VALUE, "out");
    expect_position(generator, 3, 0);
    kael_generator_release(generator);
}
