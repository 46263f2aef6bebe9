/* Digests of random numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
#include "kael/random.h"
#include "oracle/random_oracle.h"

enum { COUNT = 5003 };

typedef struct random_group {
    const char *operation;
    const char *name;
    random_request request;
} random_group;

static const random_group groups[] = {
    {"uniform_f16", "unit", {RANDOM_UNIFORM, KAEL_F16, 0, 1, 0, 0}},
    {"uniform_bf16", "signed", {RANDOM_UNIFORM, KAEL_BF16, -3, 3, 0, 0}},
    {"uniform_f32", "unit", {RANDOM_UNIFORM, KAEL_F32, 0, 1, 0, 0}},
    {"uniform_f32", "narrow", {RANDOM_UNIFORM, KAEL_F32, 1, 1.0001, 0, 0}},
    {"uniform_f64", "unit", {RANDOM_UNIFORM, KAEL_F64, 0, 1, 0, 0}},
    {"normal_f16", "standard", {RANDOM_NORMAL, KAEL_F16, 0, 1, 0, 0}},
    {"normal_bf16", "standard", {RANDOM_NORMAL, KAEL_BF16, 0, 1, 0, 0}},
    {"normal_f32", "standard", {RANDOM_NORMAL, KAEL_F32, 0, 1, 0, 0}},
    {"normal_f32", "shifted", {RANDOM_NORMAL, KAEL_F32, 5, 0.1, 0, 0}},
    {"normal_f64", "standard", {RANDOM_NORMAL, KAEL_F64, 0, 1, 0, 0}},
    {"integers_u8", "all", {RANDOM_INTEGERS, KAEL_U8, 0, 0, 0, 256}},
    {"integers_i16", "short", {RANDOM_INTEGERS, KAEL_I16, 0, 0, -1000, 1001}},
    {"integers_i32", "long", {RANDOM_INTEGERS, KAEL_I32, 0, 0, -100000, 100001}},
    {"integers_i64", "rejecting", {RANDOM_INTEGERS, KAEL_I64, 0, 0, INT64_MIN / 2, INT64_MAX / 4}},
    {"bernoulli_bool", "third", {RANDOM_BERNOULLI, KAEL_BOOL, 1.0 / 3, 0, 0, 0}},
    {"bernoulli_f32", "rare", {RANDOM_BERNOULLI, KAEL_F32, 0.01, 0, 0, 0}},
};

/* The end of the first 2^64 blocks is among those of every group. */
static const kael_generator_state start = {UINT64_C(0x0123456789abcdef), UINT64_MAX - 300, 5};

static kael_status fill(kael_tensor *out, kael_generator *generator, const random_request *r) {
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

static void run_group(digest_run *run, const random_group *group) {
    const random_request *r = &group->request;
    const int64_t count = COUNT;
    char operation[64];
    snprintf(operation, sizeof operation, "random_%s", group->operation);
    kael_tensor *out;
    digest_require(kael_tensor_zeros(&out, r->dtype, 1, &count), operation);
    if (run->use_oracle) {
        random_oracle(r, &start, 0, count, kael_tensor_data(out));
    } else {
        kael_generator *generator;
        digest_require(kael_generator_create(&generator, 0), operation);
        digest_require(kael_generator_set_state(generator, &start), operation);
        digest_require(fill(out, generator, r), operation);
        kael_generator_release(generator);
    }
    digest_begin(run);
    digest_add_bytes(run, kael_tensor_data(out), count * kael_dtype_size(r->dtype));
    digest_end(run, operation, group->name);
    kael_tensor_release(out);
}

void digest_random(digest_run *run) {
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
        run_group(run, &groups[i]);
    }
}
