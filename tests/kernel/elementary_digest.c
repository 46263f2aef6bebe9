/* Digests of the elementary functions. */
#include <stdio.h>
#include <string.h>

#include "digest.h"
#include "kael/ops.h"
#include "oracle/elementary_oracle.h"

enum { COUNT = 1 << 14 };

typedef kael_status unary_operation(kael_tensor *out, const kael_tensor *x);

/* In the order of elementary_number, without pow. */
static const struct {
    const char *name;
    unary_operation *operation;
} operations[ELEMENTARY_COUNT] = {
    {"exp", kael_exp_into},
    {"expm1", kael_expm1_into},
    {"log", kael_log_into},
    {"log1p", kael_log1p_into},
    {"sin", kael_sin_into},
    {"cos", kael_cos_into},
    {"tanh", kael_tanh_into},
    {"sigmoid", kael_sigmoid_into},
    {"silu", kael_silu_into},
    {"erf", kael_erf_into},
    {"gelu", kael_gelu_into},
    {"gelu_tanh", kael_gelu_tanh_into},
    {"pow", NULL},
};

static kael_tensor *new_array(matmul_type type) {
    const int64_t count = COUNT;
    const kael_dtype dtype = type == MATMUL_F32 ? KAEL_F32 : KAEL_F64;
    kael_tensor *array;
    digest_require(kael_tensor_zeros(&array, dtype, 1, &count), "elementary");
    return array;
}

/* Every kind of number: bit patterns in even steps over the whole type, or random ones of moderate
 * size. */
static void fill(matmul_type type, void *array, bool is_moderate, uint64_t seed) {
    const int width = type == MATMUL_F32 ? 32 : 64;
    const int exponent = type == MATMUL_F32 ? 8 : 11;
    for (int64_t i = 0; i < COUNT; ++i) {
        const uint64_t word = matmul_random(seed, (uint64_t)i);
        uint64_t bits = ((uint64_t)i << (width - 14)) | (word >> (64 - width + 14));
        if (is_moderate) {
            const uint64_t one = (UINT64_C(1) << (exponent - 1)) - 1;
            const uint64_t order = one - 20 + word % 27;
            const uint64_t sign = (word >> 7 & 1) << (width - 1);
            bits = sign | (order << (width - 1 - exponent)) | (word >> (64 - width + 1 + exponent));
        }
        memcpy((char *)array + (size_t)i * matmul_size(type), &bits, matmul_size(type));
    }
}

static void run_function(digest_run *run, int number, matmul_type type) {
    kael_tensor *x = new_array(type);
    kael_tensor *y = new_array(type);
    kael_tensor *out = new_array(type);
    const char *function = operations[number].name;
    char name[64];
    snprintf(name, sizeof name, "%s_%s", function, matmul_type_name(type));
    digest_begin(run);
    for (int is_moderate = 0; is_moderate < 2; ++is_moderate) {
        fill(type, kael_tensor_data(x), is_moderate, 11);
        fill(type, kael_tensor_data(y), true, 12);
        if (run->use_oracle) {
            elementary_oracle((elementary_number)number, type, COUNT, kael_tensor_data(x),
                              kael_tensor_data(y), kael_tensor_data(out));
        } else if (number == ELEMENTARY_POW) {
            digest_require(kael_pow_into(out, x, y), function);
        } else {
            digest_require(operations[number].operation(out, x), function);
        }
        digest_add(run, type, kael_tensor_data(out), COUNT);
    }
    digest_end(run, name, "patterns");
    kael_tensor_release(x);
    kael_tensor_release(y);
    kael_tensor_release(out);
}

void digest_elementary(digest_run *run) {
    for (int number = 0; number < ELEMENTARY_COUNT; ++number) {
        run_function(run, number, MATMUL_F32);
        run_function(run, number, MATMUL_F64);
    }
}
